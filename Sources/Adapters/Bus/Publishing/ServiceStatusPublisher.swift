import Instruments
public import ServiceLifecycle
import Wire

/// How a service does, in the words of `service.status`.
public struct ServiceStatus: Hashable, Sendable {
    /// Whether it can do its work.
    public var isReady: Bool
    /// Why not, or what an operator should know all the same; empty where that is nothing.
    public var detail: String
    /// Counters and gauges by their names.
    public var figures: [String: Int64]
    /// Where browsers find the page, of who serves one; empty for everybody else.
    public var page: String
    /// Where the database of this process is, of who has one of its own; empty for everybody else.
    public var privateDatabase = ""

    public init(isReady: Bool, detail: String = "", figures: [String: Int64] = [:], page: String = "") {
        self.isReady = isReady
        self.detail = detail
        self.figures = figures
        self.page = page
    }
}

/// Says every two seconds how a service does that says nothing else on the bus.
///
/// Nothing waits for it: while there is no broker the service does its work, and is silent.
public struct ServiceStatusPublisher: Service {
    private static let interval = Duration.seconds(2)

    private let voice: StatusVoice
    private let condition: @Sendable () async -> ServiceStatus

    /// The services that say it, the publisher first.
    ///
    /// - Parameters:
    ///   - service: Which executable's work it is, such as `notifier`.
    ///   - instance: This process among others; 1...60 bytes.
    ///   - publisher: Named by both, with a hyphen between them.
    ///   - condition: How it does now.
    /// - Returns: To come before the service itself, so that its end is said as well.
    /// - Throws: ``BusError`` when the instance's name makes no topic.
    public static func services(
        of service: String, instance: String, by publisher: Publisher,
        condition: @escaping @Sendable () async -> ServiceStatus
    ) throws -> [any Service] {
        [publisher, try ServiceStatusPublisher(service, instance, publisher, condition)]
    }

    private init(
        _ service: String, _ instance: String, _ publisher: Publisher,
        _ condition: @escaping @Sendable () async -> ServiceStatus
    ) throws {
        self.condition = condition
        voice = try StatusVoice(of: service, instance: instance, started: BusClock.wall(), publisher)
    }

    /// Speaks until graceful shutdown or cancellation.
    ///
    /// - Throws: Nothing.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { voice.say(await condition()) } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}

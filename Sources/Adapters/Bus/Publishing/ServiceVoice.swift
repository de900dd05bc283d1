import Instruments
public import ServiceLifecycle
import Wire

/// How a service does, in the words of `service.status`.
public struct ServiceCondition: Hashable, Sendable {
    /// Whether it can do its work.
    public var isReady: Bool
    /// Why not; empty while it can.
    public var detail: String
    /// Counters and gauges by their names.
    public var figures: [String: Int64]
    /// Where browsers find the page, of who serves one; empty for everybody else.
    public var page: String

    /// Joins them.
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
public struct ServiceVoice: Service {
    private static let interval = Duration.seconds(2)

    private let publisher: Publisher
    private let topic: PublisherTopic
    private let status: Bitpal_V1_ServiceStatus
    private let condition: @Sendable () async -> ServiceCondition

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
        condition: @escaping @Sendable () async -> ServiceCondition
    ) throws -> [any Service] {
        [publisher, try ServiceVoice(service, instance, publisher, condition)]
    }

    private init(
        _ service: String, _ instance: String, _ publisher: Publisher,
        _ condition: @escaping @Sendable () async -> ServiceCondition
    ) throws {
        self.publisher = publisher
        self.condition = condition
        topic = try publisher.topic(Topic.serviceStatus(service: service, instance: instance))
        var status = Bitpal_V1_ServiceStatus()
        (status.service, status.instance) = (service, instance)
        status.startedUnixNanos = BusClock.wall().nanoseconds
        self.status = status
    }

    /// Speaks until graceful shutdown or cancellation.
    ///
    /// - Throws: Nothing.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await say() } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    private func say() async {
        let condition = await condition()
        var status = status
        (status.isReady, status.detail) = (condition.isReady, condition.detail)
        (status.figures, status.page) = (condition.figures, condition.page)
        var batch = OutboundBatch()
        batch.append(.serviceStatus(status), to: topic)
        publisher.offer(&batch)
    }
}

import Bus
import Foundation
import Instruments
import MarketData
import Store
import Support
import Testing
import Venues

/// Bitpal over `tcp://127.0.0.1`, with a recording in place of a venue.
final class Platform {
    /// How the parts are run.
    enum Shape: String, CaseIterable, Sendable {
        /// Each service is a process of its own.
        case separate
        /// `bitpal up` runs all of them.
        case oneProcess
    }

    let folder: String
    let base: UInt16
    let addresses: BusAddresses
    let database: StoreConfiguration
    private(set) var processes: [String: ChildProcess] = [:]
    private let environment: [String: String]
    private let shape: Shape
    private let arguments: [String]

    /// Prepares a platform for one recording; nothing runs yet.
    init(_ session: ExpectedSession, speed: String, shape: Shape = .separate) async throws {
        self.shape = shape
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 8)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        database = try await TestDatabase.market()
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            "BITPAL_DATABASE_URL": Platform.url(of: database),
            "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
            "BITPAL_BOOK_BUILDER_BACKFILL_REST_URL": "http://127.0.0.1:\(base + 3)",
            // A busy machine may take seconds to ask for the recorded books, and later ones are less deep.
            "BITPAL_VENUE_SIMULATOR_PATIENCE": "60s",
        ]
        guard shape == .separate else {
            environment["BITPAL_UP_OPERATIONS_ADDRESS"] = "127.0.0.1:\(base + 4)"
            environment["BITPAL_GATEWAY_ADDRESS"] = "127.0.0.1:0"
            self.environment = environment
            arguments = [
                "up", "--profile", "demo", "--recording", session.file, "--speed", speed, "--data-dir",
                folder,
            ]
            return
        }
        arguments = []
        environment.merge([
            "BITPAL_VENUE_SIMULATOR_RECORDINGS": session.file,
            "BITPAL_VENUE_SIMULATOR_SPEED": speed,
        ]) { _, new in new }
        for (offset, service) in Platform.services.enumerated() {
            environment["\(Platform.prefix(service))OPERATIONS_ADDRESS"] =
                "127.0.0.1:\(base + 4 + UInt16(offset))"
        }
        let survey = try RecordedSubscriptions(path: session.file)
        let scope = "BITPAL_FEED_INGESTOR_\(try Platform.scope(session.venue))_"
        environment["BITPAL_FEED_INGESTOR_VENUES"] = session.venue.rawValue
        environment[scope + "SYMBOLS"] = survey.symbols.joined(separator: ",")
        environment[scope + "CHANNELS"] = survey.channels.joined(separator: ",")
        environment[scope + "WEB_SOCKET_URL"] = "ws://127.0.0.1:\(base + 3)/\(session.venue)"
        environment[scope + "REST_URL"] = "http://127.0.0.1:\(base + 3)/\(session.venue)"
        environment[scope + "BOOK_DEPTH"] = "\(survey.depth)"
        if session.venue == .kraken { environment[scope + "INTERFACE"] = survey.krakenInterface.rawValue }
        self.environment = environment
    }

    static let services = ["bus-broker", "venue-simulator", "feed-ingestor", "book-builder"]

    /// Starts one service, or starts it again.
    func start(_ service: String) throws {
        processes[service] = try ChildProcess(
            service, arguments: arguments,
            environment: environment.merging(ChildProcess.withoutBacktrace) { $1 }, folder: folder)
    }

    /// Starts all of them.
    func start() throws {
        for program in programs { try start(program) }
    }

    /// Starts what a subscriber can join: the bus alone, where that can be had.
    ///
    /// Whoever tries to join before that tries ever more rarely: it would miss seconds of what plays at once.
    func startFirst() throws {
        try start(programs[0])
        while let process = processes[programs[0]], !process.errors.contains("msg=Listening") {
            guard process.isRunning else { throw PropertyFailure(process.errors) }
            try ChildProcess.turn()
        }
    }

    /// Starts what is not running yet.
    func startRest() throws {
        for program in programs where processes[program] == nil { try start(program) }
    }

    private var programs: [String] { shape == .separate ? Platform.services : ["bitpal"] }

    /// Ends one as a crash does and starts it again.
    func restart(_ service: String, by signal: Int32 = SIGKILL) async throws {
        await processes[service]?.crash(by: signal)
        try start(service)
    }

    /// Asks all of them to stop; their exit statuses by name.
    func stop() async -> [String: Int32] {
        var statuses: [String: Int32] = [:]
        for service in programs.reversed() {
            guard let process = processes[service] else { continue }
            process.signal(SIGTERM)
            statuses[service] = await process.exitStatus()
        }
        return statuses
    }

    /// The end of what every service logged, for a failure's text.
    var logs: String {
        processes.map { "\($0.key): …\($0.value.errors.suffix(1_500))" }.joined(separator: "\n")
    }

    static func prefix(_ service: String) -> String {
        "BITPAL_" + service.uppercased().replacingOccurrences(of: "-", with: "_") + "_"
    }

    /// The venue's scope as it stands in names of variables: `binanceUSDM` as `BINANCE_USDM`.
    private static func scope(_ venue: Venue) throws -> String {
        var name = ""
        for character in try VenueCatalogue.standard.description(of: venue).scope {
            if character.isUppercase, name.last?.isLowercase == true { name += "_" }
            name.append(character)
        }
        return name.uppercased()
    }

    static func url(of configuration: StoreConfiguration) -> String { configuration.description }
}

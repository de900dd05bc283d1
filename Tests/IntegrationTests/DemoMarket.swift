import Bus
import Foundation
import Instruments
import MarketData
import Store
import Support
import Venues
import Web

/// The synthetic market of one instrument and the services that follow it, each a process.
final class DemoMarket {
    let addresses: BusAddresses
    let configuration: StoreConfiguration
    private let id: InstrumentID
    private let folder: String
    private let base: UInt16
    private let history: VenueCandleHistory
    private let client = HTTPClient()
    private let environment: [String: String]
    private var processes: [String: ChildProcess] = [:]

    /// Prepares it; nothing runs yet.
    init(_ id: InstrumentID, speed: String) async throws {
        self.id = id
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 8)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        configuration = try await TestDatabase.market()
        let simulator = "127.0.0.1:\(base + 3)"
        guard let history = VenueCandleHistory(venue: id.venue, restURL: "http://\(simulator)/\(id.venue)")
        else { throw PropertyFailure("\(id.venue) has no history") }
        self.history = history
        let scope = "BITPAL_FEED_INGESTOR_\(id.venue.rawValue.uppercased())_"
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_DATABASE_URL": configuration.description,
            "BITPAL_VENUE_SIMULATOR_ADDRESS": simulator, "BITPAL_VENUE_SIMULATOR_SPEED": speed,
            "BITPAL_VENUE_SIMULATOR_VENUES": id.venue.rawValue,
            "BITPAL_BOOK_BUILDER_BACKFILL_REST_URL": "http://\(simulator)",
            "BITPAL_FEED_INGESTOR_VENUES": id.venue.rawValue, scope + "SYMBOLS": id.symbol,
            scope + "WEB_SOCKET_URL": "ws://\(simulator)/\(id.venue)",
            scope + "REST_URL": "http://\(simulator)/\(id.venue)",
        ]
        for (offset, service) in Platform.services.enumerated() {
            environment["\(Platform.prefix(service))OPERATIONS_ADDRESS"] =
                "127.0.0.1:\(base + 4 + UInt16(offset))"
        }
        self.environment = environment
    }

    /// Starts services; feed-ingestor perhaps with an address of REST routes where nothing is.
    func start(_ services: [String], withoutREST: Bool = false) throws {
        var environment = environment
        if withoutREST {
            for key in environment.keys where key.hasPrefix("BITPAL_FEED") && key.hasSuffix("_REST_URL") {
                environment[key] = "http://127.0.0.1:\(base + 3)/\(id.venue)/nothing"
            }
        }
        for service in services {
            processes[service] = try ChildProcess(service, environment: environment, folder: folder)
        }
    }

    /// Ends a service as a crash does.
    func kill(_ service: String) async { await processes.removeValue(forKey: service)?.crash() }

    /// The venue's own candles of a minute that are over, earliest first; none until it answers, and why not.
    func venueMinutes(
        from: Timestamp, to: Timestamp
    ) async throws -> (candles: [HistoryCandle], problem: String) {
        let minute: Int64 = 60_000_000_000
        let start = Timestamp(nanoseconds: (from.nanoseconds + minute - 1) / minute * minute)
        let page = history.page(of: id.symbol, seconds: 60, from: start, to: to)
        let response: HTTPResponse
        do throws(WebError) {
            response = try await client.get(page.url)
        } catch {
            return ([], error.description)
        }
        guard response.status == 200 else { return ([], "status \(response.status)") }
        let candles = try response.body.withUnsafeBytes {
            try history.parse($0, of: page, at: Timestamp(nanoseconds: .max))
        }
        return (candles, "")
    }

    /// Stops everything; the exit statuses.
    func stop() async -> [Int32] {
        var statuses: [Int32] = []
        for process in processes.values {
            process.signal(SIGTERM)
            statuses.append(await process.exitStatus())
        }
        return statuses
    }

    /// The ends of what was logged, for a failure's text.
    var logs: String {
        processes.map { "\($0.key): …\($0.value.errors.suffix(1_500))" }.joined(separator: "\n")
    }
}

import Bus
import Foundation
import Instruments
import Store
import Support

/// A broker, the synthetic market of two venues, and feed-ingestors that share these, each a process.
final class FeedFleet {
    static let instruments = [
        InstrumentID(venue: .kraken, symbol: "BTC/USD"), InstrumentID(venue: .binance, symbol: "BTCUSDT"),
    ]

    let addresses: BusAddresses
    let configuration: StoreConfiguration
    private let folder: String
    private let base: UInt16
    private let environment: [String: String]
    private var processes: [String: ChildProcess] = [:]

    /// Prepares it; nothing runs yet.
    init(leases: String) async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 10)
        addresses = try BusAddresses(base: "tcp://127.0.0.1:\(base)")
        configuration = try await TestDatabase.market()
        let simulator = "127.0.0.1:\(base + 3)"
        let venues = Self.instruments.map(\.venue.rawValue).joined(separator: ",")
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_DATABASE_URL": configuration.description,
            "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
            "BITPAL_VENUE_SIMULATOR_ADDRESS": simulator, "BITPAL_VENUE_SIMULATOR_VENUES": venues,
            "BITPAL_VENUE_SIMULATOR_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 5)",
            "BITPAL_FEED_INGESTOR_VENUES": venues, "BITPAL_FEED_INGESTOR_LEASES_DURATION": leases,
        ]
        for id in Self.instruments {
            let scope = "BITPAL_FEED_INGESTOR_\(id.venue.rawValue.uppercased())_"
            environment[scope + "SYMBOLS"] = id.symbol
            environment[scope + "WEB_SOCKET_URL"] = "ws://\(simulator)/\(id.venue)"
            environment[scope + "REST_URL"] = "http://\(simulator)/\(id.venue)"
        }
        self.environment = environment
    }

    /// Starts the broker and the market.
    func startMarket() throws {
        for service in ["bus-broker", "venue-simulator"] {
            processes[service] = try ChildProcess(service, environment: environment, folder: folder)
        }
    }

    /// Starts the feed-ingestor of a place.
    func start(_ place: Int) throws {
        let address = ["BITPAL_FEED_INGESTOR_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 6 + UInt16(place))"]
        processes[Self.name(place)] = try ChildProcess(
            "feed-ingestor", environment: environment.merging(address) { $1 }, folder: folder)
    }

    /// The instance that runs at a place; `nil` until it says which it is.
    func instance(_ place: Int) -> String? {
        let words = processes[Self.name(place)]?.errors.split(whereSeparator: { " \n".contains($0) }) ?? []
        return words.first { $0.hasPrefix("instance=") }.map { String($0.dropFirst("instance=".count)) }
    }

    /// Ends the feed-ingestor of a place as a crash does.
    func kill(_ place: Int) async { await processes.removeValue(forKey: Self.name(place))?.crash() }

    /// Asks the feed-ingestor of a place to stop; its exit status.
    func stop(_ place: Int) async -> Int32 {
        let process = processes.removeValue(forKey: Self.name(place))
        process?.signal(SIGTERM)
        return await process?.exitStatus() ?? -1
    }

    /// Asks all that run to stop; their exit statuses.
    func stop() async -> [Int32] {
        var statuses: [Int32] = []
        for name in processes.keys.sorted().reversed() {
            processes[name]?.signal(SIGTERM)
            statuses.append(await processes[name]?.exitStatus() ?? -1)
        }
        return statuses
    }

    /// The ends of what was logged, for a failure's text.
    var logs: String {
        processes.map { "\($0.key): …\($0.value.errors.suffix(1_500))" }.joined(separator: "\n")
    }

    private static func name(_ place: Int) -> String { "feed-ingestor \(place)" }
}

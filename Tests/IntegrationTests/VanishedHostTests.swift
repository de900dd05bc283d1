import Bus
import Foundation
import Support
import Testing
import Wire

/// A machine is gone from one moment to the next, and no kernel says a word about it.
@Suite(
    "A host that vanishes", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: NetworkNamespace.isPermitted, "network namespaces need root and `ip`"))
struct VanishedHostTests {
    /// Two machines and a folder, of which nothing is left afterwards.
    private static func run(
        _ number: Int, _ body: (IsolatedNetwork, String) async throws -> Void
    ) async throws {
        let network = IsolatedNetwork(number)
        defer { network.remove() }
        try network.prepare()
        try await body(network, try TestDatabase.temporaryDirectory())
    }

    /// A feed of one book that stores nothing.
    private static func feed(of venue: String) -> [String: String] {
        let scope = "BITPAL_FEED_INGESTOR_"
        return [
            scope + "VENUES": "kraken", scope + "STORE_ENABLED": "false",
            scope + "KRAKEN_SYMBOLS": "BTC/USD", scope + "KRAKEN_WEB_SOCKET_URL": "ws://\(venue)/kraken",
            scope + "KRAKEN_REST_URL": "http://\(venue)/kraken",
        ]
    }

    /// Suspends until something is true of a process that runs.
    private static func wait(for process: ChildProcess, _ holds: () -> Bool) async throws {
        try await eventually {
            guard process.isRunning else { throw PropertyFailure(process.errors) }
            return holds()
        }
    }

    @Test("and comes back at its address is found again by those who publish and those who subscribe")
    func broker() async throws {
        try await Self.run(0) { network, folder in
            let keys = KeyFolder(folder + "/keys")
            try keys.make()
            try keys.add("test", .unlimited)
            let bus = ["BITPAL_BUS": "tcp://\(IsolatedNetwork.address):7411"]
            let client = bus.merging(["BITPAL_BUS_KEY_FILE": keys.keyFile(of: "test")]) { $1 }
            let server = bus.merging(["BITPAL_BUS_KEY_FILE": keys.keyFile(of: KeyFolder.broker)]) { $1 }
            // It says each second that there is no venue.
            let feed = try network.near.start(
                "feed-ingestor", environment: client.merging(Self.feed(of: "127.0.0.1:9")) { $1 },
                folder: folder)
            var reader: ChildProcess?
            for round in 1...3 {
                try network.appear()
                let heard = reader?.count("\"retained\":false") ?? 0
                let broker = try network.far.start("bus-broker", environment: server, folder: folder)
                try await Self.wait(for: feed) { feed.errors.count("Broker appeared") >= round }
                let follower =
                    try reader
                    ?? network.near.start(
                        "bitpal", arguments: ["sub", "feed.status.", "--json"], environment: client,
                        folder: folder)
                reader = follower
                try await Self.wait(for: follower) { follower.count("\"retained\":false") > heard }
                #expect(broker.isRunning)
                try network.vanish()
                _ = await broker.exitStatus()
                try await Self.wait(for: feed) { feed.errors.count("Broker lost") >= round }
            }
        }
    }

    @Test("and comes back elsewhere is found again by its name by a feed that only listens")
    func venue() async throws {
        try await Self.run(1) { network, folder in
            // The broker takes a socket only where nobody else can come.
            chmod(folder, 0o700)
            let bus = ["BITPAL_BUS": "ipc://\(folder)/bus"]
            try network.near.know("venue.test", at: IsolatedNetwork.address)
            try network.appear()
            var venue = try Self.startVenue(in: network, at: IsolatedNetwork.address, folder)
            _ = try network.near.start("bus-broker", environment: bus, folder: folder)
            let feed = try network.near.start(
                "feed-ingestor", environment: bus.merging(Self.feed(of: "venue.test:7430")) { $1 },
                folder: folder)
            let subscriber = try Subscriber(
                context: BusContext(),
                configuration: SubscriberConfiguration(
                    name: "test", addresses: BusAddresses(base: "ipc://\(folder)/bus"),
                    prefixes: ["feed.status."]),
                logger: TestDatabase.logger)
            try await running([subscriber]) {
                var batches = subscriber.batches.makeAsyncIterator()
                let before = try await Self.status(&batches, feed) { _ in true }
                try network.vanish()
                _ = await venue.exitStatus()
                try network.near.know("venue.test", at: IsolatedNetwork.otherAddress)
                try network.appear(at: IsolatedNetwork.otherAddress)
                venue = try Self.startVenue(in: network, at: IsolatedNetwork.otherAddress, folder)
                let after = try await Self.status(&batches, feed) { $0.reconnects > before.reconnects }
                #expect(after.lastReceivedUnixNanos > before.lastReceivedUnixNanos)
                #expect(venue.isRunning)
            }
        }
    }

    private static func startVenue(
        in network: IsolatedNetwork, at address: String, _ folder: String
    ) throws -> ChildProcess {
        try network.far.start(
            "venue-simulator",
            environment: [
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "\(address):7430",
                "BITPAL_VENUE_SIMULATOR_INTERVAL": "100ms", "BITPAL_VENUE_SIMULATOR_VENUES": "kraken",
            ], folder: folder)
    }

    /// The next time that a feed says of itself that its book is live, and something holds.
    private static func status(
        _ batches: inout BusBatches.Iterator, _ feed: ChildProcess,
        where holds: (Bitpal_V1_FeedStatus) -> Bool
    ) async throws -> Bitpal_V1_FeedStatus {
        while let batch = await batches.next(isolation: #isolation) {
            guard feed.isRunning else { throw PropertyFailure(feed.errors) }
            for case .message(let message) in batch.events {
                guard case .feedStatus(let status) = try batch.decode(message) else { continue }
                if status.state == .live, status.booksLive == 1, holds(status) { return status }
            }
        }
        throw PropertyFailure("the subscriber ended: \(feed.errors)")
    }
}

extension ChildProcess {
    /// How often it wrote a text to standard output.
    fileprivate func count(_ text: String) -> Int { output.count(text) }
}

extension String {
    fileprivate func count(_ text: String) -> Int { components(separatedBy: text).count - 1 }
}

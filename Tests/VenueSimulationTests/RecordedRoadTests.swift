import Instruments
import Logging
import MarketData
import NIOPosix
import Operations
import Recordings
import ServiceLifecycle
import Support
import Testing
import Venues

@testable import VenueSimulation

/// Every recording whose venue has a dialect, over real sockets: what arrives at a session of ours is what an
/// independent program made of the recording.
@Suite(
    "Recordings over sockets", .enabled(if: RecordingsFolder.isAvailable), .serialized,
    .timeLimit(.minutes(10)))
struct RecordedRoadTests {
    @Test("the final books and the number of trades are those expected", arguments: ExpectedBooks.names)
    func whole(name: String) async throws {
        let expected = try ExpectedBooks(name)
        var serving = VenueSimulatorConfiguration(
            address: NetworkAddress(host: "127.0.0.1", port: 0),
            recordings: [try #require(RecordingsFolder.file(name))], speed: .maximum)
        // What a busy machine asks for late would be less deep than what was recorded.
        serving.patience = .seconds(300)
        let simulator = try VenueSimulator(
            configuration: serving,
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
            services: [simulator], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let configurations = try await simulator.venueConfigurations()
            let configuration = try #require(configurations.first)
            let client = SocketClient(configuration)
            try await client.run { client in
                // The last message of the recording may be a trade's.
                guard client.trades >= expected.trades else { return false }
                return try expected.symbols.allSatisfy {
                    try expected.difference($0, client.book($0)) == nil
                }
            }
            var differences: [String] = []
            for symbol in expected.symbols {
                let book = await client.book(symbol)
                if let difference = try expected.difference(symbol, book) { differences.append(difference) }
            }
            #expect(differences == [])
            let trades = await client.trades
            #expect(trades == expected.trades)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

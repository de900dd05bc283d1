import Foundation
import Instruments
import Logging
import MarketStore
import NIOCore
import NIOPosix
import Operations
import ServiceLifecycle
import Store
import Support
import Testing
import VenueSimulation
import Web

@testable import OperatorCommands

/// The command against the built-in market, as in the demo.
@Suite("Backfill from the simulator", .timeLimit(.minutes(10)))
struct BackfillDemoTests {
    private static func serving(
        started: Timestamp, _ body: @Sendable (Int) async throws -> Void
    ) async throws {
        let simulator = try VenueSimulator(
            configuration: VenueSimulatorConfiguration(
                address: NetworkAddress(host: "127.0.0.1", port: 0), speed: .times(15)),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, started: started, logger: .silent)
        let group = ServiceGroup(services: [simulator], logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await body(try await simulator.bound().port)
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test(
        "every minute of the market is fetched once",
        arguments: [(Venue.bitmex, "XBTUSD"), (.kraken, "BTC/USD")])
    func minutes(_ venue: Venue, _ symbol: String) async throws {
        let configuration = try await TestDatabase.market()
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        let id = InstrumentID(venue: venue, symbol: symbol)
        let instrument = Instrument(
            id: id, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
            priceScale: try #require(Scale(1)), sizeScale: try #require(Scale(8)))
        try await database.store([instrument], at: .zero)
        // A quarter of an hour ago, at the begin of a minute.
        let minute: Int64 = 60_000_000_000
        let begin = Timestamp(nanoseconds: (Timestamp.now.nanoseconds / minute - 15) * minute)
        let end = begin.adding(nanoseconds: 2 * minute)
        let tool = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        try await Self.serving(started: begin) { port in
            let path = venue == .bitmex ? "bitmex/realtime" : "kraken/v2"
            let client = try await WebSocketConnection.connect(
                to: "ws://127.0.0.1:\(port)/\(path)", on: MultiThreadedEventLoopGroup.singleton.next(),
                receive: { _ in .more })
            client.resume()
            // The market's clock starts with the first subscription.
            client.send(
                text: venue == .bitmex
                    ? #"{"op":"subscribe","args":["trade:XBTUSD"]}"#
                    : #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"]}}"#)
            let arguments = [
                "candles", venue.rawValue, symbol, "--interval", "1m", "--backfill", "--from", begin.plain,
                "--to",
                end.plain, "--rest-url", "http://127.0.0.1:\(port)/\(venue.rawValue)", "--json",
            ]
            // Two minutes of the market are over after eight seconds of ours.
            var outcome = try await tool.run(arguments)
            while outcome.status == 0, outcome.lines.count < 2 { outcome = try await tool.run(arguments) }
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.lines.count == 2)
            #expect(
                outcome.lines.allSatisfy {
                    $0.contains(#""complete":true,"amended":false,"from_venue":true}"#)
                })
            let again = try await tool.run(arguments)
            #expect(again.output == outcome.output)
            #expect(again.errors == "bitpal: \(id) 1m: nothing is missing\n")
            client.close(code: 1000, reason: "")
            _ = await client.closed()
        }
        await database.close()
    }
}

import Bus
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing

/// The harness of candles itself: a trade that was stored is taken away before a builder is killed, which
/// goes on from what is stored.
@Suite("Faults planted in what the harness of candles looks at", .serialized, .timeLimit(.minutes(30)))
struct PlantedTradeTests {
    private static let rounds = 30
    /// The round after which the builder is killed: none of its trades is late.
    private static let crash = 8

    /// What the harness says of the candles of a builder that was killed: `nil` where they are those of all
    /// trades that were said.
    private static func fault(drops: Bool) async throws -> String? {
        let fleet = try await BuilderFleet(leases: "1s")
        let publisher = try fleet.feed()
        let database = Database(configuration: fleet.configuration, logger: TestDatabase.logger)
        var fault: String?
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            var tape = try await SeededTape(3, publisher, database, seed: 1)
            try fleet.start(0)
            try await eventuallyNothing { try await fleet.idleness(0, in: database) }
            var dropped: (instrument: InstrumentID, trade: Trade)?
            for round in 0..<rounds {
                try await tape.round()
                guard round == crash else { continue }
                if drops, let last = tape.last {
                    dropped = last
                    try await remove(last.trade, from: database)
                }
                await fleet.kill(0)
                try fleet.start(0)
                try await eventuallyNothing { try await fleet.idleness(0, in: database) }
            }
            try await tape.close()
            let stored = try await tape.expected()
            var made: [StoredCandle: CandleRow] = [:]
            try await eventuallyNothing {
                made = try await tape.candles()
                let other = CandleDifference.text(made, stored) { $0.hasNumbers(of: $1) }
                return other.map { "\($0); \(fleet.presence)" }
            }
            // What was said is the truth, whatever became of it.
            var batch = TradeBatch()
            if let dropped { batch.append(dropped.trade, of: dropped.instrument) }
            _ = try await database.insert(batch)
            let said = try await tape.expected()
            fault = CandleDifference.text(made, said) { $0.hasNumbers(of: $1) }
            group.cancelAll()
        }
        await database.close()
        #expect(await fleet.stop().allSatisfy { $0 == 0 }, "\(fleet.logs)")
        return fault
    }

    private static func remove(_ trade: Trade, from database: Database) async throws {
        let removed = try await database.rows(
            "DELETE FROM market.trade WHERE trade_id = \(trade.id) RETURNING trade_id"
        ) { try $0.text() }
        try #require(removed == [trade.id])
    }

    @Test("there are none where nothing is planted")
    func sound() async throws { #expect(try await Self.fault(drops: false) == nil) }

    @Test("a stored trade that is lost before a crash is found")
    func lost() async throws {
        let fault = try #require(try await Self.fault(drops: true))
        #expect(fault.contains(" candles differ; "), "\(fault)")
    }
}

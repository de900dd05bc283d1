import Instruments
import Portfolio
import Store
import Support
import Testing

@testable import PortfolioStore

@Suite("A change of a ledger's past", .timeLimit(.minutes(10)))
struct LedgerProofTests {
    private typealias Fixture = PortfolioFixture

    /// Makes rows of some hours unreadable, so that whoever reads one fails.
    private static func spoil(_ database: Database, from hour: Int64) async throws {
        let time = try Fixture.row(.deposit, "1", hour: hour).time.nanoseconds
        try await database.transaction { session in
            try session.script("ALTER TABLE portfolio.revision DISABLE TRIGGER USER")
            try session.execute("UPDATE portfolio.revision SET lots = '{broken}' WHERE time >= \(time)")
            try session.script("ALTER TABLE portfolio.revision ENABLE TRIGGER USER")
        }
    }

    @Test("reads nothing of what follows where that cannot break")
    func unread() async throws {
        let database = try await Fixture.database()
        let id = try await database.make()
        var rows = [try Fixture.row(.deposit, "5", hour: 10)]
        for hour in 11...40 {
            rows.append(try Fixture.row(hour % 2 == 0 ? .buy : .sell, "1", for: "9", hour: Int64(hour)))
        }
        _ = try await database.add(rows, to: id)
        try await Self.spoil(database, from: 11)
        // Comes in, is bought with money and a fee of a coin that is there, leaves again, and is enough.
        _ = try await database.add([try Fixture.row(.deposit, "1", "ETH", hour: 1)], to: id)
        var bought = try Fixture.row(.buy, "2", for: "100", hour: 2)
        bought.fee = Holding(try Fixture.amount("0.5"), Asset(rawValue: "ETH"))
        _ = try await database.add([bought], to: id)
        _ = try await database.add([try Fixture.row(.withdrawal, "1", hour: 12)], to: id)
        var moved = try Fixture.row(.transfer, "1", hour: 10)
        moved.toWallet = "Kraken"
        _ = try await database.add([moved], to: id)
        _ = try await database.edit(1, in: id) { $0.note = "words" }
        let sums = try await StoredSums(of: id, in: database)
        #expect(
            sums.balances.map { "\($0.wallet) \($0.holding.amount) \($0.holding.asset)" } == [
                "Cold 5 BTC", "Cold 0.5 ETH", "Cold -100 USD", "Kraken 1 BTC",
            ])
        #expect(sums.isCurrent && sums.uses["BTC"] == 34)
        await database.close()
    }

    @Test("that takes what a later row needs is refused, and says which row")
    func breaks() async throws {
        let database = try await Fixture.database()
        let id = try await database.make()
        _ = try await database.add(
            [
                try Fixture.row(.deposit, "5", hour: 1), try Fixture.row(.sell, "4", for: "9", hour: 5),
                try Fixture.row(.buy, "9", for: "9", hour: 6),
            ], to: id)
        let refused = await refusal {
            try await database.add([try Fixture.row(.withdrawal, "1.5", hour: 2)], to: id)
        }
        guard case .breaks(let number, _)? = refused?.reason else { return #expect(refused == nil) }
        #expect(number == 2)
        _ = try await database.add([try Fixture.row(.withdrawal, "1", hour: 2)], to: id)
        await database.close()
    }

    /// A fund of rows at few instants, which need each other in any order.
    private static func row(_ rng: inout SeededGenerator) throws -> Transaction {
        let kind = rng.pick([
            TransactionKind.buy, .sell, .swap, .swap, .deposit, .withdrawal, .transfer, .fee, .staking,
        ])
        let assets = ["BTC", "ETH", "SOL", "USD"]
        var row = try Fixture.row(
            kind, "\(rng.int(1...6))", rng.pick(assets), hour: Int64(rng.int(0...4)),
            wallet: rng.pick(["Cold", "Kraken"]))
        if kind.isExchange {
            let others = assets.filter { $0 != row.subject.asset.rawValue }
            row.counter = Holding(try Fixture.amount("\(rng.int(1...6))"), Asset(rawValue: rng.pick(others)))
        }
        if kind == .transfer { row.toWallet = row.wallet == "Cold" ? "Kraken" : "Cold" }
        if rng.chance(20) { row.fee = Holding(.one, Asset(rawValue: rng.pick(assets))) }
        return row
    }

    @Test("is taken where the whole ledger holds together afterwards, and else refused")
    func model() async throws {
        let database = try await Fixture.database(connections: 1)
        var (taken, refused) = (0, 0)
        for seed in 1...60 as ClosedRange<UInt64> {
            var rng = SeededGenerator(seed: seed)
            let id = try await database.make(seed)
            for step in 0..<25 {
                let known = try await database.ledger(id)
                var rows = known.map(\.transaction)
                let new = try Self.row(&rng)
                let edited = !known.isEmpty && rng.chance(40) ? rng.int(0...(known.count - 1)) : nil
                if let edited { rows[edited] = new } else { rows.append(new) }
                let isRight = (try? Ledger(rows)) != nil
                var isStored = true
                do {
                    if let edited {
                        _ = try await database.edit(known[edited].number, in: id) { $0 = new }
                    } else {
                        _ = try await database.add([new], to: id)
                    }
                } catch let error as StoreError {
                    guard error.bodyError is PortfolioRefused else { throw error }
                    isStored = false
                }
                let sums = try await StoredSums(of: id, in: database)
                let stored = try await database.ledger(id).map(\.transaction)
                let expected = try StoredSums(of: stored)
                guard isStored == isRight, stored.isEmpty || sums == expected else {
                    Issue.record("seed \(seed), step \(step): \(isStored), \(isRight): \(new) into \(rows)")
                    return
                }
                if isStored { taken += 1 } else { refused += 1 }
            }
        }
        #expect(taken > 300 && refused > 100, "\(taken) taken, \(refused) refused")
        await database.close()
    }
}

import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// What is stored of what a ledger comes to.
struct StoredSums: Equatable {
    var balances: [Balance]
    var uses: [String: Int64]
    /// Whether it is that of the last change.
    var isCurrent = true

    init(of rows: [Transaction]) throws {
        balances = try Ledger(rows).balances()
        uses = [:]
        for row in rows {
            for asset in [row.subject.asset, row.counter?.asset, row.fee?.asset] {
                if let asset { uses[asset.rawValue, default: 0] += 1 }
            }
        }
    }

    init(of id: PortfolioID, in database: Database) async throws {
        balances = try await database.rows(
            """
            SELECT wallet, asset, amount FROM portfolio.balance WHERE portfolio_id = \(id)
            ORDER BY wallet COLLATE "C", asset COLLATE "C"
            """
        ) { row in
            let (wallet, asset) = (try row.text(), Asset(rawValue: try row.text()))
            return Balance(wallet: wallet, holding: Holding(try row.amount(), asset))
        }
        let counted = try await database.rows(
            "SELECT asset, uses FROM portfolio.asset_use WHERE portfolio_id = \(id)"
        ) { row in (try row.text(), try row.int64()) }
        uses = Dictionary(uniqueKeysWithValues: counted)
        isCurrent = try await database.withSession { session in
            try session.exists(
                "SELECT FROM portfolio.portfolio WHERE portfolio_id = \(id) AND balanced = change")
        }
    }
}

@Suite("What a ledger comes to", .timeLimit(.minutes(10)))
struct CheckpointTests {
    private static func expectSums(
        _ id: PortfolioID, _ database: Database, at location: SourceLocation = #_sourceLocation
    ) async throws {
        let rows = try await database.ledger(id).map(\.transaction)
        let (stored, wanted) = (try await StoredSums(of: id, in: database), try StoredSums(of: rows))
        #expect(stored == wanted, sourceLocation: location)
    }

    @Test("is kept with each change of transactions and of lots, and by an import")
    func kept() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add(
            [
                try PortfolioFixture.row(.deposit, "1000", "USD", hour: 1),
                try PortfolioFixture.row(.buy, "2", for: "100", hour: 2),
            ], to: id)
        try await Self.expectSums(id, database)
        _ = try await database.importFile(
            [try PortfolioFixture.row(.buy, "3", "ETH", for: "50", hour: 1, wallet: "Kraken")], to: id)
        try await Self.expectSums(id, database)
        try await database.transaction { session in
            try session.setLots(
                [LotPolicy.Change(from: .zero, method: .lifo, scope: .wallet)], of: id,
                of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        try await Self.expectSums(id, database)
        let less = try PortfolioFixture.amount("1.5")
        _ = try await database.edit(2, in: id) { $0.subject.amount = less }
        try await Self.expectSums(id, database)
        try await database.transaction { session in
            try session.removeTransactions(
                [3], from: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        try await Self.expectSums(id, database)
        await database.close()
    }

    @Test("is what a change goes on from: nothing before it is read")
    func goesOn() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.deposit, "1", hour: 1)], to: id)
        // Nobody could write this; whoever reads the row above finds 1 and no 5.
        try await database.execute("UPDATE portfolio.balance SET amount = 5 WHERE portfolio_id = \(id)")
        _ = try await database.add([try PortfolioFixture.row(.withdrawal, "4", hour: 2)], to: id)
        #expect(try await StoredSums(of: id, in: database).balances.map(\.holding.amount) == [.one])
        let refused = await refusal {
            try await database.add([try PortfolioFixture.row(.withdrawal, "2", hour: 2)], to: id)
        }
        let reason = LedgerError.Reason.shortfall(
            wallet: "Cold", asset: PortfolioFixture.bitcoin, available: .one,
            wanted: try PortfolioFixture.amount("2"))
        guard case .ledger(let error)? = refused?.reason else { return #expect(refused == nil) }
        #expect(error.reason == reason && refused?.index == 0)
        await database.close()
    }

    @Test("is made anew after a change by a program that does not know it")
    func madeAnew() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.deposit, "1", hour: 1)], to: id)
        try await database.transaction { session in
            try session.script(
                """
                UPDATE portfolio.portfolio SET change = 2, last_number = 2;
                INSERT INTO portfolio.change SELECT portfolio_id, 2, changed_at, 'added'
                FROM portfolio.portfolio;
                INSERT INTO portfolio.revision
                SELECT portfolio_id, 2, 1, 2, NULL, time, kind, wallet, to_wallet, 'ETH', 7, counter_asset,
                    counter_amount, fee_asset, fee_amount, external_id, note, tags, price_source, lots
                FROM portfolio.revision
                """)
        }
        #expect(try await !StoredSums(of: id, in: database).isCurrent)
        _ = try await database.add([try PortfolioFixture.row(.withdrawal, "6", "ETH", hour: 3)], to: id)
        try await Self.expectSums(id, database)
        await database.close()
    }

    @Test("of the past changes with a row that is put there, and breaks what follows where it would")
    func past() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add(
            [
                try PortfolioFixture.row(.deposit, "5", hour: 1),
                try PortfolioFixture.row(.withdrawal, "4", hour: 9),
            ], to: id)
        let refused = await refusal {
            try await database.add([try PortfolioFixture.row(.withdrawal, "2", hour: 3)], to: id)
        }
        guard case .breaks(let number, _)? = refused?.reason else { return #expect(refused == nil) }
        #expect(number == 2 && refused?.index == nil)
        _ = try await database.add([try PortfolioFixture.row(.withdrawal, "1", hour: 3)], to: id)
        try await Self.expectSums(id, database)
        await database.close()
    }
}

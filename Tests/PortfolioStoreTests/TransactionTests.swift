import AccountStore
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Stored transactions", .timeLimit(.minutes(10)))
struct TransactionTests {
    @Test("come back as they went in, to the last decimal")
    func roundTrip() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        var rows = [
            try PortfolioFixture.row(.buy, "1000000000000000000000000000000", "SHIB", for: "0.01", hour: 1),
            try PortfolioFixture.row(.deposit, "0.000000000000000001", "ETH", hour: 2, id: "d;1"),
        ]
        rows[0].fee = Holding(try PortfolioFixture.amount("0.000000000000000001"), Asset(rawValue: "SHIB"))
        rows[0].note = "a \"note\"\nof two lines, ₿"
        rows[0].tags = ["a", "b c"]
        rows[0].priceSource = "invoice"
        rows[1].lots = [LotChoice(acquiredBy: "x=1", amount: try PortfolioFixture.amount("0.5"))]
        let added = try await database.add(rows, to: id)
        #expect(added.numbers == 1...2)
        let stored = try await database.ledger(id)
        #expect(stored.map(\.transaction) == rows)
        #expect(
            stored.map(\.transaction.subject.amount.description) == rows.map(\.subject.amount.description))
        #expect(stored.map(\.revision) == [1, 1] && stored.map(\.change) == [1, 1])
        await database.close()
    }

    @Test("are refused as a whole when one takes more than is there, naming wallet, shortfall and time")
    func shortfall() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let rows = [
            try PortfolioFixture.row(.buy, "1", for: "100", hour: 1),
            try PortfolioFixture.row(.sell, "1.5", for: "200", hour: 2),
        ]
        let refused = await refusal { try await database.add(rows, to: id) }
        #expect(refused?.index == 1)
        #expect(
            refused?.description
                == "wallet \"Cold\" is short of 0.5 BTC at 2025-01-01T02:00:00Z: it holds 1 and 1.5 leaves")
        #expect(try await database.ledger(id).isEmpty)
        await database.close()
    }

    @Test("that later ones need cannot be removed or made smaller")
    func needed() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let rows = [
            try PortfolioFixture.row(.buy, "2", for: "100", hour: 1),
            try PortfolioFixture.row(.sell, "1.5", for: "200", hour: 2),
        ]
        _ = try await database.add(rows, to: id)
        let words = "transaction 2, which is stored, would not fit any more: wallet \"Cold\" is short of "
        let removal = await refusal {
            try await database.transaction { session in
                try session.removeTransactions(
                    [1], from: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
            }
        }
        #expect(removal?.description.hasPrefix(words + "1.5 BTC") == true)
        let smaller = await refusal { try await database.edit(1, in: id) { $0.subject.amount = .one } }
        #expect(smaller?.description.hasPrefix(words + "0.5 BTC") == true)
        #expect(try await database.ledger(id).map(\.transaction) == rows)
        await database.close()
    }

    @Test("are edited and removed without losing what they were: any past moment comes back")
    func history() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let first = try PortfolioFixture.row(.buy, "2", for: "100", hour: 1)
        _ = try await database.add([first], to: id)
        _ = try await database.edit(1, in: id, at: PortfolioFixture.now.adding(nanoseconds: 5_000)) {
            $0.note = "x"
        }
        // A clock that goes back does not put a change before an earlier one.
        try await database.transaction { session in
            try session.removeTransactions(
                [1], from: id, of: PortfolioFixture.user, at: PortfolioFixture.now.adding(nanoseconds: -9_000)
            )
        }
        #expect(try await database.ledger(id).isEmpty)
        #expect(try await database.ledger(id, after: 1).map(\.transaction.note) == [""])
        #expect(try await database.ledger(id, after: 2).map(\.transaction.note) == ["x"])
        #expect(try await database.ledger(id, after: 0).isEmpty)
        let history = try await database.withSession {
            try $0.transactionHistory(1, of: id, by: PortfolioFixture.user)
        }
        #expect(history.map(\.revision) == [1, 2] && history.map(\.superseded) == [2, 3])
        let moments: [Int64] = [-1_000, 1_000, 5_000, 60_000_000_000]
        var changes: [Int64] = []
        for moment in moments {
            let time = PortfolioFixture.now.adding(nanoseconds: moment)
            changes.append(
                try await database.withSession {
                    try $0.lastChange(of: id, by: PortfolioFixture.user, at: time)
                })
        }
        #expect(changes == [0, 1, 2, 3])
        await database.close()
    }

    @Test("with a known external id are left out when they say the same, and refused when they do not")
    func externalIDs() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let row = try PortfolioFixture.row(.buy, "2", for: "100", hour: 1, id: "a")
        _ = try await database.add([row], to: id)
        let again = try await database.add(
            [row, try PortfolioFixture.row(.buy, "1", for: "5", hour: 2)], to: id)
        #expect(again.duplicates == [0] && again.added == [1] && again.numbers == 2...2)
        var other = row
        other.note = "x"
        let refused = await refusal { try await database.add([other], to: id) }
        #expect(refused?.reason == .conflictingID("a", number: 1))
        let taken = await refusal { try await database.edit(2, in: id) { $0.externalID = "a" } }
        #expect(taken?.reason == .conflictingID("a", number: 1))
        #expect(try await database.ledger(id).count == 2)
        await database.close()
    }

    @Test(
        "are refused with the field, its value and what is accepted",
        arguments: [
            ("wallet", "Krakn", "field \"wallet\" is \"Krakn\": accepted is \"Cold\", \"Kraken\""),
            (
                "external_id", "a\nb",
                "field \"external_id\" is \"a\nb\": accepted is one line of at most 512 bytes, "
                    + "without blanks around it"
            ),
        ])
    func faults(field: String, value: String, words: String) async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        var row = try PortfolioFixture.row(.buy, "2", for: "100", hour: 1)
        if field == "wallet" { row.wallet = value } else { row.externalID = value }
        let sent = row
        let refused = await refusal { try await database.add([sent], to: id) }
        #expect(refused?.description == words)
        await database.close()
    }

    @Test("in another spelling of a known asset are refused")
    func spelling() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", for: "100", hour: 1)], to: id)
        let row = try PortfolioFixture.row(.buy, "2", "btc", for: "100", hour: 2)
        let refused = await refusal { try await database.add([row], to: id) }
        #expect(refused?.description == "field \"asset\" is \"btc\": accepted is \"BTC\", as before")
        #expect(refused?.index == 0)
        await database.close()
    }

    @Test("never change in the database, whoever tries")
    func appendOnly() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", for: "100", hour: 1)], to: id)
        for sql in [
            "UPDATE portfolio.revision SET amount = 3", "DELETE FROM portfolio.revision",
            "UPDATE portfolio.revision SET superseded = 9, note = 'x'",
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await database.withSession { session in try session.script(sql) }
            }
            #expect(error?.sqlState == "23001")
        }
        await database.close()
    }

    @Test("of two writers at once hold together: what both would take is there for one only")
    func writers() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.buy, "10", for: "100", hour: 1)], to: id)
        let sale = try PortfolioFixture.row(.sell, "3", for: "100", hour: 2)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask { (try? await database.add([sale], to: id)) != nil }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 } == 3)
        let rows = try await database.ledger(id)
        #expect(rows.map(\.number) == [1, 2, 3, 4])
        #expect(try Ledger(rows.map(\.transaction)).balances()[0].holding.amount == .one)
        await database.close()
    }
}

extension Database {
    func edit(
        _ number: Int64, in id: PortfolioID, at now: Timestamp = PortfolioFixture.now,
        _ edit: @escaping @Sendable (inout Transaction) -> Void
    ) async throws -> StoredTransaction {
        try await transaction { session in
            try session.editTransaction(number, in: id, of: PortfolioFixture.user, at: now) { old in
                var row = old
                edit(&row)
                return row
            }
        }
    }
}

import AccountStore
import Accounts
import Instruments
import Store
import Support
import Testing

@Suite("What is made before anybody has an account", .timeLimit(.minutes(10)))
struct TerminalTests {
    private static func names(of user: UserID, in database: Database) async throws -> [String] {
        try await database.watchlists(of: user).map(\.name)
    }

    private static func make(
        _ number: UInt64, _ name: String, of user: UserID, in database: Database
    ) async throws {
        try await database.transaction { session in
            _ = try session.createWatchlist(
                StoreFixture.id(number), named: name, of: user, at: StoreFixture.now)
        }
    }

    @Test("becomes the first operator's with the account, nobody else's, under names that are free")
    func adopted() async throws {
        let (database, _) = try await StoreFixture.database()
        let long = String(repeating: "ä", count: 32)
        for (number, name) in [(10, "Coins"), (11, long), (12, "Own")] as [(UInt64, String)] {
            try await Self.make(number, name, of: .localOperator, in: database)
        }
        let person = try StoreFixture.account(1)
        try await database.transaction { try $0.createAccount(person) }
        #expect(try await Self.names(of: person.user, in: database) == [])
        #expect(try await database.withSession { try $0.terminalUser() } == .localOperator)

        // Somebody who has lists already, and becomes an operator then.
        for (number, name) in [(20, "Coins"), (21, "Coins (2)"), (22, long)] as [(UInt64, String)] {
            try await Self.make(number, name, of: person.user, in: database)
        }
        try await database.withSession { session in
            try session.script("UPDATE accounts.account SET role = 'operator'")
        }
        #expect(try await Self.names(of: .localOperator, in: database) == [])
        let shortened = String(repeating: "ä", count: 26)
        #expect(
            try await Self.names(of: person.user, in: database)
                == ["Coins", "Coins (2)", long, "Coins (terminal)", "\(shortened) (terminal)", "Own"])
        #expect(try await database.withSession { try $0.terminalUser() } == person.user)

        // A later operator gets nothing, and what is made under the local user by mistake goes to the first.
        try await Self.make(30, "Late", of: .localOperator, in: database)
        let second = try StoreFixture.account(2, role: .operator)
        try await database.transaction { try $0.createAccount(second) }
        #expect(try await Self.names(of: second.user, in: database) == [])
        #expect(try await Self.names(of: person.user, in: database).last == "Late")
        await database.close()
    }
}

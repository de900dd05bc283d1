import AccountStore
import Accounts
import Instruments
import Store
import Support
import Testing

@Suite("Watchlists of before anybody had an account", .timeLimit(.minutes(10)))
struct AdoptionTests {
    private typealias W = WatchlistFixture

    @Test("stay the terminal's until somebody runs the installation, and are the first operator's then")
    func first() async throws {
        let database = try await W.database()
        try await database.watch(1, "Coins", W.bitcoin, W.ether)
        let (user, boss) = (try StoreFixture.account(1), try StoreFixture.account(2, role: .operator))
        try await database.transaction { try $0.createAccount(user) }
        #expect(try await database.watchlists(of: W.ann).map(\.name) == ["Coins"])
        try await database.transaction { try $0.createAccount(boss) }
        #expect(try await database.watchlists(of: W.ann).isEmpty)
        let entries = try await database.watchlistEntries(of: W.id(1), by: boss.user)
        #expect(entries.map(\.instrument) == [W.bitcoin, W.ether])
        #expect(try await database.wishes().count == 2)
        // The next one takes nothing.
        let third = try StoreFixture.account(3, role: .operator)
        try await database.transaction { try $0.createAccount(third) }
        #expect(try await database.watchlists(of: boss.user).map(\.name) == ["Coins"])
        await database.close()
    }

    @Test("take another name where their new owner has given it, and stand behind what was there")
    func names() async throws {
        let database = try await W.database()
        let boss = try StoreFixture.account(1)
        try await database.transaction { try $0.createAccount(boss) }
        let long = String(repeating: "ä", count: 32)
        let lists: [(UInt64, String, UserID)] = [
            (1, "Main", W.ann), (2, "Main (terminal)", W.ann), (3, long, W.ann), (4, "Main", boss.user),
            (5, long, boss.user),
        ]
        for (number, name, user) in lists { try await database.watch(number, name, of: user) }
        // Whoever gives them the role.
        try await database.execute("UPDATE accounts.account SET role = 'operator'")
        let found = try await database.watchlists(of: boss.user)
        let cut = String(repeating: "ä", count: 26)
        #expect(
            found.map(\.name) == [
                "Main", long, "Main (terminal 2)", "Main (terminal)", "\(cut) (terminal)",
            ])
        #expect(found.map(\.place) == [0, 1, 2, 3, 4])
        await database.close()
    }

    @Test("wait for an operator who may sign in")
    func disabled() async throws {
        let database = try await W.database()
        try await database.watch(1, "Coins", W.bitcoin)
        try await database.execute(
            """
            INSERT INTO accounts.account (user_id, email, email_folded, role, created_at, disabled_at)
            VALUES (\(W.ben), 'b@example.org', 'b@example.org', 'operator', now(), now())
            """)
        #expect(try await database.watchlists(of: W.ann).count == 1)
        try await database.transaction { try $0.setDisabled(false, W.ben, at: W.now) }
        #expect(try await database.watchlists(of: W.ann).isEmpty)
        #expect(try await database.watchlists(of: W.ben).map(\.name) == ["Coins"])
        await database.close()
    }

    @Test("are moved by nobody who acts for a user")
    func refused() async throws {
        let database = try await W.database()
        for text in ["SELECT accounts.adopt_terminal()", "SELECT accounts.terminal_name('a', '{}')"] {
            let error = await #expect(throws: StoreError.self) {
                try await database.transaction(as: W.ann) { try $0.script(text) }
            }
            #expect(error?.sqlState == "42501", "\(text)")
        }
        await database.close()
    }
}

import Instruments
import MarketStore
import Support
import Testing

@testable import AccountStore
@testable import Store

@Suite("Row-level security", .timeLimit(.minutes(10)))
struct RowSecurityTests {
    private typealias W = WatchlistFixture

    /// Statements without their owners' predicates.
    private func careless() async throws -> Database {
        try await W.database { $0.rewriting = { OwnerPredicate.removed(from: $0) } }
    }

    @Test("shows a user no row of another, also when a statement forgot to ask whose it is")
    func hides() async throws {
        let database = try await careless()
        try await database.watch(1, "Ann's", of: W.ann, W.bitcoin)
        try await database.watch(2, "Ben's", of: W.ben, W.ether)
        func names(_ user: UserID) async throws -> [String] {
            try await database.transaction(as: user) { try $0.watchlists(of: user) }.map(\.name)
        }
        #expect(try await names(W.ann) == ["Ann's"])
        #expect(try await names(W.ben) == ["Ben's"])
        let entries = try await database.transaction(as: W.ann) { session in
            try session.watchlistEntries(of: W.id(2), by: W.ann)
        }
        #expect(entries.isEmpty)
        // A service sees all, since the predicate is gone: that is what the second layer is for.
        #expect(try await database.watchlists(of: W.ann).count == 2)
    }

    @Test("lets a user change nothing of another")
    func keeps() async throws {
        let database = try await careless()
        try await database.watch(2, "Ben's", of: W.ben, W.ether)
        #expect(
            try await refusal {
                try await database.transaction(as: W.ann) { session in
                    try session.addEntry(W.bitcoin, to: W.id(2), of: W.ann, at: W.now)
                }
            } == .noSuchWatchlist(W.id(2)))
        let deleted = try await database.transaction(as: W.ann) { session in
            try session.execute("DELETE FROM accounts.watchlist WHERE watchlist_id = \(W.id(2))")
        }
        #expect(deleted == 0)
        await #expect(throws: StoreError.self) {
            _ = try await database.transaction(as: W.ann) { session in
                try session.execute(
                    """
                    INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
                    VALUES (\(W.id(7)), \(W.ben), 'Mine', 0, now())
                    """)
            }
        }
        #expect(try await database.watchlists(of: W.ben).map(\.name) == ["Ben's"])
    }

    @Test("ends with the transaction")
    func ends() async throws {
        let database = try await W.database { $0.maximumConnections = 1 }
        let inside = try await database.transaction(as: W.ben) { try $0.first(Acting()) }
        #expect(inside == "bitpal_gateway \(W.ben)")
        let outside = try await database.first(Acting())
        #expect(outside?.hasPrefix("bitpal_gateway") == false)
        #expect(outside?.hasSuffix(" ") == true)
    }

    @Test("grants what is needed and no more")
    func grants() async throws {
        let database = try await W.database()
        for text in [
            "DELETE FROM accounts.app_user", "SELECT name FROM accounts.app_user", "SELECT FROM market.trade",
            "SELECT locale FROM accounts.setting",
        ] {
            let error = await #expect(throws: StoreError.self) {
                try await database.transaction(as: W.ann) { try $0.script(text) }
            }
            #expect(error?.sqlState == "42501", "\(text)")
        }
    }

    @Test("without the right to make the role there is one error that says what to run")
    func advice() async throws {
        let configuration = try await TestDatabase.empty()
        let message = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.withSession { session in
                try session.script(
                    "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bitpal_test_poor') "
                        + "THEN CREATE ROLE bitpal_test_poor; END IF; END $$")
                do {
                    try session.script(
                        "SET ROLE bitpal_test_poor;"
                            + GatewayRole.creation.replacing("bitpal_gateway", with: "bitpal_test_missing"))
                } catch {
                    try session.script("RESET ROLE")
                    return "\(error)"
                }
                return "nothing"
            }
        }
        #expect(message.contains("let an administrator run CREATE ROLE bitpal_test_missing NOLOGIN"))
        #expect(message.contains("GRANT bitpal_test_missing TO bitpal_test_poor"))
    }

    @Test("is forced on every table of people's, but for those that hold nobody's rows")
    func complete() async throws {
        let database = try await W.database()
        #expect(
            try await database.rows(OpenTables(schema: "accounts")) == [
                "accounts.flag", "accounts.login_failure", "accounts.schema_migration",
            ])
    }
}

/// As whom and for whom the session works.
private struct Acting: Statement {
    static let sql = "SELECT current_user || ' ' || coalesce(current_setting('bitpal.user', true), '')"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

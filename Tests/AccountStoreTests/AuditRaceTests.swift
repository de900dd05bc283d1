import Accounts
import Dispatch
import Instruments
import Support
import Testing

@testable import AccountStore
@testable import Store

@Suite("The audit log beside an erasure", .timeLimit(.minutes(10)))
struct AuditRaceTests {
    private typealias W = WatchlistFixture

    private struct Waiting: Statement {
        static let sql = """
            SELECT count(*) FROM pg_catalog.pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
    }

    @Test("names nobody whose erasure was under way: that waits for the line, or the line is refused")
    func race() async throws {
        let database = try await W.database()
        let account = StoredAccount(
            user: UserID(rawValue: W.id(77)), email: try EmailAddress(parsing: "eve@example.org"),
            passwordHash: nil, role: .operator, created: W.now)
        let (user, identity) = (
            account.user,
            Identity(user: account.user, role: .operator, scopes: [], credential: .token(W.id(78)))
        )
        let actor = AuditActor(identity, from: "192.0.2.7", command: "PUT /v1/operator/flags")
        try await database.transaction { session in
            try session.createAccount(account)
            // There is an operator when she is gone.
            try session.createAccount(
                StoredAccount(
                    user: UserID(rawValue: W.id(79)), email: try EmailAddress(parsing: "joe@example.org"),
                    passwordHash: nil, role: .operator, created: W.now))
        }
        let (isWritten, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let writer: Void = database.transaction { session in
            // It touches nothing of hers: she is who did it.
            try session.audit(AuditChange(.flagsReplace, .flags), by: actor)
            isWritten.signal()
            mayEnd.wait()
        }
        let erasure = Task {
            isWritten.wait()
            return try await database.transaction { session in
                try session.beginErasure(of: user)
                return try session.endErasure(of: user)
            }
        }
        try await eventually { try await database.rows(Waiting()) == [1] }
        mayEnd.signal()
        try await writer
        let pseudonym = try await erasure.value
        let lines = try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 10) }
        #expect(lines.map(\.actor.user) == [pseudonym] && lines.map(\.actor.address) == [nil])
        let late = await #expect(throws: StoreError.self) {
            try await database.transaction { session in
                try session.audit(AuditChange(.flagsReplace, .flags), by: actor)
            }
        }
        #expect(late?.bodyError as? AccountRefused == .noSuchAccount)
    }
}

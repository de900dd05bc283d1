import AccountStore
import Accounts
import Dispatch
import HTTPTypes
import Hummingbird
import NIOCore
import Store
import Support
import Synchronization
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Idempotency keys", .timeLimit(.minutes(10)))
struct IdempotencyTests {

    /// What the route did, and a gate that holds it.
    private final class Maker: Sendable {
        let count = Mutex(0)
        let isHeld = Mutex(false)
        let holds = Mutex(false)
        private let gate = DispatchSemaphore(value: 0)

        /// On the connection's own thread, within the transaction.
        func make(_ text: String) throws -> String {
            if text == "refused" { throw Problem(.conflict, "no") }
            if text == "large" { return String(repeating: "a", count: 1 << 20) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if holds.withLock({ $0 }) {
                isHeld.withLock { $0 = true }
                gate.wait()
            }
            return "\(number)"
        }

        func release() {
            holds.withLock { $0 = false }
            gate.signal()
        }
    }

    private static func run(
        connect: (inout StoreConfiguration) -> Void = { _ in },
        _ body: (GatewayFixture, Maker) async throws -> Void
    ) async throws {
        let maker = Maker()
        try await GatewayFixture.run(
            prepare: { gateway in
                gateway.identify = { request, _ in
                    request.headers[.authorization] == nil
                        ? nil
                        : Identity(
                            user: .localOperator, role: .operator, scopes: Scope.all(of: .operator),
                            credential: .token(UniqueID(high: 0, low: 1)))
                }
                gateway.addFurtherRoutes = { routes in
                    routes.create(
                        "/v1/notes", .scope(.accountWrite), Operation("note", .service, "Makes a note.")
                    ) { (note: Note, _) in
                        Creation { _ in
                            Created(["number": try maker.make(note.text)], at: "/v1/notes/1")
                        }
                    }
                }
            }, connect: connect
        ) { fixture in try await body(fixture, maker) }
    }

    private static func post(
        _ fixture: GatewayFixture, _ text: String, key: String?
    ) async throws -> TestAnswer {
        var headers = [("Authorization", "Bearer x")]
        if let key { headers.append(("Idempotency-Key", key)) }
        return try await fixture.client.ask(
            "POST", "/v1/notes", headers: headers, json: #"{"text":"\#(text)"}"#)
    }

    @Test("does it once, and gives the same answer again")
    func replay() async throws {
        try await Self.run { fixture, maker async throws in
            let first = try await Self.post(fixture, "a", key: "k1")
            #expect(first.status == 201 && first.header("idempotency-replayed") == nil)
            let second = try await Self.post(fixture, "a", key: "k1")
            #expect(second.status == 201 && second.body == first.body)
            #expect(
                second.header("idempotency-replayed") == "true" && second.header("location") == "/v1/notes/1")
            #expect(second.header("content-type") == "application/json")
            #expect(try await Self.post(fixture, "a", key: "k2").text == #"{"number":"2"}"#)
            #expect(try await Self.post(fixture, "a", key: nil).text == #"{"number":"3"}"#)
            #expect(maker.count.withLock { $0 } == 3)
        }
    }

    @Test("refuses the key for another request, and keys that are none")
    func mismatch() async throws {
        try await Self.run { fixture, _ async throws in
            _ = try await Self.post(fixture, "a", key: "k")
            let other = try await Self.post(fixture, "b", key: "k")
            #expect(other.status == 422 && other.problem == "idempotency-mismatch")
            let long = try await Self.post(fixture, "a", key: String(repeating: "k", count: 201))
            #expect(long.status == 422 && long.problem == "invalid-field")
            let nobody = try await fixture.client.ask("POST", "/v1/notes", json: #"{"text":"a"}"#)
            #expect(nobody.status == 401 && nobody.header("www-authenticate") != nil)
        }
    }

    @Test("gives a key back when nothing was done")
    func refused() async throws {
        try await Self.run { fixture, _ async throws in
            let refused = try await Self.post(fixture, "refused", key: "k").status
            let made = try await Self.post(fixture, "a", key: "k").status
            #expect([refused, made] == [409, 201])
        }
    }

    @Test("makes whoever repeats a request wait for the first one's end, and gives all the same answer")
    func waiting() async throws {
        try await Self.run(connect: { $0.maximumConnections = 12 }) { fixture, maker async throws in
            maker.holds.withLock { $0 = true }
            try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for _ in 0..<8 { group.addTask { try await Self.post(fixture, "a", key: "k") } }
                try await eventually { maker.isHeld.withLock { $0 } }
                try await eventually {
                    try await fixture.services.database.rows(WaitingClaims()).first != 0
                }
                maker.release()
                let answers = try await group.reduce(into: [TestAnswer]()) { $0.append($1) }
                #expect(answers.map(\.status) == [Int](repeating: 201, count: 8))
                #expect(Set(answers.map(\.text)) == [#"{"number":"1"}"#])
                #expect(answers.count { $0.header("idempotency-replayed") == nil } == 1)
            }
            #expect(maker.count.withLock { $0 } == 1)
        }
    }

    @Test("says that the first request is not done to whom waits too long")
    func inProgress() async throws {
        try await Self.run(connect: { $0.lockTimeout = .milliseconds(20) }) { fixture, maker async throws in
            maker.holds.withLock { $0 = true }
            async let first = Self.post(fixture, "a", key: "k")
            try await eventually { maker.isHeld.withLock { $0 } }
            let second = try await Self.post(fixture, "a", key: "k")
            #expect(second.status == 409 && second.problem == "idempotency-in-progress")
            #expect(second.header("retry-after") == "1")
            maker.release()
            #expect(try await first.status == 201)
            #expect(try await Self.post(fixture, "a", key: "k").header("idempotency-replayed") == "true")
        }
    }

    @Test("frees no key because its request was not answered, until its day is over")
    func unanswered() async throws {
        try await Self.run { fixture, maker async throws in
            _ = try await Self.post(fixture, "a", key: "k")
            func age(_ script: String) async throws -> TestAnswer {
                try await fixture.services.database.withSession { try $0.script(script) }
                return try await Self.post(fixture, "a", key: "k")
            }
            // As programs of earlier versions left one whose end they did not see.
            let open = try await age(
                "UPDATE gateway.answer SET answer = NULL, started_at = now() - interval '23 hours'")
            #expect(open.problem == "idempotency-in-progress" && maker.count.withLock { $0 } == 1)
            let over = try await age("UPDATE gateway.answer SET started_at = now() - interval '25 hours'")
            #expect(over.status == 201 && maker.count.withLock { $0 } == 2)
            #expect(try await Self.post(fixture, "a", key: "k").text == over.text)
        }
    }

    @Test("does once what has an answer that is too large to be kept, and says so")
    func large() async throws {
        try await Self.run { fixture, _ async throws in
            let first = try await Self.post(fixture, "large", key: "k")
            #expect(first.status == 201 && first.body.count > 1 << 20)
            let again = try await Self.post(fixture, "large", key: "k")
            #expect(again.status == 409 && again.problem == "conflict")
            #expect(again.header("idempotency-replayed") == "true")
        }
    }

    @Test("keeps nothing that a reader of the database could use")
    func sealed() async throws {
        try await Self.run { fixture, _ async throws in
            _ = try await Self.post(fixture, "a", key: "a-secret-key")
            let rows = try await fixture.services.database.rows(AllAnswers())
            #expect(rows.count == 1)
            #expect(rows.allSatisfy { !$0.contains("number") && !$0.contains("a-secret-key") })
        }
    }

    @Test("shows whoever acts for a user no answers but that user's")
    func owned() async throws {
        try await Self.run { fixture, _ async throws in
            _ = try await Self.post(fixture, "a", key: "k")
            let database = fixture.services.database
            #expect(try await database.rows(OpenTables(schema: "gateway")) == ["gateway.schema_migration"])
            func sees(_ user: UserID) async throws -> Bool {
                try await database.transaction(as: user) { try $0.exists("SELECT FROM gateway.answer") }
            }
            #expect(try await sees(.localOperator))
            #expect(try await !sees(UserID(rawValue: UniqueID(high: 0, low: 2))))
        }
    }

    /// How many requests wait for the end of another one with their key.
    private struct WaitingClaims: Statement {
        static let sql = """
            SELECT count(*) FROM pg_catalog.pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
                AND query LIKE 'INSERT INTO gateway.answer%'
            """
        static func decode(_ row: inout RowReader) throws(StoreError) -> Int64 { try row.int64() }
    }

    private struct AllAnswers: Statement {
        static let sql = "SELECT encode(answer, 'escape') || encode(key_hash, 'escape') FROM gateway.answer"
        static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
    }
}

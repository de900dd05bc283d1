import AccountStore
import Accounts
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
        let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let holds = Mutex(false)

        func make(_ text: String) async throws -> Int {
            if text == "refused" { throw Problem(.conflict, "no") }
            let number = count.withLock { count in
                count += 1
                return count
            }
            if holds.withLock({ $0 }) {
                await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
            }
            return number
        }
    }

    private static func run(_ body: (GatewayFixture, Maker) async throws -> Void) async throws {
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
                    routes.post(
                        "/v1/notes", .scope(.accountWrite), Operation("note", .service, "Makes a note."),
                        creates: true
                    ) { (note: Note, _) in
                        Created(["number": try await maker.make(note.text)], at: "/v1/notes/1")
                    }
                }
            }
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
            #expect(try await Self.post(fixture, "a", key: "k2").text == #"{"number":2}"#)
            #expect(try await Self.post(fixture, "a", key: nil).text == #"{"number":3}"#)
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

    @Test("says that the first request is not done")
    func inProgress() async throws {
        try await Self.run { fixture, maker async throws in
            maker.holds.withLock { $0 = true }
            async let first = Self.post(fixture, "a", key: "k")
            try await eventually { maker.waiting.withLock { $0 != nil } }
            let second = try await Self.post(fixture, "a", key: "k")
            #expect(second.status == 409 && second.problem == "idempotency-in-progress")
            #expect(second.header("retry-after") == "1")
            maker.waiting.withLock { $0?.resume() }
            #expect(try await first.status == 201)
            #expect(try await Self.post(fixture, "a", key: "k").header("idempotency-replayed") == "true")
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

    private struct AllAnswers: Statement {
        static let sql = "SELECT encode(answer, 'escape') || encode(key_hash, 'escape') FROM gateway.answer"
        static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
    }
}

import Dispatch
import Foundation
import Hosting
import Logging
import Store
import Support
import Synchronization
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("What is over", .serialized, .timeLimit(.minutes(10)))
struct AccountExpiryTests {
    @Test("a removal that a stopping gateway gives up is no trouble; one that the database refuses is")
    func stopping() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let log = RecordedLog()
            var services = fixture.fixture.services
            services.requests.frame.logger = Logger(label: "tidying") { _ in log }
            let tidying = AccountExpiry(services: services, hasher: fixture.hasher)
            let (isLocked, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            async let holder: Void = fixture.database.transaction { session in
                try session.script("LOCK TABLE accounts.ticket")
                isLocked.signal()
                mayEnd.wait()
            }
            let running = Task {
                isLocked.wait()
                await tidying.run()
            }
            try await eventually {
                try await !fixture.database.rows("SELECT pid FROM pg_locks WHERE NOT granted") {
                    row in try row.int32()
                }.isEmpty
            }
            running.cancel()
            await running.value
            mayEnd.signal()
            try await holder
            #expect(log.lines.withLock { $0 } == [])

            try await fixture.database.withSession { try $0.script("DROP TABLE accounts.ticket CASCADE") }
            let refused = Task { await tidying.run() }
            try await eventually { log.lines.withLock { !$0.isEmpty } }
            refused.cancel()
            await refused.value
            #expect(log.lines.withLock { $0 } == ["What is over cannot be removed"])
        }
    }

    @Test("is kept apart from the database where a backup could revive it: revoked tokens, disabled accounts")
    func keptApart() async throws {
        let path = try TestDatabase.temporaryDirectory() + "/withdrawn"
        try await AccountGatewayFixture.run {
            $0.accounts.withdrawnFile = path
        } _: { fixture async throws in
            let boss = try await fixture.operatorClient()
            let made = try await fixture.signUp("ann@example.org")
            let (ann, id) = (try fixture.client(made), try #require(made.string("user.id")))
            let token = try #require(
                try await ann.ask(
                    "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["market:read"]}"#
                ).string("id"))
            let expiry = AccountExpiry(services: fixture.fixture.services, hasher: fixture.hasher)
            func lines() async throws -> [String] {
                await expiry.keepApart()
                // An empty one would say that there is nothing that nobody knows.
                guard FileManager.default.fileExists(atPath: path) else { return [] }
                let text = try String(contentsOfFile: path, encoding: .utf8)
                return text.split(separator: "\n").map(String.init)
            }
            #expect(try await lines() == [])
            #expect(try await ann.ask("DELETE", "/v1/account/tokens/\(token)").status == 204)
            #expect(try await lines() == ["token \(token)"])
            for isDisabled in [true, false] {
                let change = #"{"disabled":\#(isDisabled)}"#
                #expect(try await boss.ask("PATCH", "/v1/operator/users/\(id)", json: change).status == 200)
                #expect(try await lines() == (isDisabled ? ["account \(id)"] : []) + ["token \(token)"])
            }
        }
    }
}

/// The messages of a log, as they came.
private final class RecordedLog: LogHandler {
    let lines = Mutex<[String]>([])

    func log(event: LogEvent) { lines.withLock { $0.append("\(event.message)") } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }
}

import AccountStore
import Accounts
import Bus
import Credentials
import Foundation
import Instruments
import JSON
import ServiceLifecycle
import Store
import Support
import Synchronization
import Testing

@testable import GatewayAPI

/// A clock that a test sets.
final class HandClock: Sendable {
    private let nanoseconds = Mutex<Int64>(1_800_000_000_000_000_000)
    var now: Timestamp { Timestamp(nanoseconds: nanoseconds.withLock { $0 }) }
    func advance(seconds: Int64) { nanoseconds.withLock { $0 += seconds * 1_000_000_000 } }
}

/// A gateway with accounts, whose passwords cost little.
struct AccountBench: Sendable {
    static let password = "vacuum trombone quilt"
    /// What shows who is signed in once more.
    static let proof = #"{"password":"\#(password)"}"#

    let bench: GatewayBench
    let clock: HandClock
    let desk: AccountDesk?
    let hasher: PasswordHasher
    /// Somebody without a cookie, on our own page.
    let nobody: TestClient

    var database: Database { bench.services.database }

    /// Runs everything while `body` runs; requests are counted by the clock of the test, too, where that is
    /// wanted.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        prepare: (inout Gateway, inout AccountDesk) -> Void = { _, _ in },
        assemble: (inout Gateway) -> [any Service] = { [$0.services.market] },
        countsByHand: Bool = false,
        _ body: (AccountBench) async throws -> Void
    ) async throws {
        let clock = HandClock()
        let key = try TestDatabase.temporaryDirectory() + "/key"
        var made: AccountDesk?
        try await GatewayBench.run {
            $0.accounts.hashing = HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 64)
            $0.accounts.keyFile = key
            $0.requestsPerMinute = 1_000_000
            configure(&$0)
        } prepare: { gateway in
            guard var desk = try? AccountDesk(gateway.services) else { return }
            desk.clock = { clock.now }
            prepare(&gateway, &desk)
            made = desk
            gateway.useAccounts(desk)
        } assemble: { gateway in
            assemble(&gateway)
        } clock: {
            countsByHand ? clock.now : BusClock.wall()
        } _: { bench in
            guard let desk = made else { throw PropertyFailure("no accounts") }
            var nobody = bench.client
            nobody.headers = [("Sec-Fetch-Site", "same-origin")]
            try await body(
                AccountBench(
                    bench: bench, clock: clock, desk: desk, hasher: desk.hasher, nobody: nobody))
        }
    }

    /// Somebody with the cookie of an answer.
    func client(_ answer: TestAnswer) throws -> TestClient {
        guard let cookie = answer.header("set-cookie")?.split(separator: ";").first else {
            throw PropertyFailure("no cookie: \(answer.status) \(answer.text)")
        }
        var client = nobody
        client.headers.append(("Cookie", String(cookie)))
        return client
    }

    /// Somebody with a token.
    func client(token: String) -> TestClient {
        var client = bench.client
        client.headers = [("Authorization", "Bearer \(token)")]
        return client
    }

    func signUp(_ email: String, _ password: String = password) async throws -> TestAnswer {
        try await nobody.ask(
            "POST", "/v1/auth/sign-up", json: #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    func signIn(_ email: String, _ password: String = password, code: String? = nil) async throws
        -> TestAnswer
    {
        let code = code.map { #","code":"\#($0)""# } ?? ""
        return try await nobody.ask(
            "POST", "/v1/auth/sign-in", json: #"{"email":"\#(email)","password":"\#(password)"\#(code)}"#)
    }

    /// Who uses the first operator's link.
    func operatorClient() async throws -> TestClient {
        let path = try #require(try await Gateway.firstOperatorPath(database, at: clock.now))
        let token = path.split(separator: "=").last ?? ""
        return try client(
            try await nobody.ask(
                "POST", "/v1/auth/first-operator",
                json: #"{"token":"\#(token)","email":"boss@example.org","password":"\#(Self.password)"}"#))
    }
}

extension TestAnswer {
    /// A text of the body.
    func string(_ path: String) -> String? {
        if case .string(let text) = try? json(path) { text } else { nil }
    }

    /// A flag of the body.
    func flag(_ path: String) -> Bool? {
        if case .bool(let flag) = try? json(path) { flag } else { nil }
    }
}

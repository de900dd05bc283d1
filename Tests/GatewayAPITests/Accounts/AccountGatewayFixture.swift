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
@testable import GatewayFrame

/// A clock that a test sets.
final class ManualClock: Sendable {
    private let nanoseconds = Mutex<Int64>(1_800_000_000_000_000_000)
    var now: Timestamp { Timestamp(nanoseconds: nanoseconds.withLock { $0 }) }
    func advance(seconds: Int64) { nanoseconds.withLock { $0 += seconds * 1_000_000_000 } }
}

/// A gateway with accounts, whose passwords cost little.
struct AccountGatewayFixture: Sendable {
    static let password = "vacuum trombone quilt"
    /// What shows who is signed in once more.
    static let proof = #"{"password":"\#(password)"}"#

    let fixture: GatewayFixture
    let clock: ManualClock
    let accountService: AccountService?
    let hasher: PasswordHasher
    /// Somebody without a cookie, on our own page.
    let nobody: TestClient

    var database: Database { fixture.services.database }

    /// Runs everything while `body` runs; requests are counted by the clock of the test, too, where that is
    /// wanted.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        prepare: (inout Gateway, inout AccountService) -> Void = { _, _ in },
        assemble: (inout Gateway) -> [any Service] = { [$0.services.market] },
        countsByHand: Bool = false,
        _ body: (AccountGatewayFixture) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let key = try TestDatabase.temporaryDirectory() + "/key"
        var made: AccountService?
        try await GatewayFixture.run {
            $0.accounts.hashing = HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 64)
            $0.accounts.keyFile = key
            $0.server.requestsPerMinute = 1_000_000
            configure(&$0)
        } prepare: { gateway in
            guard var accountService = try? AccountService(gateway.services) else { return }
            accountService.clock = { clock.now }
            prepare(&gateway, &accountService)
            made = accountService
            gateway.useAccounts(accountService)
        } assemble: { gateway in
            assemble(&gateway)
        } clock: {
            countsByHand ? clock.now : BusClock.wall()
        } _: { fixture in
            guard let accountService = made else { throw PropertyFailure("no accounts") }
            var nobody = fixture.client
            nobody.headers = [("Sec-Fetch-Site", "same-origin")]
            try await body(
                AccountGatewayFixture(
                    fixture: fixture, clock: clock, accountService: accountService,
                    hasher: accountService.hasher, nobody: nobody))
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
        var client = fixture.client
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
    func operatorClient() async throws -> TestClient { try await firstOperator().client }

    /// The same with the answer.
    func firstOperator() async throws -> (client: TestClient, answer: TestAnswer) {
        let path = try #require(try await Gateway.firstOperatorPath(database, at: clock.now))
        let token = path.split(separator: "=").last ?? ""
        let answer = try await nobody.ask(
            "POST", "/v1/auth/first-operator",
            json: #"{"token":"\#(token)","email":"boss@example.org","password":"\#(Self.password)"}"#)
        return (try client(answer), answer)
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

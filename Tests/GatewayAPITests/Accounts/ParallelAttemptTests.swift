import AccountStore
import Dispatch
import Encodings
import Instruments
import Store
import Support
import Testing

@testable import Accounts
@testable import Credentials
@testable import GatewayAPI
@testable import GatewayFrame

/// Ann, who has an authenticator, and a second gateway on the same database that is slow at passwords.
private struct SlowAttempts: Sendable {
    static let email = "ann@example.org"

    let fixture: AccountGatewayFixture
    private let slow: AccountService
    private let secret: [UInt8]

    init(_ fixture: AccountGatewayFixture) async throws {
        self.fixture = fixture
        var slow = try AccountService(fixture.fixture.services)
        slow.clock = { fixture.clock.now }
        self.slow = slow
        let ann = try fixture.client(try await fixture.signUp(Self.email))
        let begun = try await ann.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
        secret = try #require(begun.string("secret").flatMap { Base32.bytes($0) })
        let confirmed = try await ann.ask(
            "POST", "/v1/account/totp/confirm", json: #"{"code":"\#(code(after: -30))"}"#)
        try #require(confirmed.status == 200)
    }

    /// The authenticator's code in so many seconds.
    func code(after seconds: Int64 = 0) -> String {
        OneTimePassword.code(
            secret, step: (fixture.clock.now.nanoseconds / 1_000_000_000 + seconds) / 30)
    }

    /// Signs in with a code that is not of now, after the longest pause.
    func failLater() async throws {
        fixture.clock.advance(seconds: 900)
        let answer = try await fixture.signIn(Self.email, code: code(after: 3_000))
        #expect(answer.problem == "unauthenticated", "\(answer.text)")
    }

    /// Signs in at the slow gateway, whose look at the password is held back until `body` is done.
    func hold(code: String?, _ body: () async throws -> Void) async throws -> Problem.Code? {
        let (gate, slow) = (DispatchSemaphore(value: 0), slow)
        return try await withThrowingTaskGroup(of: Problem.Code?.self) { group in
            let (begun, begin) = AsyncStream<Void>.makeStream()
            group.addTask {
                try await slow.hasher.run { () throws(HashingRefused) in
                    begin.finish()
                    gate.wait()
                    return nil
                }
            }
            for await _ in begun {}
            group.addTask {
                do {
                    _ = try await slow.prove(
                        Self.email, AccountGatewayFixture.password, code: code, from: "127.0.0.1")
                    return nil
                } catch let problem as Problem {
                    return problem.code
                }
            }
            do {
                try await eventually { slow.hasher.waiting == 1 }
                try await body()
                gate.signal()
            } catch {
                gate.signal()
                throw error
            }
            var refusal: Problem.Code?
            for try await found in group { refusal = refusal ?? found }
            return refusal
        }
    }

    /// Failures that are known of Ann's address.
    func failures() async throws -> Int {
        try await fixture.database.transaction { session in
            try session.lockLoginThrottle(Secrets.digest(Self.email.utf8)).failures
        }
    }
}

@Suite("Attempts at the same time", .serialized, .timeLimit(.minutes(10)))
struct ParallelAttemptTests {
    @Test("of which one has no code do not forget the wrong codes of the others")
    func withoutCode() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let attempts = try await SlowAttempts(fixture)
            let refusal = try await attempts.hold(code: nil) {
                for _ in 0..<5 { try await attempts.failLater() }
            }
            #expect(refusal == .secondFactorRequired)
            #expect(try await attempts.failures() == 5)
            let early = try await fixture.signIn(SlowAttempts.email, code: attempts.code())
            #expect(early.problem == "throttled" && early.header("retry-after") == "16")
            fixture.clock.advance(seconds: 16)
            #expect(try await fixture.signIn(SlowAttempts.email, code: attempts.code()).status == 200)
            #expect(try await attempts.failures() == 0)
        }
    }

    @Test("of which one succeeds forget what has failed before it, and not what has failed since")
    func success() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let attempts = try await SlowAttempts(fixture)
            try await attempts.failLater()
            fixture.clock.advance(seconds: 1)
            let refusal = try await attempts.hold(code: attempts.code(after: 2_708)) {
                for _ in 0..<3 { try await attempts.failLater() }
                // Codes have a pause of their own, for all who try some.
                fixture.clock.advance(seconds: 8)
            }
            #expect(refusal == nil)
            #expect(try await attempts.failures() == 3)
        }
    }

    @Test(
        "are told to wait for a code as long as others have guessed codes elsewhere, and lose nothing by it")
    func codes() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let attempts = try await SlowAttempts(fixture)
            let ann = try #require(try await attempts.account())
            let service = try #require(fixture.accountService)
            for _ in 0..<3 {
                fixture.clock.advance(seconds: 4)
                #expect(try await !service.accepts(attempts.code(after: 3_000), of: ann.user))
            }
            let early = try await fixture.signIn(SlowAttempts.email, code: attempts.code())
            #expect(early.problem == "throttled" && early.header("retry-after") == "4")
            #expect(try await attempts.failures() == 0)
            fixture.clock.advance(seconds: 4)
            #expect(try await fixture.signIn(SlowAttempts.email, code: attempts.code()).status == 200)
        }
    }
}

extension SlowAttempts {
    func account() async throws -> StoredAccount? {
        let email = try EmailAddress(parsing: Self.email)
        return try await fixture.database.withSession { session in try session.account(email: email) }
    }
}

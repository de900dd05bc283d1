import Accounts
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Strangers who guess a password", .serialized, .timeLimit(.minutes(10)))
struct StrangerAttemptTests {
    /// What becomes of an attempt to sign in to Ann's account from an address.
    private static func sign(
        _ service: AccountService, _ address: String, _ password: String = AccountGatewayFixture.password
    ) async throws -> String {
        do {
            _ = try await service.prove("ann@example.org", password, code: nil, from: address)
            return "in"
        } catch let problem as Problem {
            return problem.code.rawValue + (problem.retryAfter.map { " \($0)" } ?? "")
        }
    }

    @Test("make nobody wait in another network, and no network wait that the account knows")
    func networks() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            _ = try await fixture.signUp("ann@example.org")
            let service = try #require(fixture.accountService)
            #expect(try await Self.sign(service, "2001:db8::1") == "in")
            for second in [1, 2, 4, 8, 16, 32] as [Int64] {
                #expect(try await Self.sign(service, "192.0.2.1", "wrong") == "unauthenticated")
                #expect(try await Self.sign(service, "192.0.2.1") == "throttled \(second)")
                fixture.clock.advance(seconds: second)
            }
            #expect(try await Self.sign(service, "192.0.2.1", "wrong") == "unauthenticated")
            #expect(try await Self.sign(service, "198.51.100.7") == "in")
            // From a hundred networks and more: now all wait for a moment, but for those that are known.
            for number in 0...100 {
                #expect(try await Self.sign(service, "203.0.113.\(number)", "wrong") == "unauthenticated")
            }
            #expect(try await Self.sign(service, "198.51.100.8") == "throttled 1")
            #expect(try await Self.sign(service, "2001:db8::2", "wrong") == "unauthenticated")
            #expect(try await Self.sign(service, "198.51.100.8") == "throttled 2")
            fixture.clock.advance(seconds: 1)
            #expect(try await Self.sign(service, "2001:db8::2") == "in")
            #expect(try await Self.sign(service, "198.51.100.8") == "in")
        }
    }
}

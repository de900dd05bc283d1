import Testing

@testable import GatewayAPI

@Suite("Where nobody can sign up", .timeLimit(.minutes(10)))
struct ClosedSignUpTests {
    private static func sign(
        up email: String, _ fixture: AccountGatewayFixture, invitation: String? = nil
    ) async throws -> TestAnswer {
        let more = invitation.map { #","invitation":"\#($0)""# } ?? ""
        return try await fixture.nobody.ask(
            "POST", "/v1/auth/sign-up",
            json: #"{"email":"\#(email)","password":"\#(AccountGatewayFixture.password)"\#(more)}"#)
    }

    @Test("a password makes no account, also with an invitation, and the answer says whom to ask")
    func closed() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.signUp = .closed
        } _: { fixture in
            let boss = try await fixture.operatorClient()
            let link = try await boss.ask("POST", "/v1/operator/invitations", json: "{}")
            let invitation = try #require(link.string("token"))
            for refused in [
                try await Self.sign(up: "ann@example.org", fixture),
                try await Self.sign(up: "ann@example.org", fixture, invitation: invitation),
            ] {
                #expect(refused.status == 403 && refused.problem == "forbidden")
                #expect(refused.string("detail") == "nobody can sign up here; ask the operator")
                #expect(refused.header("set-cookie") == nil)
            }
            #expect(try await fixture.signIn("ann@example.org").status == 401)
        }
    }

    @Test("whom the operator makes an account for signs in by the operator's link")
    func made() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.signUp = .closed
        } _: { fixture in
            let boss = try await fixture.operatorClient()
            let made = try await boss.ask(
                "POST", "/v1/operator/users", json: #"{"email":"ann@example.org","role":"user"}"#)
            #expect(made.status == 201, "\(made.text)")
            let token = try #require(made.string("reset.token"))
            let set = try await fixture.nobody.ask(
                "POST", "/v1/auth/reset/confirm",
                json: #"{"token":"\#(token)","password":"\#(AccountGatewayFixture.password)"}"#)
            #expect(set.status == 204, "\(set.text)")
            #expect(try await fixture.signIn("ann@example.org").status == 200)
        }
    }

    @Test("by invitation, who has one signs up, once, and who has none does not")
    func invited() async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.signUp = .invitation
        } _: { fixture in
            let boss = try await fixture.operatorClient()
            let link = try await boss.ask("POST", "/v1/operator/invitations", json: "{}")
            let invitation = try #require(link.string("token"))
            let without = try await Self.sign(up: "ann@example.org", fixture)
            #expect(without.status == 403 && without.problem == "forbidden")
            let with = try await Self.sign(up: "ann@example.org", fixture, invitation: invitation)
            #expect(with.status == 201 && with.header("set-cookie") != nil)
            let again = try await Self.sign(up: "ben@example.org", fixture, invitation: invitation)
            #expect(again.problem == "expired")
        }
    }
}

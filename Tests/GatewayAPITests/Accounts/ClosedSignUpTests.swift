import AccountStore
import Store
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

    @Test("it is by invitation where nobody says otherwise")
    func byDefault() { #expect(AccountConfiguration().signUp == .invitation) }

    /// Where who has an invitation signs up, with the operator.
    private static func byInvitation(
        _ body: (AccountGatewayFixture, TestClient) async throws -> Void
    ) async throws {
        try await AccountGatewayFixture.run {
            $0.accounts.signUp = .invitation
        } _: { fixture in
            try await body(fixture, try await fixture.operatorClient())
        }
    }

    @Test("by invitation, who has one signs up, once, and who has none does not")
    func invited() async throws {
        try await Self.byInvitation { fixture, boss in
            #expect(try await fixture.nobody.get("/v1/session").string("sign_up") == "invitation")
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

    @Test("an invitation that is taken back, or over by the database's clock, lets nobody in")
    func over() async throws {
        try await Self.byInvitation { fixture, boss in
            func invite(_ json: String) async throws -> (id: String, token: String) {
                let made = try await boss.ask("POST", "/v1/operator/invitations", json: json)
                #expect(made.status == 201, "\(made.text)")
                return (try #require(made.string("id")), try #require(made.string("token")))
            }
            let (withdrawn, late) = (try await invite(#"{"days":1}"#), try await invite("{}"))
            // The clock of the gateway, which a test sets, has no say.
            fixture.clock.advance(seconds: 3 * 365 * 86_400)
            #expect(try await boss.get("/v1/account").status == 401)
            let again = try fixture.client(try await fixture.signIn("boss@example.org"))
            #expect(try await again.get("/v1/operator/invitations").count("items") == 2)
            let path = "/v1/operator/invitations/\(withdrawn.id)"
            #expect(try await again.ask("DELETE", path).status == 204)
            #expect(try await again.ask("DELETE", path).status == 404)
            let id = try #require(UniqueID(late.id))
            _ = try await fixture.database.transaction { session in
                try session.execute(
                    """
                    UPDATE accounts.ticket SET expires_at = clock_timestamp() - interval '1 second'
                    WHERE ticket_id = \(id)
                    """)
            }
            #expect(try await again.get("/v1/operator/invitations").count("items") == 0)
            for token in [withdrawn.token, late.token] {
                let answer = try await Self.sign(up: "ann@example.org", fixture, invitation: token)
                #expect(answer.problem == "expired")
            }
            let nobody = try await fixture.nobody.get("/v1/operator/invitations")
            #expect(nobody.status == 401)
            for days in ["0", "366", "1.5"] {
                let refused = try await again.ask(
                    "POST", "/v1/operator/invitations", json: #"{"days":\#(days)}"#)
                #expect(refused.string("field") == "days")
            }
        }
    }
}

import Accounts
import Credentials
import JSON
import Support
import Testing

@testable import GatewayAPI

@Suite("Tokens that operators make for others", .serialized, .timeLimit(.minutes(10)))
struct UserTokenTests {
    @Test("do what the account may, are listed and revoked, by an operator and nobody else")
    func life() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let found = try await boss.get("/v1/operator/users?email=Ann@example.ORG")
            let user = try #require(found.string("items.0.id"))
            #expect(try found.count() == 1 && found.json("next") == .null)
            #expect(try await boss.get("/v1/operator/users?email=eve@example.org").count() == 0)
            #expect(try await boss.get("/v1/operator/users?email=ann").string("field") == "email")
            let tokens = "/v1/operator/users/\(user)/tokens"
            func make(_ scopes: String, _ client: TestClient) async throws -> TestAnswer {
                try await client.ask("POST", tokens, json: #"{"name":"ci","scopes":[\#(scopes)]}"#)
            }
            let made = try await make(#""account:read""#, boss)
            let (id, text) = (try #require(made.string("id")), try #require(made.string("token")))
            let program = fixture.client(token: text)
            #expect(try await program.get("/v1/account").string("user.email") == "ann@example.org")
            // What its owner may not, it may not either.
            #expect(try await make(#""operator""#, boss).string("field") == "scopes")
            #expect(try await ann.get("/v1/account/tokens").text == (try await boss.get(tokens).text))
            #expect(try await boss.get("/v1/account/tokens").count() == 0)
            #expect(try await make(#""account:read""#, ann).problem == "forbidden")
            #expect(try await ann.get(tokens).problem == "forbidden")
            #expect(try await ann.ask("DELETE", "\(tokens)/\(id)").problem == "forbidden")
            #expect(try await ann.get(tokens).problem == "forbidden")
            #expect(try await boss.ask("DELETE", "\(tokens)/\(id)").status == 204)
            #expect(try await program.get("/v1/account").status == 401)
            #expect(try await boss.ask("DELETE", "\(tokens)/\(id)").status == 404)
            let nobodys = "/v1/operator/users/00000000-0000-7000-8000-000000000009/tokens"
            #expect(try await boss.get(nobodys).status == 404)
            let wish = #"{"name":"ci","scopes":["account:read"]}"#
            #expect(try await boss.ask("POST", nobodys, json: wish).status == 404)
        }
    }

    @Test("are made by no token, though one of an operator lists and revokes them")
    func byToken() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            let own = try #require(try await boss.get("/v1/account").string("user.id"))
            let wish = #"{"name":"ci","scopes":["operator"]}"#
            let made = try await boss.ask("POST", "/v1/account/tokens", json: wish)
            let program = fixture.client(token: try #require(made.string("token")))
            let tokens = "/v1/operator/users/\(own)/tokens"
            #expect(try await program.ask("POST", tokens, json: wish).problem == "forbidden")
            #expect(try await program.get(tokens).count() == 1)
            let id = try #require(made.string("id"))
            #expect(try await program.ask("DELETE", "\(tokens)/\(id)").status == 204)
            #expect(try await program.get(tokens).status == 401)
        }
    }

    @Test("are nobody's where the terminal acts for nobody with an account")
    func withoutAccount() async throws {
        let file = try TestDatabase.temporaryDirectory() + "/operator.token"
        try await AccountGatewayFixture.run {
            $0.accounts.operatorTokenFile = file
        } _: { fixture in
            let terminal = fixture.client(token: try OperatorTokenFile.token(file).text)
            let wish = #"{"name":"ci","scopes":["market:read"]}"#
            let early = try await terminal.ask("POST", "/v1/account/tokens", json: wish)
            #expect(early.status == 409 && early.problem == "conflict", "\(early.text)")
            #expect(early.string("detail")?.contains("bitpal user add") == true)
            #expect(try await terminal.get("/v1/account/tokens").count() == 0)
            // Somebody who runs nothing here can have one nevertheless.
            _ = try await fixture.signUp("ann@example.org")
            let user = try #require(
                try await terminal.get("/v1/operator/users?email=ann@example.org").string("items.0.id"))
            let made = try await terminal.ask("POST", "/v1/operator/users/\(user)/tokens", json: wish)
            #expect(made.status == 201, "\(made.text)")
            #expect(try await terminal.ask("POST", "/v1/account/tokens", json: wish).status == 409)
        }
    }
}

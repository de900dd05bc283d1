import AccountStore
import Accounts
import Channels
import InstallationStore
import JSON
import Store
import Support
import Testing

@testable import GatewayAPI

@Suite("Pushes and the end of letters", .timeLimit(.minutes(10)))
struct PushRouteTests {
    private static let hook =
        #"{"kind":"webhook","name":"mine","settings":{"url":"https://example.org/hook"}}"#

    @Test("the key that browsers subscribe with is the notifier's, and always the same")
    func pushKey() async throws {
        try await TwoUserFixture.run { fixture, ann, ben in
            let answer = try await ann.get("/v1/push/key")
            let secret = try await fixture.services.database.keptKey(
                .vapid, orNew: VAPIDKey.newKey().bytes, by: try fixture.vault)
            let key = try #require(VAPIDKey.publicText(of: Secret(bytes: secret)))
            #expect(try answer.json("key") == .string(key))
            #expect(try await ben.get("/v1/push/key").json("key") == .string(key))
            #expect(try await fixture.client.get("/v1/push/key").status == 401)
        }
    }

    @Test("the key is the one that is configured for the notifier")
    func configuredKey() async throws {
        let key = VAPIDKey.newKey()
        try await GatewayFixture.run {
            $0.vapidKey = key
        } prepare: { gateway in
            gateway.identify = { _, _ in
                Identity(
                    user: TwoUserFixture.ann, role: .user, scopes: Scope.all(of: .user),
                    credential: .session(TwoUserFixture.ann.rawValue))
            }
        } _: { fixture in
            let answer = try await fixture.client.get("/v1/push/key")
            #expect(try answer.json("key") == VAPIDKey.publicText(of: key).map { .string($0) })
        }
    }

    @Test("one click of a mail program, without a cookie, switches the channel of its link off")
    func oneClick() async throws {
        try await TwoUserFixture.run { fixture, ann, _ in
            let made = try await ann.ask("POST", "/v1/channels", json: Self.hook)
            guard case .string(let id) = try made.json("id") else { throw PropertyFailure(made.text) }
            let secret = try await fixture.services.database.keptKey(
                .unsubscribe, orNew: Array(repeating: 7, count: UnsubscribeKey.size), by: try fixture.vault)
            let token = UnsubscribeKey(Secret(bytes: secret)).token(of: id)
            func click(_ token: String) async throws -> TestAnswer {
                let form = "List-Unsubscribe=One-Click"
                return try await fixture.client.ask(
                    "POST", "/unsubscribe?token=\(token)",
                    headers: [("Content-Type", "application/x-www-form-urlencoded")], json: form)
            }
            for wrong in ["", "x", token + "A", "A" + token] {
                #expect(try await click(wrong).problem == "invalid-field", "\(wrong)")
            }
            #expect(try await ann.get("/v1/channels/\(id)").json("state") == .string("usable"))
            #expect(try await click(token).status == 204)
            #expect(try await ann.get("/v1/channels/\(id)").json("state") == .string("disabled"))
            #expect(try await click(token).status == 204, "a second click is none too many")
        }
    }
}

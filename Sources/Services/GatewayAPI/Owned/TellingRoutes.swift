import Accounts
import AlertStore
import Channels
import Credentials
import Hummingbird
import Instruments
import Store

extension Gateway {
    /// Routes that pushes and letters need: the key that browsers subscribe with, and the end of letters.
    func addTellingRoutes(to routes: RouteTable) {
        routes.get("/v1/push/key", .scope(.accountRead)) { _, _ in .json(["key": try await publicPushKey()]) }
        // Mail programs send a form, with neither cookie nor origin (RFC 8058); a GET only shows the page
        // that asks, since they follow links by themselves.
        routes.post("/unsubscribe", .anonymous, weight: 20, takesAnyBody: true, query: ["token"]) {
            _, context in
            try await endLetters(context.query.text("token", atMost: 200))
            return .noContent
        }
    }

    private func publicPushKey() async throws -> String {
        if let key = services.configuration.vapidKey, let text = VAPIDKey.publicText(of: key) { return text }
        let kept = try await keptKey(.vapid, orNew: VAPIDKey.newKey().bytes)
        guard let text = VAPIDKey.publicText(of: Secret(bytes: kept)) else {
            throw Problem(.internal, "the key that is kept in alerts.signing_key is none")
        }
        return text
    }

    /// - Throws: `unavailable` where the key was sealed with keys that are not here.
    private func keptKey(_ name: KeptKey, orNew fresh: [UInt8]) async throws -> [UInt8] {
        do {
            return try await services.database.keptKey(name, orNew: fresh, by: accounts?.vault)
        } catch is SealingFault {
            throw Problem(.unavailable, "the keys of this installation's notifier are not here")
        }
    }

    private func endLetters(_ token: String?) async throws {
        var random = SystemRandomNumberGenerator()
        let fresh = (0..<UnsubscribeKey.size).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let secret = try await keptKey(.unsubscribe, orNew: fresh)
        guard let token, let text = UnsubscribeKey(Secret(bytes: secret)).channel(of: token),
            let channel = UniqueID(text)
        else { throw Problem.invalid("token", token, accepted: "one from a letter's link") }
        try await services.database.withSession { try $0.disableChannel(channel) }
    }
}

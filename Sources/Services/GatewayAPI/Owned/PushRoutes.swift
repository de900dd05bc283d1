import Accounts
import AlertStore
import Channels
import Credentials
import GatewayFrame
import Hummingbird
import InstallationStore
import Instruments
import Shapes
import Store

/// What a browser subscribes with.
private struct PushKey: WireBody {
    static let shape = BodyShape<PushKey>("PushKey") {
        Field(
            "key", \.key, "65 bytes of P-256 as Base64 for URLs.",
            example: "BOi1F1mMqGOSLYKBQIkbqxjwNcGo0tXD9yyB4wzwEMxTtZ2VqAZzQPMHVHmcPRnTxGkkYCRJTvGKZBxyqKqbM0M"
        )
    }

    var key: String
}

/// What a mail program sends; it is not read.
private enum OneClickForm: Described {
    static let document = BodyDocument(
        "OneClickForm", "What a mail program sends; it is not read.",
        [FieldDocument("List-Unsubscribe", .text(), example: "One-Click", isRequired: false)])
}

extension Gateway {
    private static let token = Parameter(
        ParameterDocument(
            name: "token", text: "From the link in the letter.", schema: .text(length: 0...200),
            example: "0193a2c4-5b10-7f00-8a00-0000000000ff.bWFjIG9mIHRoZSBjaGFubmVsIGFuZCBub3RoaW5n",
            isRequired: true)
    ) { (query) throws(Problem) in try query.text("token", atMost: 200) }

    /// Routes that pushes and letters need: the key that browsers subscribe with, and the end of letters.
    func addTellingRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/push/key", .scope(.accountRead),
            Operation(
                "getPushKey", .accounts,
                "The public key that a browser gives to PushManager.subscribe as applicationServerKey.")
        ) { _ in OK(PushKey(key: try await publicPushKey())) }
        // Mail programs send a form, with neither cookie nor origin (RFC 8058); a GET only shows the page
        // that asks, since they follow links by themselves.
        routes.add(
            .post, "/unsubscribe", RouteRules(access: .anonymous, weight: 20, takesAnyBody: true),
            RouteDocument(
                operation: Operation(
                    "unsubscribe", .service,
                    """
                    Switches off the channel of a letter's link, with one click and without a session \
                    (RFC 8058).
                    """
                ),
                body: RouteDocument.Body(
                    type: OneClickForm.self, isRequired: false,
                    mediaType: "application/x-www-form-urlencoded"),
                parameters: [Self.token.document],
                answers: [
                    AnswerDocument(
                        status: 204, text: "The channel is off; its owner can switch it on again.")
                ])
        ) { _, context in
            try await endLetters(context.query[Self.token])
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

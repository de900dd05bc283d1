import Crypto
import Encodings
import Instruments
import Support
import Testing

@testable import Channels

@Suite("What is signed or encrypted")
struct SigningTests {
    @Test("has the signature of Standard Webhooks' own example")
    func signsWebhook() throws {
        let key = Secret(bytes: try #require(Base64.bytes(String(ChannelFixtures.hookKey.dropFirst(6)))))
        let signature = WebhookMessage.signature(
            of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            seconds: 1_614_265_330, key: key)
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("has a signature for each key while they change, and an id that stays")
    func signsTwice() throws {
        let keys =
            #"{"keys":["\#(ChannelFixtures.hookKey)","whsec_\#(Base64.text([UInt8](repeating: 7, count: 32)))"]}"#
        let settings = try ChannelSettings(
            kind: "webhook", settings: #"{"url":"https://example.org/"}"#, secrets: keys)
        let webhook = try #require(settings.receiver as? WebhookSettings)
        let notice = try ChannelFixtures.notice()
        let first = WebhookMessage.request(webhook, notice, at: ChannelFixtures.now)
        let later = WebhookMessage.request(
            webhook, notice, at: ChannelFixtures.now.adding(nanoseconds: 5_000_000_000))
        #expect(first.header("webhook-signature")?.split(separator: " ").count == 2)
        #expect(first.header("webhook-id") == notice.id && later.header("webhook-id") == notice.id)
        #expect(first.body == later.body)
        #expect(first.header("webhook-timestamp") == "1614265330")
        #expect(later.header("webhook-timestamp") == "1614265335")
        #expect(first.header("webhook-signature") != later.header("webhook-signature"))
        #expect(first.isOwnDestination)
    }

    @Test("is encrypted for a browser as RFC 8291 shows in section 5")
    func encrypts() throws {
        let body = try WebPushEncryption.body(
            Array("When I grow up, I want to be a watermelon".utf8),
            to: try #require(Base64.bytes(ChannelFixtures.browserKey)),
            authentication: Secret(bytes: try #require(Base64.bytes(ChannelFixtures.browserSecret))),
            privateKey: try #require(Base64.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: try #require(Base64.bytes("DGv6ra1nlYgDCS1FRnbzlw")))
        let expected =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz"
            + "AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4"
            + "a-fN"
        #expect(Base64URL.text(body) == expected)
    }

    @Test("names us to a push service with a token that verifies")
    func signsVAPID() throws {
        let request = try ChannelFixtures.request(
            "web_push", try ChannelFixtures.notice(), ChannelFixtures.text())
        let header = try #require(request.header("authorization"))
        let token = header.dropFirst("vapid t=".count).prefix { $0 != "," }.split(separator: ".").map(
            String.init)
        #expect(try verifies(token, key: String(header.split(separator: "=").last ?? "")))
        let claims = String(decoding: Base64.bytes(token[1]) ?? [], as: UTF8.self)
        #expect(
            claims
                == #"{"aud":"https://push.example.net","exp":1614308530,"sub":"mailto:ops@bitpal.example"}"#)
        #expect(request.header("topic")?.utf8.count == 32)
    }

    private func verifies(_ token: [String], key: String) throws -> Bool {
        let key = try P256.Signing.PublicKey(x963Representation: Base64.bytes(key) ?? [])
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: Base64.bytes(token[2]) ?? [])
        return key.isValidSignature(signature, for: Array("\(token[0]).\(token[1])".utf8))
    }

    @Test("keeps Apple's token for fifty minutes, and no longer")
    func reusesToken() throws {
        let key = try APNsKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", pem: Secret(ChannelFixtures.pem))
        let first = try key.token(reusing: nil, at: ChannelFixtures.now)
        let minute: Int64 = 60_000_000_000
        let later = ChannelFixtures.now.adding(nanoseconds: 50 * minute - 1)
        #expect(try key.token(reusing: first, at: later) == first)
        let old = ChannelFixtures.now.adding(nanoseconds: 50 * minute)
        #expect(try key.token(reusing: first, at: old).issued == old)
        // A clock that was set back must not leave a token of the future in use.
        let before = ChannelFixtures.now.adding(nanoseconds: -minute)
        #expect(try key.token(reusing: first, at: before).issued == before)
    }

    @Test("renews Apple's token within 20 to 60 minutes, whatever is sent and however often it is refused")
    func renewsToken() throws {
        let key = try APNsKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", pem: Secret(ChannelFixtures.pem))
        let minute: Int64 = 60_000_000_000
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            var (tokens, now, issued) = (APNsTokens(key), ChannelFixtures.now, [Timestamp]())
            for _ in 0..<200 {
                now = now.adding(nanoseconds: Int64(generator.int(1...600)) * 1_000_000_000)
                let token = try tokens.token(at: now)
                #expect(now.nanoseconds(since: token.issued) < 60 * minute, "seed \(seed)")
                if issued.last != token.issued { issued.append(token.issued) }
                if generator.chance(30) { tokens.refused(token, at: now) }
            }
            let waits = zip(issued.dropFirst(), issued).map { $0.nanoseconds(since: $1) }
            #expect(waits.count > 5 && waits.allSatisfy { $0 >= 20 * minute }, "seed \(seed)")
        }
    }

    @Test("is refused without the keys that it needs, by name")
    func needsKeys() throws {
        let bare = SendingContext(now: ChannelFixtures.now)
        for (kind, field) in [("email", "sender"), ("apns", "apns.key"), ("web_push", "vapid.key")] {
            let fault = #expect(throws: FieldFault.self) {
                try ChannelFixtures.settings(kind).outgoing(
                    try ChannelFixtures.notice(), ChannelFixtures.text(), bare)
            }
            #expect(fault?.field == field)
        }
        #expect(throws: FieldFault.self) {
            try APNsKey(keyID: "short", teamID: "DEF123GHIJ", pem: Secret(ChannelFixtures.pem))
        }
        #expect(throws: FieldFault.self) {
            try APNsKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", pem: Secret("no key"))
        }
    }
}

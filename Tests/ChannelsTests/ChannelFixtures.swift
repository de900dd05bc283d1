import Alerting
import Encodings
import Instruments

@testable import Channels

/// Notices, texts and channels that tests share.
enum ChannelFixtures {
    static let now = Timestamp(nanoseconds: 1_614_265_330_000_000_000)
    static let hookKey = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    static let browserKey =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let browserSecret = "BTBZMqHH6r4Tts7J_aSIgg"

    /// A key of P-256 made for these tests.
    static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyfWPiYE+n46HLnH0
        KqZOF1fJJU3MYrct3AELtAQ+oRyhRANCAAT+M/SrDepxkU21WCP3O1SUj0EwbZIH
        Mtu5pZpTKGSCIA5Zent7wmC6HCJ5mFgJkuk5cwAvMBKiiujwa7t45ewP
        -----END PRIVATE KEY-----
        """

    /// Settings and secrets that are right, by kind.
    static let channels: [(kind: String, settings: String, secrets: String)] = [
        ("webhook", #"{"url":"https://example.org/hook"}"#, #"{"keys":["\#(hookKey)"]}"#),
        ("email", #"{"to":"ada@example.org","name":"Ada Lövelace"}"#, "{}"),
        (
            "telegram", #"{"chat":"-1001234"}"#,
            #"{"token":"123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11"}"#
        ),
        ("ntfy", #"{"server":"https://ntfy.sh/","topic":"my_alerts"}"#, #"{"token":"tk_1234567890"}"#),
        ("slack", "{}", #"{"url":"https://hooks.slack.com/services/T0/B0/x"}"#),
        ("discord", "{}", #"{"url":"https://discord.com/api/webhooks/1/x"}"#),
        (
            "apns", #"{"bundle":"app.bitpal.ios","environment":"sandbox"}"#,
            #"{"device":"00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"}"#
        ),
        (
            "web_push",
            #"{"endpoint":"https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt5","p256dh":"\#(browserKey)"}"#,
            #"{"auth":"\#(browserSecret)"}"#
        ),
        ("command", #"{"arguments":["/usr/bin/logger","--","{title}","{price}"]}"#, "{}"),
    ]

    static func settings(_ kind: String) throws -> ChannelSettings {
        guard let channel = channels.first(where: { $0.kind == kind }) else { throw Missing() }
        return try ChannelSettings(kind: kind, settings: channel.settings, secrets: channel.secrets)
    }

    struct Missing: Error {}

    static func decimal(_ text: String) throws -> DecimalNumber { try DecimalNumber(parsing: text) }

    /// A price that crossed 61000.50 upwards.
    static func notice() throws -> Notice {
        var notice = Notice(
            id: "0190a0b0-0000-7000-8000-000000000001:3:0190a0b0-0000-7000-8000-0000000000ff", kind: .fired,
            venueTime: Timestamp(nanoseconds: 1_614_265_329_123_000_000))
        notice.rule = RuleID("0190a0b0-0000-7000-8000-000000000001")
        notice.epoch = 3
        notice.instrument = InstrumentID("binance-usdm:BTCUSDT")
        notice.condition = .crosses(.last, .above, level: try decimal("61000.50"))
        notice.price = try decimal("61003.20")
        notice.previous = try decimal("60999.90")
        notice.level = try decimal("61000.50")
        notice.currency = "USDT"
        notice.reason = "last price rose to 61003.20 from 60999.90, reaching 61000.50"
        return notice
    }

    static func text(_ title: String = "Alert: BTCUSDT", _ lines: [String] = ["Rose to 61,003.20"])
        -> NoticeText
    {
        NoticeText(
            title: title, lines: lines, language: "en", isRightToLeft: false, view: "View",
            unsubscribe: "Unsubscribe")
    }

    /// Everything that any channel needs.
    static func context() throws -> SendingContext {
        var context = SendingContext(now: now)
        context.page = "https://bitpal.example/alerts"
        context.unsubscribe = "https://bitpal.example/unsubscribe?token=abc"
        context.sender = try MailSender(address: "alerts@bitpal.example", name: "Bitpal")
        let key = try APNsKey(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", pem: Secret(pem))
        context.apns = try key.token(reusing: nil, at: now)
        context.badge = 2
        let bytes = Base64.bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw") ?? []
        context.vapid = try VAPIDKey(privateKey: Secret(bytes: bytes), subject: "mailto:ops@bitpal.example")
        context.entropy = Secret(bytes: bytes + (Base64.bytes("DGv6ra1nlYgDCS1FRnbzlw") ?? []))
        return context
    }

    static func request(_ kind: String, _ notice: Notice, _ text: NoticeText) throws -> OutgoingRequest {
        guard case .request(let request) = try settings(kind).outgoing(notice, text, try context()) else {
            throw Missing()
        }
        return request
    }
}

extension OutgoingRequest {
    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }
    var text: String { String(decoding: body, as: UTF8.self) }
}

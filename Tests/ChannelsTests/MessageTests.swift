import Alerting
import Instruments
import JSON
import Support
import Testing

@testable import Channels

@Suite("A message")
struct MessageTests {
    /// Letters that are long in some count: bytes, UTF-16 units, escapes of JSON, of Slack, of Discord.
    private static let letters: [Character] = [
        "a", "é", "€", "日", "👩‍👩‍👧", "🇩🇪", "&", "<", "*", "_", "\\", "\"", "\n", "\u{1}", "e\u{301}", "שׁ",
    ]

    private static func long(_ generator: inout SeededGenerator) -> String {
        String((0..<generator.int(0...6_000)).map { _ in generator.pick(letters) })
    }

    @Test("keeps its service's limits, whatever its text is")
    func keepsLimits() {
        property(cases: 20) { generator in
            let text = ChannelFixtures.text(Self.long(&generator), [Self.long(&generator), "x"])
            var notice = try ChannelFixtures.notice()
            notice.note = Self.long(&generator)
            notice.reason = Self.long(&generator)
            notice.tags = (0..<20).map { _ in Self.long(&generator) }
            for kind in ["webhook", "telegram", "ntfy", "slack", "discord", "apns", "web_push"] {
                let request = try ChannelFixtures.request(kind, notice, text)
                if kind == "web_push" {
                    try #require(request.body.count <= 4_096)
                    continue
                }
                let node = try JSONValue(request.body[...], depthLimit: 16)
                switch kind {
                case "webhook": try #require(request.body.count <= 40_000)
                case "apns": try #require(request.body.count <= 4_096)
                case "telegram": try #require(node["text"].utf16.count <= 4_096)
                case "ntfy":
                    try #require(node["message"].utf8.count <= 4_096)
                    try #require(node["title"].utf8.count <= 250)
                case "slack": try #require(node["blocks", "text", "text"].utf16.count <= 3_000)
                default:
                    try #require(node["embeds", "description"].utf16.count <= 4_096)
                    try #require(node["embeds", "title"].utf16.count <= 256)
                }
            }
        }
    }

    @Test("makes a sound and has a number on a device only while its owner wants them")
    func sounds() throws {
        func push(_ change: (inout SendingContext) -> Void) throws -> String {
            var context = try ChannelFixtures.context()
            change(&context)
            let outgoing = try ChannelFixtures.settings("apns").outgoing(
                try ChannelFixtures.notice(), ChannelFixtures.text(), context)
            guard case .request(let request) = outgoing else { return "" }
            return request.text
        }
        let loud = try push { $0.badge = 3 }
        #expect(loud.contains(#""sound":"default""#) && loud.contains(#""badge":3"#))
        let quiet = try push { ($0.isSilent, $0.badge) = (true, nil) }
        #expect(!quiet.isEmpty && !quiet.contains("sound") && !quiet.contains("badge"))
    }

    @Test("to a webhook has at most 40,000 bytes with the longest digest")
    func boundsDigest() throws {
        var notice = try ChannelFixtures.notice()
        let rule = try #require(RuleID(String(repeating: "\"", count: 128)))
        let scale = try #require(Scale(18))
        notice.items = (0..<100).map { number in
            Notice.Item(
                rule: rule, epoch: .max - Int64(number),
                instrument: InstrumentID("binance-usdm:BTCUSDT_210326-61000-C-AND-A-LONG-NAME"),
                price: DecimalNumber(units: .min, scale: scale),
                venueTime: .zero)
        }
        notice.reason = String(repeating: "\u{1}", count: 5_000)
        notice.note = notice.reason
        notice.tags = Array(repeating: notice.reason, count: 40)
        #expect(notice.json.utf8.count <= 40_000)
        #expect(notice.json.utf8.count > 8_000)
    }

    @Test("cuts at whole characters")
    func cuts() {
        #expect(TextCut.bytes("abc", 3) == "abc")
        #expect(TextCut.bytes("abcd", 3) == "…")
        #expect(TextCut.bytes("a👩‍👩‍👧bcdefgh", 20) == "a…")
        #expect(TextCut.units("ab🇩🇪cdef", 7) == "ab🇩🇪…")
        #expect(TextCut.json("ab\n\ncdef", 7) == "ab\\n".replacing("\\n", with: "\n") + "…")
        #expect(TextCut.bytes("abcd", 2) == "")
    }

    @Test("to a webhook has the documented form")
    func formsWebhook() throws {
        let expected =
            #"{"type":"alert.fired","timestamp":"2021-02-25T15:02:09.123000000Z","data":{"#
            + #""id":"0190a0b0-0000-7000-8000-000000000001:3:0190a0b0-0000-7000-8000-0000000000ff","#
            + #""rule":"0190a0b0-0000-7000-8000-000000000001","epoch":3,"instrument":"binance-usdm:BTCUSDT","#
            + #""condition":{"price":"last","crosses":"above","level":"61000.50"},"price":"61003.20","#
            + #""previous":"60999.90","level":"61000.50","currency":"USDT","#
            + #""reason":"last price rose to 61003.20 from 60999.90, reaching 61000.50","late_by_ns":0,"#
            + #""since":null,"count":0,"items":[],"note":"","tags":[],"priority":"normal"}}"#
        #expect(try ChannelFixtures.notice().json == expected)
    }

    @Test("has no text that its service would read as markup")
    func escapes() throws {
        let text = ChannelFixtures.text("<!channel> *a*", ["@everyone </p><script>", "<\u{301}b> [x](y)"])
        let notice = try ChannelFixtures.notice()
        let slack = try JSONValue(
            try ChannelFixtures.request("slack", notice, text).body[...], depthLimit: 16)
        #expect(slack["blocks", "text", "text"].hasPrefix("*&lt;!channel&gt; ∗a∗*\n@everyone &lt;/p&gt;"))
        #expect(slack["blocks", "text", "text"].contains("&lt;\u{301}b&gt;"))
        let discord = try JSONValue(
            try ChannelFixtures.request("discord", notice, text).body[...], depthLimit: 16)
        #expect(discord["embeds", "title"] == #"\<!channel\> \*a\*"#)
        #expect(discord["embeds", "description"].contains(#"\[x\]\(y\)"#))
        guard
            case .mail(let mail) = try ChannelFixtures.settings("email").outgoing(
                notice, text, try ChannelFixtures.context())
        else { return }
        let html = String(decoding: mail.message, as: UTF8.self).split(separator: "text/html").last ?? ""
        #expect(!html.contains("<script>") && html.contains("&lt;script"))
    }

    @Test("shows no more of itself than where it goes")
    func hides() throws {
        let request = try ChannelFixtures.request(
            "telegram", try ChannelFixtures.notice(), ChannelFixtures.text())
        var shown = "\(Outgoing.request(request)) \(String(reflecting: request))"
        dump(request, to: &shown)
        #expect(shown.contains("POST https://api.telegram.org (\(request.body.count) bytes)"))
        #expect(!shown.contains("123456") && !shown.contains("chat_id"))
    }

    @Test("leads to the alert")
    func leads() throws {
        let notice = try ChannelFixtures.notice()
        let query = "?id=0190a0b0-0000-7000-8000-000000000001&epoch=3"
        let apns = try ChannelFixtures.request("apns", notice, ChannelFixtures.text())
        #expect(apns.text.contains("\"url\":\"bitpal://alert\(query)\""))
        #expect(apns.text.contains("\"badge\":2") && apns.text.contains("\"category\":\"BITPAL_ALERT\""))
        #expect(apns.wantsHTTP2 && apns.header("apns-push-type") == "alert")
        #expect(apns.header("apns-expiration") == "1614351730")
        #expect((apns.header("apns-collapse-id") ?? "").utf8.count == 43)
        let telegram = try ChannelFixtures.request("telegram", notice, ChannelFixtures.text())
        #expect(telegram.text.contains("https://bitpal.example/alerts\(query)"))
    }

    @Test("to a Live Activity is an update with its content")
    func updatesActivity() throws {
        let settings = try ChannelSettings(
            kind: "apns", settings: #"{"bundle":"app.bitpal.ios","form":"live_activity"}"#,
            secrets: #"{"device":"00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"}"#)
        guard
            case .request(let request) = try settings.outgoing(
                try ChannelFixtures.notice(), ChannelFixtures.text(), try ChannelFixtures.context())
        else { return }
        #expect(request.url.hasPrefix("https://api.push.apple.com/3/device/00fc"))
        #expect(request.header("apns-topic") == "app.bitpal.ios.push-type.liveactivity")
        #expect(request.header("apns-push-type") == "liveactivity")
        let aps = try JSONValue(request.body[...], depthLimit: 16)
        #expect(aps["aps", "event"] == "update" && aps["aps", "timestamp"] == "1614265330")
        #expect(aps["aps", "content-state", "price"] == "61003.20")
    }

    @Test(
        "starts an activity, updates it, and ends it with the last firing of its rule",
        arguments: [
            ("live_activity_start", true, "start"), ("live_activity", false, "update"),
            ("live_activity", true, "end"),
        ])
    func activity(_ form: String, _ isLast: Bool, _ event: String) throws {
        let settings = try ChannelSettings(
            kind: "apns", settings: #"{"form":"\#(form)"}"#,
            secrets: #"{"device":"00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"}"#)
        var (notice, context) = (try ChannelFixtures.notice(), try ChannelFixtures.context())
        notice.isLast = isLast
        notice.note = String(repeating: "\u{1F642}", count: 4_000)
        let text = ChannelFixtures.text("Alert", [notice.note])
        let fault = #expect(throws: FieldFault.self) { try settings.outgoing(notice, text, context) }
        #expect(fault?.field == "settings.bundle")
        context.apnsAccount.topic = "app.bitpal.ios"
        context.apnsAccount.environment = .sandbox
        guard case .request(let request) = try settings.outgoing(notice, text, context) else { return }
        #expect(request.url.hasPrefix("https://api.sandbox.push.apple.com/3/device/00fc"))
        #expect(request.header("apns-topic") == "app.bitpal.ios.push-type.liveactivity")
        #expect(request.body.count <= 4_096 && request.body.count > 3_900)
        let json = try JSONValue(request.body[...], depthLimit: 16)
        #expect(json["aps", "event"] == event)
        #expect(json["aps", "attributes-type"] == (event == "start" ? "AlertAttributes" : ""))
        #expect(json["aps", "dismissal-date"] == (event == "end" ? "1614268930" : ""))
        #expect(json["aps", "stale-date"] == (event == "end" ? "" : "1614266230"))
    }

    @Test("for a program has its placeholders filled in once, and nothing is read by a shell")
    func fillsCommand() throws {
        var notice = try ChannelFixtures.notice()
        notice.note = "{price} $(rm) ; `x`"
        let settings = try ChannelSettings(
            kind: "command",
            settings: #"{"arguments":["/bin/{kind}","{note}","--at={price}","{unknown} {","{title}"]}"#,
            secrets: "{}")
        let outgoing = try settings.outgoing(
            notice, ChannelFixtures.text(), SendingContext(now: ChannelFixtures.now))
        let arguments = ["/bin/{kind}", notice.note, "--at=61003.20", "{unknown} {", "Alert: BTCUSDT"]
        #expect(outgoing == .command(arguments, input: Array((notice.json + "\n").utf8)))
    }
}

extension JSONValue {
    /// The text or number at the end of some keys; the first item of arrays; empty for none.
    fileprivate subscript(_ keys: String...) -> String {
        switch keys.reduce(self, { $0.child($1) }) {
        case .string(let text), .number(let text): text
        default: ""
        }
    }

    private func child(_ key: String) -> JSONValue {
        switch self {
        case .object(let members):
            let value = members.first { $0.key == key }?.value ?? .null
            if case .array(let items) = value { return items.first ?? .null }
            return value
        default: return .null
        }
    }
}

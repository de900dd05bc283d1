import Instruments
import Support
import Testing

@testable import Channels

@Suite("A channel's settings")
struct ChannelSettingsTests {
    @Test("are read for each kind", arguments: ChannelFixtures.channels.map(\.kind))
    func reads(_ kind: String) throws {
        _ = try ChannelFixtures.settings(kind)
    }

    /// What is wrong, and which field the one error names.
    static let wrong: [(String, String, String, String)] = [
        ("fax", "{}", "{}", "kind"),
        ("webhook", "[]", "{}", "settings"),
        ("webhook", "{", "{}", "settings"),
        ("webhook", "{}", "{}", "settings.url"),
        ("webhook", #"{"url":7}"#, "{}", "settings.url"),
        ("webhook", #"{"url":"http://example.org/"}"#, "{}", "settings.url"),
        ("webhook", #"{"url":"https://10.0.0.1/"}"#, "{}", "settings.url"),
        ("webhook", #"{"url":"https://example.org/"}"#, #"{"keys":[]}"#, "secrets.keys"),
        ("webhook", #"{"url":"https://example.org/"}"#, #"{"keys":["whsec_c2hvcnQ="]}"#, "secrets.keys"),
        (
            "webhook", #"{"url":"https://example.org/","more":1}"#,
            #"{"keys":["\#(ChannelFixtures.hookKey)"]}"#, "settings.more"
        ),
        ("email", #"{"to":"ada"}"#, "{}", "settings.to"),
        ("email", #"{"to":"ada@example.org\r\nBcc: b@example.org"}"#, "{}", "settings.to"),
        ("email", #"{"to":"ada@example.org","name":"a\nb"}"#, "{}", "settings.name"),
        ("telegram", #"{"chat":"here"}"#, "{}", "settings.chat"),
        ("telegram", #"{"chat":"1"}"#, #"{"token":"1:../../x"}"#, "secrets.token"),
        ("ntfy", #"{"server":"https://ntfy.sh","topic":"a/b"}"#, "{}", "settings.topic"),
        ("ntfy", #"{"server":"https://ntfy.sh/a","topic":"t"}"#, "{}", "settings.server"),
        ("slack", "{}", #"{"url":"https://example.org/services/x"}"#, "secrets.url"),
        ("discord", "{}", #"{"url":"https://discord.com.example.org/api/webhooks/1/x"}"#, "secrets.url"),
        ("apns", #"{"bundle":"a b"}"#, "{}", "settings.bundle"),
        ("apns", #"{"bundle":"a.b","form":"x"}"#, "{}", "settings.form"),
        ("apns", #"{"bundle":"a.b"}"#, #"{"device":"xyz"}"#, "secrets.device"),
        ("web_push", #"{"endpoint":"https://push.example.net/x","p256dh":"AAAA"}"#, "{}", "settings.p256dh"),
        ("command", #"{"arguments":["sh","-c"]}"#, "{}", "settings.arguments"),
    ]

    @Test("are refused with the field, the value and what is accepted", arguments: wrong)
    func refuses(_ kind: String, _ settings: String, _ secrets: String, _ field: String) throws {
        let fault = #expect(throws: FieldFault.self) {
            try ChannelSettings(kind: kind, settings: settings, secrets: secrets)
        }
        #expect(fault?.field == field)
        #expect(fault?.accepted.isEmpty == false)
    }

    @Test("and their answers may be anything: nothing ends the process")
    func survives() {
        property { generator in
            let channel = generator.pick(ChannelFixtures.channels)
            func damaged(_ text: String) -> String {
                var bytes = Array(text.utf8)
                for _ in 0..<generator.int(0...3) {
                    bytes[generator.int(0...bytes.count - 1)] = UInt8(generator.int(0...255))
                }
                return String(
                    decoding: bytes.prefix(generator.int(bytes.count / 2...bytes.count)), as: UTF8.self)
            }
            _ = try? ChannelSettings(
                kind: channel.kind, settings: damaged(channel.settings), secrets: damaged(channel.secrets))
            let answers = [
                #"{"parameters":{"retry_after":99999999999999999,"migrate_to_chat_id":1e999}}"#,
                #"{"retry_after":-0.5,"code":10015}"#, #"{"reason":["Unregistered"]}"#,
                "[[[[[[[[[[[[[[[[[[[[", "",
            ]
            let answer = Answer(
                status: generator.int(-1...1_000),
                headers: [Header(name: "retry-after", value: damaged("Thu, 25 Feb 2021 15:03:10 GMT"))],
                body: Array(damaged(generator.pick(answers) + " ").utf8))
            _ = try ChannelFixtures.settings(channel.kind).verdict(answer, at: ChannelFixtures.now)
        }
    }

    @Test("never show a secret, neither in an error nor when they are dumped")
    func hides() throws {
        let fault = #expect(throws: FieldFault.self) {
            try ChannelSettings(
                kind: "ntfy", settings: #"{"server":"https://ntfy.sh","topic":"t"}"#,
                secrets: #"{"token":"hush","hush":1}"#)
        }
        #expect(fault?.description.contains("hush") == false)
        for channel in ChannelFixtures.channels {
            let settings = try ChannelFixtures.settings(channel.kind)
            var shown = "\(settings) \(String(reflecting: settings))"
            dump(settings, to: &shown)
            let hidden = channel.secrets.split(separator: "\"").filter { $0.utf8.count > 8 }
            for secret in hidden {
                #expect(!shown.lowercased().contains(secret.lowercased()), "\(channel.kind)")
            }
        }
    }
}

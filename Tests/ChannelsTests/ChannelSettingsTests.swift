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
        let fault = #expect(throws: ChannelFault.self) {
            try ChannelSettings(kind: kind, settings: settings, secrets: secrets)
        }
        #expect(fault?.field == field)
        #expect(fault?.accepted.isEmpty == false)
    }

    @Test("never show a secret, neither in an error nor when they are dumped")
    func hides() throws {
        let fault = #expect(throws: ChannelFault.self) {
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

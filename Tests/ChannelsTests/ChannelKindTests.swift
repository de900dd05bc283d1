import Alerting
import Instruments
import JSON
import Testing

@testable import Channels

@Suite("A kind of channel")
struct ChannelKindTests {
    static let kinds = ChannelCatalogue.standard.kinds.map(\.rawValue)

    private static func kind(_ name: String) throws -> ChannelKind {
        try #require(PagerSettings.catalogue[name])
    }

    private static func object(_ text: String) throws -> JSONObject {
        guard case .object(let object) = try JSONValue(Array(text.utf8)[...], depthLimit: 16) else {
            throw ChannelFixtures.Missing()
        }
        return object
    }

    private static func text(_ object: JSONObject) -> String {
        String(decoding: JSONValue.object(object).bytes, as: UTF8.self)
    }

    @Test("is named where none is known")
    func names() {
        #expect(
            ChannelCatalogue.standard.choice
                == "webhook, email, telegram, ntfy, slack, discord, apns, web_push or command")
        #expect(ChannelKind.allCases.map(\.rawValue) == Self.kinds && ChannelKind(rawValue: "fax") == nil)
        #expect(ChannelKind(rawValue: "web_push") == .webPush && ChannelKind.webhook != .email)
    }

    @Test("has what tests know of it, and words of its own in every language", arguments: kinds)
    func words(_ name: String) throws {
        let kind = try Self.kind(name)
        #expect(ChannelFixtures.channels.map(\.kind).contains(name))
        #expect(Set(kind.fields.map { "\($0.part) \($0.name)" }).count == kind.fields.count)
        for language in Language.all {
            #expect(!kind.title.text(in: language).isEmpty)
            for field in kind.fields { #expect(field.label?.text(in: language) != "", "\(field.name)") }
        }
    }

    @Test("takes the example of each of its fields", arguments: kinds)
    func examples(_ name: String) throws {
        var parts: [ChannelField.Part: JSONObject] = [.settings: [:], .secrets: [:]]
        for field in try Self.kind(name).fields {
            let example = JSONValue.string(field.example)
            var value = example
            if case .texts = field.form { value = .array([example]) }
            parts[field.part]?[field.name] = value
        }
        _ = try ChannelSettings(
            kind: name, settings: Self.text(parts[.settings] ?? [:]),
            secrets: Self.text(parts[.secrets] ?? [:]))
    }

    @Test("has to be given what it says that it needs, and nothing else", arguments: kinds)
    func needs(_ name: String) throws {
        let known = try #require(ChannelFixtures.channels.first { $0.kind == name })
        let whole = [
            ChannelField.Part.settings: try Self.object(known.settings),
            .secrets: try Self.object(known.secrets),
        ]
        for field in try Self.kind(name).fields {
            var parts = whole
            parts[field.part]?[field.name] = nil
            let text = parts.mapValues(Self.text)
            func read() throws {
                _ = try ChannelSettings(
                    kind: name, settings: text[.settings] ?? "", secrets: text[.secrets] ?? "")
            }
            // What is made where it is not given is there when a channel is read.
            var random = SystemRandomNumberGenerator()
            let isMade = try Self.kind(name).newSecret(using: &random)?.field.name == field.name
            guard field.isRequired || isMade else {
                try read()
                continue
            }
            let fault = #expect(throws: FieldFault.self) { try read() }
            #expect(fault?.field == "\(field.part).\(field.name)")
        }
    }

    @Test("makes a secret that it takes")
    func makesSecret() throws {
        var random = SystemRandomNumberGenerator()
        let secret = try #require(ChannelKind.webhook.newSecret(using: &random))
        let secrets = String(decoding: secret.json.bytes, as: UTF8.self)
        _ = try ChannelSettings(
            kind: "webhook", settings: #"{"url":"https://example.org/hook"}"#, secrets: secrets)
        #expect(secrets.contains(secret.text) && !"\(secret)".contains(secret.text))
        #expect(ChannelKind.email.newSecret(using: &random) == nil)
    }

    @Test("is offered by a form where people make it, the one that most have first")
    func offers() {
        let offered = ChannelCatalogue.standard.offered
        #expect(offered.map(\.rawValue).sorted() == Self.kinds.sorted())
        #expect(
            offered.filter { $0.maker == .person }.map(\.rawValue)
                == ["email", "webhook", "telegram", "ntfy", "slack", "discord"])
        #expect(ChannelKind.allCases.filter(\.isDevice).map(\.rawValue) == ["apns", "web_push"])
    }
}

@Suite("One more kind of channel")
struct OneMoreKindTests {
    private static func settings(
        _ settings: String, _ secrets: String = "{}"
    ) throws(FieldFault) -> ChannelSettings {
        try ChannelSettings(kind: "pager", settings: settings, secrets: secrets, of: PagerSettings.catalogue)
    }

    @Test("is known by its line in the catalogue")
    func isKnown() throws {
        #expect(PagerSettings.catalogue.choice.hasSuffix("web_push, command or pager"))
        let kind = try #require(PagerSettings.catalogue["pager"])
        #expect(kind.title.text(in: .german) == "Funkruf" && kind.maker == .person && kind.needs.isEmpty)
        #expect(try Self.settings(#"{"number":"0123"}"#).kind == kind)
    }

    @Test(
        "refuses in its own words",
        arguments: [
            (#"{"number":"12"}"#, "{}", "settings.number", "4...12 digits"),
            (#"{"number":"0123","volume":"x"}"#, "{}", "settings.volume", "one of loud, soft"),
            (#"{"number":"0123"}"#, #"{"token":""}"#, "secrets.token", "a code of 1...128 bytes"),
            (#"{"number":"0123","to":1}"#, "{}", "settings.to", "no field but these: number, volume"),
        ])
    func refuses(_ settings: String, _ secrets: String, _ field: String, _ accepted: String) {
        let fault = #expect(throws: FieldFault.self) { try Self.settings(settings, secrets) }
        #expect(fault?.field == field && fault?.accepted == accepted)
    }

    @Test("is told, and understood")
    func tells() throws {
        let settings = try Self.settings(#"{"number":"0123","volume":"soft"}"#, #"{"token":"8T4k"}"#)
        let outgoing = try settings.outgoing(
            try ChannelFixtures.notice(), ChannelFixtures.text(), try ChannelFixtures.context())
        guard case .request(let request) = outgoing else { throw ChannelFixtures.Missing() }
        #expect(request.text == #"{"to":"0123","volume":"soft","text":"Alert: BTCUSDT","code":"8T4k"}"#)
        #expect(settings.host == "pager")
        func verdict(_ status: Int) -> Verdict {
            settings.verdict(Answer(status: status), at: ChannelFixtures.now)
        }
        #expect(verdict(200) == .delivered && verdict(404) == .gone("there is no such pager"))
        #expect(verdict(503) == .again(after: nil) && verdict(0) == .again(after: nil))
    }
}

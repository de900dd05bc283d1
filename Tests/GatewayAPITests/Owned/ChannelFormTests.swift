import AlertStore
import Instruments
import JSON
import Shapes
import Support
import Testing

@testable import Channels
@testable import GatewayAPI

@Suite("Kinds of channel", .timeLimit(.minutes(10)))
struct ChannelFormTests {
    @Test("are given with their forms, in the words of a language")
    func forms() async throws {
        try await TwoUserFixture.run { fixture, ann, _ in
            let german = try await ann.get("/v1/channels/kinds?locale=de-AT")
            #expect(try german.json("items.0.kind") == .string("email"))
            #expect(try german.json("items.0.title") == .string("E-Mail"))
            #expect(try german.json("items.0.fields.0.label") == .string("Adresse"))
            #expect(try german.json("items.1.fields.1.part") == .string("secrets"))
            #expect(try german.json("items.1.fields.1.label") == .some(.null))
            guard case .array(let items)? = try german.json("items") else {
                throw PropertyFailure(german.text)
            }
            #expect(items.count == ChannelKind.allCases.count)
            let english = try await ann.get("/v1/channels/kinds")
            #expect(try english.json("items.0.title") == .string("E-mail"))
            #expect(try await ann.get("/v1/channels/kinds?language=de").status == 422)
            #expect(try await fixture.client.get("/v1/channels/kinds").status == 401)
        }
    }

    @Test("with one more have its form, and its fields in the document")
    func oneMore() throws {
        let catalogue = ChannelCatalogue([NtfySettings.self, BellSettings.self])
        let kind = try #require(catalogue["bell"])
        let form = ChannelKindBody(kind: kind, language: .spanish).json
        #expect(
            String(decoding: form, as: UTF8.self)
                == #"{"kind":"bell","title":"Campana","made_by":"person","fields":[{"name":"topic","#
                + #""part":"settings","type":"choice","required":true,"label":"Tono","about":"the tone","#
                + #""example":"low","least":null,"most":null,"words":["low","high"]}]}"#)
        let settings = FieldDocument.channelFields(in: .settings, of: catalogue)
        #expect(settings.map(\.name) == ["server", "topic"])
        #expect(settings[1].text == "Of ntfy. Of bell: the tone.")
        #expect(FieldDocument.channelFields(in: .secrets, of: catalogue).map(\.text) == ["Of ntfy."])
    }
}

/// A kind of channel that there is in this test only.
private struct BellSettings: ChannelReceiver {
    static let name = "bell"
    static let title = ChannelWords(en: "Bell", de: "Glocke", es: "Campana", ja: "ベル")
    static let fields = [tone]

    private static let tone = ChannelField(
        "topic", .words(["low", "high"]), label: ChannelWords(en: "Tone", de: "Ton", es: "Tono", ja: "音"),
        "the tone", example: "low", accepted: "low or high", where: { ["low", "high"].contains($0) })

    var host: String { "bell" }

    init(_ given: ChannelReader) throws(FieldFault) { _ = try given.text(Self.tone) }

    func outgoing(_ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext) -> Outgoing {
        .command(["/usr/bin/bell"], input: [])
    }
}

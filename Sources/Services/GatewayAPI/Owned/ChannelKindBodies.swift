import Channels
import Shapes

/// A kind of channel in the words of a language, as forms are made of it.
struct ChannelKindBody: WireBody {
    static let shape = BodyShape<ChannelKindBody>("ChannelKind", "A kind of channel, and what it asks for.") {
        Field(
            "kind", \.kind.rawValue, "As a channel has it.",
            as: .words(ChannelKind.allCases.map(\.rawValue)), example: "ntfy")
        Field("title", { $0.kind.title.text(in: $0.language) }, "What people call it.", example: "ntfy")
        Field(
            "made_by", \.kind.maker.rawValue,
            """
            Whoever wants to be told, a browser or an app of itself, or only whoever works on the machine \
            itself.
            """, as: .words(ChannelMaker.allCases.map(\.rawValue)), example: "person")
        Field(
            "fields",
            { body in
                body.kind.fields.map { ChannelFieldBody(field: $0, language: body.language) }
            }, "In the order in which they are asked for.")
    }

    var kind: ChannelKind
    var language: Language
}

/// What a kind of channel asks for.
struct ChannelFieldBody: WireBody {
    static let shape = BodyShape<ChannelFieldBody>("ChannelField", "What a kind of channel asks for.") {
        Field("name", \.field.name, "As it is written.", example: "topic")
        Field(
            "part", \.field.part.rawValue, "Where it is written; secrets are never shown again.",
            as: .words(["settings", "secrets"]), example: "settings")
        Field(
            "type", \.field.form.name, "What it holds; a list holds texts.",
            as: .words(["text", "email", "url", "choice", "list"]), example: "text")
        Field("required", \.field.isRequired, "Whether it has to be given.", example: true)
        Field(
            "label", { $0.field.label?.text(in: $0.language) },
            "What the page calls it; null for one that it does not ask for.",
            as: .nullable(.text()), example: "Topic")
        Field(
            "about", \.field.sentence, "What it is, in English; empty where its name says all.", example: "")
        Field("example", \.field.example, "One that is right.", example: "mine")
        Field(
            "least", \.field.form.count?.lowerBound, "Characters of a text, or texts of a list.",
            as: .nullable(.integer()), example: 1)
        Field(
            "most", \.field.form.count?.upperBound, "Characters of a text, or texts of a list.",
            as: .nullable(.integer()), example: 64)
        Field("words", \.field.form.words, "What a choice has; else none.", example: .list([]))
    }

    var field: ChannelField
    var language: Language
}

extension ChannelField.Form {
    /// As the API calls it.
    fileprivate var name: String {
        switch self {
        case .text: "text"
        case .email: "email"
        case .url: "url"
        case .words: "choice"
        case .texts: "list"
        }
    }

    /// How much of it there may be, where that is said.
    fileprivate var count: ClosedRange<Int>? {
        switch self {
        case .text(let count): count
        case .texts(let count): count
        case .email, .url, .words: nil
        }
    }

    /// What it may be, where that is a few words.
    fileprivate var words: [String] {
        if case .words(let words) = self { words } else { [] }
    }
}

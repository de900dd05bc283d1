import AccountStore
import Alerting
import Channels
import GatewayFrame
import Shapes

/// What somebody can be told of, with the fields to fill in and the words for them.
private struct ConditionFormBody: WireBody {
    static let shape = BodyShape<ConditionFormBody>("ConditionForm") {
        Field("name", \.form.name, "Of no other form.", example: "rsi")
        Field("title", { $0.words.name }, "For a list of forms.", example: "RSI reaches a level")
        Field("about", { $0.words.about }, "One line of help.")
        Field(
            "says", { $0.words.says },
            """
            What must happen, as a part of a sentence with names of fields in curly brackets, by what is \
            chosen in those that pick it.
            """, example: ["above": "the RSI of {name} rises above {level}"])
        Field("has_instrument", \.form.example.needsInstrument, "Whether it is about one.", example: true)
        Field(
            "has_level", \.form.example.hasLevel,
            "Whether its value can stay at a level and move back from it.", example: false)
        Field(
            "unit", \.form.levelUnit?.rawValue, "In what the way back is counted; null for a bare number.",
            as: .nullable(unit))
        Field("choices", { $0.words.choices }, "Words to choose that are called otherwise than everywhere.")
        Field("fields", \.fields, "In the order in which they are asked for.")
    }

    fileprivate static let unit = Schema.words(["quote", "size", "currency", "percent"])

    /// A field to fill in.
    struct Part: WireBody {
        static let shape = BodyShape<Part>("ConditionField") {
            Field("name", \.field.name, example: "level")
            Field("path", \.path, "Where it stands in the condition.", example: ["rsi", "level"])
            Field(
                "type", \.field.type, "What is written or chosen in it.",
                as: .words(["number", "whole", "duration", "interval", "choice", "text", "portfolio"]),
                example: "number")
            Field("options", \.field.options, "What can be chosen; the empty text for none.")
            Field("value", \.field.start, "What it begins with.", example: "70")
            Field("optional", \.field.isOptional, "Whether it may be left empty.", example: false)
            Field("picks", \.field.picksSentence, "Whether the sentence depends on it.", example: false)
            Field(
                "unit", \.field.unit?.rawValue, "In what it is counted; null for a bare number.",
                as: .nullable(ConditionFormBody.unit))
            Field("label", \.label, "Null where it is called as everywhere.")
            Field("help", \.help, "One line; null where it is as everywhere.")
        }

        var path: [String]
        var field: ConditionField
        var label: String?
        var help: String?
    }

    var form: ConditionForm
    var words: FormWords

    /// In a language, or in English where there are no words in it; `nil` where there are none at all.
    init?(_ form: ConditionForm, in language: Language) {
        guard let words = form.words[language.tag] ?? form.words[Language.english.tag] else { return nil }
        (self.form, self.words) = (form, words)
    }

    var fields: [Part] {
        form.places.map { place in
            Part(
                path: place.path, field: place.field, label: words.labels[place.field.name],
                help: words.help[place.field.name])
        }
    }
}

extension Gateway {
    func addConditionRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/alerts/conditions", .market,
            Operation(
                "listConditions", .alerts, "What a rule can wait for, with the fields to fill in."),
            query: [Self.wordsLocale]
        ) { context in
            let language = Language.best(for: try context.query[Self.wordsLocale].map { [$0] } ?? [])
            let forms = ConditionCatalogue.standard.formsByInput
            return Page(
                forms.compactMap { ConditionFormBody($0, in: language) }, freshness: .seconds(60))
        }
    }
}

/// One of the things that a person can choose to be told of, with the fields to fill in.
public struct ConditionForm: Sendable {
    /// Such as `price` or `volume_times`.
    public var name: String
    /// The kind's name in a condition's JSON.
    public var key: String
    /// Where its fields stand there.
    public var layout: ConditionLayout
    /// A condition of this form.
    public var example: AlertCondition
    /// In the order in which they are asked for.
    public var fields: [ConditionField]
    /// What it is called and says, by language.
    public var words: [String: FormWords]
}

/// What the conditions of a kind may have in JSON, whichever form they are of.
public struct ConditionShape: Sendable {
    /// The kind's name in a condition's JSON.
    public var key: String
    /// Where its fields stand there.
    public var layout: ConditionLayout
    /// A line for the API's document; empty where the name says all.
    public var about: String
    /// All of them, and which of them every form has.
    public var fields: [(field: ConditionField, isInAll: Bool)]
}

extension ConditionCatalogue {
    /// Every form of every kind.
    public var forms: [ConditionForm] { kinds.flatMap { Self.forms(of: $0) } }

    /// What each kind may have.
    public var shapes: [ConditionShape] { kinds.map { Self.shape(of: $0) } }

    private static func forms<Kind: ConditionKind>(of kind: Kind.Type) -> [ConditionForm] {
        kind.forms.map { form in
            ConditionForm(
                name: form.name, key: kind.key, layout: kind.layout, example: AlertCondition(form.example),
                fields: form.example.fields, words: kind.words[form.name] ?? [:])
        }
    }

    private static func shape<Kind: ConditionKind>(of kind: Kind.Type) -> ConditionShape {
        let forms = kind.forms.map(\.example.fields)
        var fields: [ConditionField] = []
        for form in forms {
            // What a form alone has comes before what it has in common with others.
            var place: Int?
            for field in form.reversed() {
                if let known = fields.firstIndex(where: { $0.name == field.name }) {
                    place = known
                } else {
                    fields.insert(field, at: place ?? fields.count)
                    place = place ?? fields.count - 1
                }
            }
        }
        return ConditionShape(
            key: kind.key, layout: kind.layout, about: kind.about,
            fields: fields.map { field in
                (field, forms.allSatisfy { $0.contains { $0.name == field.name } })
            })
    }
}

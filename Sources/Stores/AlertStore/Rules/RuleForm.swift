import Alerting
package import Shapes

/// Rules in the form of import and export, as the document tells them; `Alerting` reads and writes them.
package enum RuleForm: Described {
    /// A rule as it is written.
    package static let document = BodyDocument(
        "RuleForm", "A rule in the form of import and export; what is as usual is left out.",
        written.required.fields(.body(RuleCondition.self)))

    /// The fields of one who makes a rule.
    package static let new = taken.required.fields(.body(NewRuleCondition.self))
    /// The fields of one who changes a rule: those that are missing stay.
    package static let change = taken.fields(.body(NewRuleCondition.self))

    fileprivate static let written = Direction(isTaken: false)
    fileprivate static let taken = Direction(isTaken: true)

    /// Whether a rule comes in, with what may be missing, or goes out.
    fileprivate struct Direction {
        var isTaken: Bool
        /// Whether a condition must be there, and what is always written.
        var isWhole = false

        var required: Direction { Direction(isTaken: isTaken, isWhole: true) }

        /// A decimal, which may come as a bare number.
        var decimal: Schema {
            isTaken ? .keywords([.init("type", ["string", "number"])]) : .decimal
        }
    }
}

/// What must happen for a rule to fire, as it is written.
package enum RuleCondition: Described {
    package static let document = RuleForm.written.condition("RuleCondition")
}

/// What must happen for a rule to fire, as somebody says it.
package enum NewRuleCondition: Described {
    package static let document = RuleForm.taken.condition("NewRuleCondition")
}

extension RuleForm.Direction {
    fileprivate func fields(_ condition: Schema) -> [FieldDocument] {
        let days = Schema.words(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
        let active = object([
            mayLack("hours", .text(), "Such as 08:00-22:00; past midnight too."),
            mayLack("days", .array(days, 0...16), "All where it is missing."),
            hasUsually("time_zone", .text(), "UTC", "Whose clock, such as Europe/Berlin."),
        ])
        return [
            isTaken
                ? mayLack("id", .text(length: 1...128), "A UUID is kept, any other name is replaced by one.")
                : FieldDocument("id", .text("uuid")),
            mayLack(
                "instrument", .text(), "None for a condition on a portfolio or a listing.",
                example: "kraken:BTC/USD"),
            FieldDocument("condition", condition, isRequired: isWhole || !isTaken),
            isTaken
                ? mayLack("repeat", repetition, "Once where it is missing.")
                : FieldDocument("repeat", repetition, example: "once"),
            mayLack("when_already", .boolean, "Whether it fires where the value is already."),
            mayLack("expires", .time, "From then on it fires no more."),
            mayLack("for", .duration, "How long the condition must hold, 1ns...7d."),
            mayLack("active", active, "When it may fire; always where it is missing."),
            mayLack("note", .text(length: 0...1_024), "Words for its owner."),
            mayLack("tags", .array(.text(length: 1...64), 0...16), "For finding it."),
            mayLack(
                "channels", .array(.text(length: 1...64), 0...16),
                "Names of those that tell it; all where there is none."),
            mayLack("priority", .words(AlertPriority.self), "Normal where it is missing."),
        ]
    }

    private var repetition: Schema {
        .anyOf([
            .words(["once"]),
            object([
                hasUsually(
                    "cooldown", .duration, "1h",
                    "Not again before, 1s...365d unless the installation has another least."),
                mayLack("hysteresis", decimal, "Not again before the value went back so far."),
            ]),
        ])
    }

    fileprivate func condition(_ name: String) -> BodyDocument {
        BodyDocument(
            name, "A price with crosses and level or with leaves, or one of the others.", isOpen: !isTaken,
            example: ["price": "last", "crosses": "above", "level": "61000"],
            ConditionCatalogue.standard.shapes.flatMap { members(of: $0) })
    }

    private func members(of shape: ConditionShape) -> [FieldDocument] {
        guard shape.layout == .inside else {
            return shape.fields.map { mayLack($0.field.name, schema($0.field), $0.field.note) }
        }
        return [
            mayLack(
                shape.key, object(shape.fields.map { document($0.field, isInAll: $0.isInAll) }), shape.about)
        ]
    }

    private func document(_ field: ConditionField, isInAll: Bool = true) -> FieldDocument {
        guard isInAll, !field.isOptional else { return mayLack(field.name, schema(field), field.note) }
        guard let usual = field.usual else { return FieldDocument(field.name, schema(field), field.note) }
        var standard = DocumentNode.text(usual)
        if case .whole = field.content, let number = Int64(usual) { standard = .integer(number) }
        return hasUsually(field.name, schema(field), standard, field.note)
    }

    private func schema(_ field: ConditionField) -> Schema {
        switch field.content {
        case .decimal: decimal
        case .whole(let range): .integer(in: Int64(range.lowerBound)...Int64(range.upperBound))
        case .duration: .duration
        case .interval: .text()
        case .choice(let words): .words(words)
        case .text(let range, _): .text(length: range)
        case .portfolio: .text(length: 1...128)
        case .object(let fields, _): object(fields.map { document($0) })
        }
    }

    // MARK: - Parts

    /// A field that is not always there, and may come as null.
    private func mayLack(
        _ name: String, _ schema: Schema, _ text: String = "", example: DocumentNode? = nil
    ) -> FieldDocument {
        FieldDocument(
            name, isTaken ? .nullable(schema) : schema, text, example: isWhole ? example : nil,
            isRequired: false)
    }

    /// A field that is always written, and may be missing where a rule comes in.
    private func hasUsually(
        _ name: String, _ schema: Schema, _ usual: DocumentNode, _ text: String = ""
    ) -> FieldDocument {
        guard isTaken else { return FieldDocument(name, schema, text) }
        return FieldDocument(name, .nullable(schema), text, isRequired: false, standard: usual)
    }

    private func object(_ fields: [FieldDocument]) -> Schema {
        guard case .object(let members) = BodyDocument("", isOpen: !isTaken, fields).node else { return .any }
        return .keywords(members)
    }
}

extension Schema {
    /// Such as `90s` or `1h`.
    fileprivate static let duration = Schema.text(pattern: "^[0-9]+(ns|us|ms|s|m|h|d)$")

    fileprivate static func words<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> Schema
    {
        words(type.allCases.map(\.rawValue))
    }
}

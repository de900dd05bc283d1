/// What a form shows of a field.
extension ConditionField {
    /// What can be chosen, the usual first, the empty text for none; nothing where anything can be written.
    public var options: [String] {
        switch content {
        case .choice(let words): (isOptional ? [""] : usual.map { [$0] } ?? []) + words.filter { $0 != usual }
        // Those of a second are for programs.
        case .interval: RuleDuration.intervals.filter { $0 != "1s" }
        case .decimal, .whole, .duration, .text, .portfolio, .object: []
        }
    }

    /// What it begins with.
    public var start: String { usual ?? options.first ?? suggested }

    /// What somebody writes or chooses in it.
    public var type: String {
        switch content {
        case .decimal: "number"
        case .whole: "whole"
        case .duration: "duration"
        case .interval: "interval"
        case .choice: "choice"
        case .text, .object: "text"
        case .portfolio: "portfolio"
        }
    }
}

extension ConditionForm {
    /// The fields that can be filled in, each with the way to it from the condition.
    public var places: [(path: [String], field: ConditionField)] {
        Self.places(fields, in: layout == .inside ? [key] : [])
    }

    private static func places(
        _ fields: [ConditionField], in path: [String]
    ) -> [(path: [String], field: ConditionField)] {
        fields.flatMap { field in
            let place = path + [field.name]
            guard case .object(let inside, _) = field.content else { return [(place, field)] }
            return places(inside, in: place)
        }
    }

    /// In what the level is counted from which a value moves back; `nil` for a bare number or no level.
    public var levelUnit: ConditionField.Unit? {
        guard example.hasLevel else { return nil }
        return switch example.input {
        case .price, .closes, .spread: .quote
        case .figure: .currency
        case .derivative(.funding): .percent
        case .trades, .levels, .derivative, .feed, .listings: nil
        }
    }
}

extension ConditionCatalogue {
    /// Every form in the order in which people look for it: by what it looks at.
    public var formsByInput: [ConditionForm] {
        let forms = forms
        return forms.indices.sorted { left, right in
            (forms[left].example.input.place, left) < (forms[right].example.input.place, right)
        }.map { forms[$0] }
    }
}

extension ConditionInput {
    fileprivate var place: Int {
        switch self {
        case .price: 0
        case .closes: 1
        case .trades, .spread, .levels, .derivative: 2
        case .feed: 3
        case .figure: 4
        case .listings: 5
        }
    }
}

/// A text of a catalogue, with `{names}` for what is filled in.
package enum Phrase: Hashable, Sendable, ExpressibleByStringLiteral {
    /// One text.
    case plain(String)
    /// A text for each form that the language's plural has.
    case counted([PluralForm: String])

    /// One text.
    package init(stringLiteral value: String) { self = .plain(value) }

    /// All texts.
    package var texts: [String] {
        switch self {
        case .plain(let text): [text]
        case .counted(let forms): forms.sorted { $0.key.rawValue < $1.key.rawValue }.map(\.value)
        }
    }
}

/// The forms that plurals have in the languages of the world; source: Unicode CLDR, "Language plural rules".
package enum PluralForm: String, Hashable, Sendable, CaseIterable {
    /// Nothing of it, where that is said otherwise.
    case zero
    /// One thing.
    case one
    /// A pair.
    case two
    case few
    case many
    /// All the rest; every language has it.
    case other
}

/// Which form a number of things takes.
package struct PluralRule: Sendable {
    /// The forms that occur.
    package let forms: Set<PluralForm>
    /// The form for a number of at least 0.
    package let form: @Sendable (Int) -> PluralForm

    package init(forms: Set<PluralForm>, form: @escaping @Sendable (Int) -> PluralForm) {
        self.forms = forms
        self.form = form
    }

    /// One form for all, as in Japanese.
    package static let same = PluralRule(forms: [.other]) { _ in .other }
    /// One for 1 and one for the rest, as in English, German and, below a million, in Spanish.
    package static let oneAndOther = PluralRule(forms: [.one, .other]) { $0 == 1 ? .one : .other }
}

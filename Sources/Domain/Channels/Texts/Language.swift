/// A language in which notices are written: its words, and how it writes numbers and times.
package struct Language: Sendable {
    /// By BCP 47, such as `de`.
    package let tag: String
    /// Whether it is written from the right to the left.
    package let isRightToLeft: Bool
    /// Numbers and money.
    package let numbers: NumberStyle
    package let times: TimeStyle
    /// Which form of a counted text a number takes.
    package let plural: PluralRule
    /// The catalogue.
    package let phrases: [TextKey: Phrase]

    package init(
        tag: String, isRightToLeft: Bool = false, numbers: NumberStyle, times: TimeStyle, plural: PluralRule,
        phrases: [TextKey: Phrase]
    ) {
        self.tag = tag
        self.isRightToLeft = isRightToLeft
        self.numbers = numbers
        self.times = times
        self.plural = plural
        self.phrases = phrases
    }

    package static let all: [Language] = [.english, .spanish, .german, .japanese]

    /// The language for a person's wishes, the first that there is; English for none of them.
    ///
    /// `de-AT` and `de_AT.UTF-8` are German.
    package static func best(for tags: [String]) -> Language {
        for tag in tags {
            let base = tag.lowercased().prefix { $0.isASCII && $0.isLetter }
            if let language = all.first(where: { $0.tag == base }) { return language }
        }
        return .english
    }

    /// A text with its values filled in, taken in the form of `count` where there are several.
    ///
    /// In a language from right to left each value stands in isolation, so that it does not turn its
    /// surroundings (Unicode Standard Annex 9).
    func text(_ key: TextKey, count: Int = 0, _ values: [String: String] = [:]) -> String {
        var values = values
        if key.isCounted { values["count"] = numbers.text(count) }
        let template: String
        switch phrases[key] {
        case .plain(let text): template = text
        case .counted(let forms): template = forms[plural.form(count)] ?? forms[.other] ?? key.rawValue
        case nil: template = key.rawValue
        }
        return Placeholders.fill(template) { name in
            values[name].map { isRightToLeft ? "\u{2068}\($0)\u{2069}" : $0 }
        }
    }
}

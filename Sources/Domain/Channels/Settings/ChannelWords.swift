/// What something of a channel's form is called, in each language that there is.
package struct ChannelWords: Hashable, Sendable {
    private let english: String
    private let others: [String: String]

    /// A text in every language, so that the compiler asks for each.
    init(en: String, de: String, es: String, ja: String) {
        english = en
        others = ["de": de, "es": es, "ja": ja]
    }

    /// A name, which is the same in every language.
    init(_ name: String) { (english, others) = (name, [:]) }

    /// The text in a language.
    package func text(in language: Language) -> String { others[language.tag] ?? english }
}

/// What a form of a condition is called and says in one language.
public struct FormWords: Sendable {
    /// In a list of forms.
    public var name: String
    /// One line of help.
    public var about: String
    /// What must happen, as a part of a sentence, by what is chosen in its fields: `above`, `up.start`.
    ///
    /// Names in curly brackets are fields; `name` is the instrument. Under the empty text that of a form in
    /// which nothing is chosen.
    public var says: [String: String]
    /// Names of fields that are called otherwise than where others have them, or that no other form has.
    public var labels: [String: String]
    /// Lines of help of such fields.
    public var help: [String: String]
    /// What words to choose are called that no other form has.
    public var choices: [String: String]

    public init(
        _ name: String, _ about: String, says: [String: String], labels: [String: String] = [:],
        help: [String: String] = [:], choices: [String: String] = [:]
    ) {
        (self.name, self.about, self.says) = (name, about, says)
        (self.labels, self.help, self.choices) = (labels, help, choices)
    }
}

/// Words by form and language.
public typealias ConditionWords = [String: [String: FormWords]]

/// A notice in the words of a person's language.
package struct NoticeText: Hashable, Sendable {
    /// One line.
    package var title: String
    /// The lines under it, the most important first.
    package var lines: [String]
    /// The language's tag by BCP 47, such as `de`.
    package var language: String
    /// Whether it is written from the right to the left.
    package var isRightToLeft: Bool
    /// What a button says that shows the alert.
    package var view: String
    /// What stands before the address that ends such letters.
    package var unsubscribe: String

    /// All lines under the title.
    package var body: String { lines.joined(separator: "\n") }
    /// Title and lines.
    package var whole: String { lines.isEmpty ? title : "\(title)\n\(body)" }

    package init(
        title: String, lines: [String], language: String, isRightToLeft: Bool, view: String,
        unsubscribe: String
    ) {
        self.title = title
        self.lines = lines
        self.language = language
        self.isRightToLeft = isRightToLeft
        self.view = view
        self.unsubscribe = unsubscribe
    }
}

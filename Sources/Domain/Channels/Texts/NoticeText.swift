/// A notice in the words of a person's language.
public struct NoticeText: Hashable, Sendable {
    /// One line.
    public var title: String
    /// The lines under it, the most important first.
    public var lines: [String]
    /// The language's tag by BCP 47, such as `de`.
    public var language: String
    /// Whether it is written from the right to the left.
    public var isRightToLeft: Bool
    /// What a button says that shows the alert.
    public var view: String
    /// What stands before the address that ends such letters.
    public var unsubscribe: String

    /// All lines under the title.
    public var body: String { lines.joined(separator: "\n") }
    /// Title and lines.
    public var whole: String { lines.isEmpty ? title : "\(title)\n\(body)" }

    /// Describes a text.
    public init(
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

import JSON

/// What a receiver said, as text and as JSON; without control characters, which nobody could read, and of
/// which PostgreSQL does not keep U+0000.
struct AnswerText {
    let text: String
    private let json: JSONValue?

    init(_ answer: Answer) {
        text = Self.plain(String(decoding: answer.body.prefix(4_096), as: UTF8.self))
        json = try? JSONValue(Array(answer.body.prefix(4_096))[...], depthLimit: 16)
    }

    /// A member's text or number, by the keys that lead to it.
    func member(_ keys: String...) -> String? { keys.reduce(json) { $0?[$1] }?.text.map(Self.plain) }

    private static func plain(_ words: String) -> String {
        String(String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }

    /// A status with the beginning of what was said.
    func sentence(_ status: Int) -> String {
        let words = String(text.prefix(200))
        return words.isEmpty ? "it answers \(status)" : "it answers \(status): \(words)"
    }
}

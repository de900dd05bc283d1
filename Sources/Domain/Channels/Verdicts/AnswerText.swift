import JSON

/// What a receiver said, as text and as JSON.
struct AnswerText {
    let text: String
    private let json: JSONValue?

    init(_ answer: Answer) {
        let words = String(decoding: answer.body.prefix(4_096), as: UTF8.self)
        text = String(
            String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        json = try? JSONValue(Array(answer.body.prefix(4_096))[...], depthLimit: 16)
    }

    /// A member's text or number, by the keys that lead to it.
    func member(_ keys: String...) -> String? { keys.reduce(json) { $0?[$1] }?.text }

    /// A status with the beginning of what was said.
    func sentence(_ status: Int) -> String {
        let words = String(text.prefix(200))
        return words.isEmpty ? "it answers \(status)" : "it answers \(status): \(words)"
    }
}

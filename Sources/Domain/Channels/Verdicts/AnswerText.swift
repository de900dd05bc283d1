import Alerting

/// What a receiver said, as text and as JSON.
struct AnswerText {
    let text: String
    private let members: [String: JSONNode]

    init(_ answer: Answer) {
        let words = String(decoding: answer.body.prefix(4_096), as: UTF8.self)
        text = String(
            String.UnicodeScalarView(words.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        members = AnswerText.members(try? JSONNode(Array(answer.body.prefix(4_096))))
    }

    private static func members(_ node: JSONNode?) -> [String: JSONNode] {
        guard case .object(let list)? = node else { return [:] }
        return Dictionary(list.map { ($0.key, $0.value) }) { first, _ in first }
    }

    /// A member's text or number, by the keys that lead to it.
    func member(_ keys: String...) -> String? {
        var members = members
        for key in keys.dropLast() { members = AnswerText.members(members[key]) }
        switch keys.last.flatMap({ members[$0] }) {
        case .text(let text), .number(let text): return text
        default: return nil
        }
    }

    /// A status with the beginning of what was said.
    func sentence(_ status: Int) -> String {
        let words = String(text.prefix(200))
        return words.isEmpty ? "it answers \(status)" : "it answers \(status): \(words)"
    }
}

import Instruments
import JSON

/// Rules of a file of JSON lines, for the gateway to read.
struct RuleLines {
    private(set) var rules: [JSONValue] = []
    /// The line of each rule.
    private var lines: [Int] = []
    private let file: LineFile

    /// Reads a file.
    ///
    /// - Throws: ``CommandFailure`` naming file and line of what is no JSON.
    init(path: String) throws {
        file = LineFile(path: path)
        var ids: [String: Int] = [:]
        try file.forEachLine { number, line in
            do throws(FieldFault) {
                rules.append(try Self.rule(Array(line)))
            } catch {
                throw file.fault(number, error.description)
            }
            // Names that are replaced would make two equal rules of one that stands twice.
            if let id = rules.last?["id"]?.text, let first = ids.updateValue(number, forKey: id) {
                throw file.fault(
                    number, "field \"id\" is \"\(id)\" as on line \(first): accepted is an id used once")
            }
            lines.append(number)
        }
    }

    /// A rule or a part of one, as somebody wrote it; what it says is not looked at.
    static func rule(_ bytes: [UInt8]) throws(FieldFault) -> JSONValue {
        do throws(JSONFault) {
            return try JSONValue(bytes[...], depthLimit: 16)
        } catch {
            throw FieldFault(
                "", "no JSON at byte \(error.place.offset) (\(error.reason))", accepted: "a JSON object")
        }
    }

    /// The refusal of an import with the file and the line in place of the rule's number, from 0, as in
    /// `rules[2].condition.level is "x"` and `rules[2]: there is no such user`.
    func placed(_ failure: CommandFailure) -> CommandFailure {
        let words = failure.description
        guard words.hasPrefix("rules") else { return failure }
        guard words.hasPrefix("rules["), let end = words.firstIndex(of: "]"),
            let index = Int(words[words.index(words.startIndex, offsetBy: 6)..<end]),
            lines.indices.contains(index)
        else { return CommandFailure(failure.status, "\(file.path): \(words)") }
        let rest = words[words.index(after: end)...].drop { ".: ".contains($0) }
        let isWhole = rest.hasPrefix("is ")
        return CommandFailure(
            failure.status, file.fault(lines[index], (isWhole ? "the rule " : "") + rest).description)
    }
}

import Alerting
import Instruments
import JSON

/// Takes the fields of a channel's `settings` or `secrets` one after the other; refuses those nobody knows.
struct SettingsReader {
    /// More bytes than any channel needs.
    static let sizeLimit = 16_384

    private let name: String
    private let isSecret: Bool
    private var members: [String: JSONValue] = [:]
    private var taken: Set<String> = []

    /// - Throws: a fault that never holds a value when the text is a secret.
    init(_ json: String, name: String, isSecret: Bool) throws(FieldFault) {
        self.name = name
        self.isSecret = isSecret
        let accepted = "a JSON object of at most \(SettingsReader.sizeLimit) bytes"
        guard json.utf8.count <= SettingsReader.sizeLimit else {
            throw FieldFault(name, "\(json.utf8.count) bytes", accepted: accepted)
        }
        let node: JSONValue
        do throws(JSONFault) { node = try JSONValue(Array(json.utf8)[...], depthLimit: 16) } catch {
            // The reason may quote a key, which in a secret could be one as well.
            let reason = isSecret ? "" : ": \(error.reason)"
            throw FieldFault(
                name, "no JSON at byte \(error.place.offset)\(reason)", accepted: accepted)
        }
        guard case .object(let list) = node else {
            throw FieldFault(name, isSecret ? "(secret)" : node.excerpt, accepted: accepted)
        }
        members = list.dictionary
    }

    func fault(_ key: String, _ accepted: String) -> FieldFault {
        FieldFault(
            "\(name).\(key)", members[key].map { isSecret ? "(secret)" : $0.excerpt },
            accepted: accepted)
    }

    mutating func node(_ key: String) -> JSONValue? {
        taken.insert(key)
        guard let node = members[key], node != .null else { return nil }
        return node
    }

    /// A text that `isRight`; `nil` when it is missing.
    mutating func optionalText(
        _ key: String, _ accepted: String, where isRight: (String) -> Bool
    ) throws(FieldFault) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node, isRight(text) else { throw fault(key, accepted) }
        return text
    }

    /// A text that `isRight`.
    mutating func text(
        _ key: String, _ accepted: String, where isRight: (String) -> Bool
    ) throws(FieldFault) -> String {
        guard let text = try optionalText(key, accepted, where: isRight) else { throw fault(key, accepted) }
        return text
    }

    /// Texts, as many as `count` allows.
    mutating func texts(
        _ key: String, _ count: ClosedRange<Int>, _ accepted: String, where isRight: (String) -> Bool
    ) throws(FieldFault) -> [String] {
        guard case .array(let items)? = node(key), count.contains(items.count) else {
            throw fault(key, accepted)
        }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item, isRight(text) else { throw fault(key, accepted) }
            texts.append(text)
        }
        return texts
    }

    /// One of an enumeration's names; `nil` when it is missing.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Choice.Type
    ) throws(FieldFault) -> Choice? where Choice.RawValue == String {
        let accepted = "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
        let text = try optionalText(key, accepted) { Choice(rawValue: $0) != nil }
        return text.flatMap { Choice(rawValue: $0) }
    }

    /// Refuses what was not taken.
    func finish() throws(FieldFault) {
        guard let key = members.keys.filter({ !taken.contains($0) }).min() else { return }
        let known = taken.isEmpty ? "none" : taken.sorted().joined(separator: ", ")
        throw FieldFault(
            isSecret ? name : "\(name).\(key)", isSecret ? "(secret)" : members[key]?.excerpt,
            accepted: "no field but these: \(known)")
    }
}

import Instruments
import JSON

/// What was given for a channel: its fields are taken one by one, and those that nobody knows refused.
struct ChannelReader {
    private let open: SettingsObject
    private let hidden: SettingsObject
    private let policy: DestinationPolicy

    /// - Throws: a fault that never holds a value when the text is a secret.
    init(settings: String, secrets: String, policy: DestinationPolicy) throws(FieldFault) {
        open = try SettingsObject(settings, .settings)
        hidden = try SettingsObject(secrets, .secrets)
        self.policy = policy
    }

    private func object(_ part: ChannelField.Part) -> SettingsObject { part == .secrets ? hidden : open }

    /// What is wrong with a field, in other words than its own where these are given.
    func fault(_ field: ChannelField, accepted: String? = nil) -> FieldFault {
        object(field.part).fault(field.name, accepted ?? field.accepted)
    }

    /// A text; `nil` when it is missing.
    func optionalText(_ field: ChannelField) throws(FieldFault) -> String? {
        guard let node = object(field.part)[field.name] else { return nil }
        guard case .string(let text) = node, field.isRight(text, policy) else { throw fault(field) }
        return text
    }

    func text(_ field: ChannelField) throws(FieldFault) -> String {
        guard let text = try optionalText(field) else { throw fault(field) }
        return text
    }

    /// Texts, as many as the field takes.
    func texts(_ field: ChannelField) throws(FieldFault) -> [String] {
        guard case .array(let items)? = object(field.part)[field.name], case .texts(let count) = field.form,
            count.contains(items.count)
        else { throw fault(field) }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item, field.isRight(text, policy) else { throw fault(field) }
            texts.append(text)
        }
        return texts
    }

    /// An address that a user chose.
    func url(_ field: ChannelField) throws(FieldFault) -> DestinationURL {
        guard let url = DestinationURL(try text(field), policy: policy) else { throw fault(field) }
        return url
    }

    /// One of an enumeration's names; `nil` when it is missing.
    func choice<Choice: RawRepresentable<String>>(
        _ field: ChannelField, _ type: Choice.Type
    ) throws(FieldFault) -> Choice? {
        try optionalText(field).flatMap { Choice(rawValue: $0) }
    }

    /// Refuses fields that are none of these.
    func finish(_ fields: [ChannelField]) throws(FieldFault) {
        for object in [open, hidden] {
            try object.finish(fields.filter { $0.part == object.part }.map(\.name))
        }
    }
}

/// The JSON object of a channel's settings or secrets.
private struct SettingsObject {
    /// More bytes than any channel needs.
    static let sizeLimit = 16_384

    let part: ChannelField.Part
    private let members: [String: JSONValue]

    private var name: String { part.rawValue }
    private var isSecret: Bool { part == .secrets }

    init(_ json: String, _ part: ChannelField.Part) throws(FieldFault) {
        let (name, isSecret) = (part.rawValue, part == .secrets)
        let accepted = "a JSON object of at most \(Self.sizeLimit) bytes"
        guard json.utf8.count <= Self.sizeLimit else {
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
        self.part = part
        members = list.dictionary
    }

    subscript(_ key: String) -> JSONValue? { members[key].flatMap { $0 == .null ? nil : $0 } }

    func fault(_ key: String, _ accepted: String) -> FieldFault {
        FieldFault(
            "\(name).\(key)", members[key].map { isSecret ? "(secret)" : $0.excerpt },
            accepted: accepted)
    }

    func finish(_ known: [String]) throws(FieldFault) {
        guard let key = members.keys.filter({ !known.contains($0) }).min() else { return }
        let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
        throw FieldFault(
            isSecret ? name : "\(name).\(key)", isSecret ? "(secret)" : members[key]?.excerpt,
            accepted: "no field but these: \(names)")
    }
}

package import Channels
package import Shapes

/// What may be shown of a channel; `Channels` reads it, by the kind of channel.
package enum ChannelSettingsForm: Described {
    package static let document = BodyDocument(
        "ChannelSettings", "What may be shown, by the kind of channel.", isOpen: false,
        example: ["server": "https://ntfy.sh", "topic": "mine"],
        FieldDocument.channelFields(in: .settings, of: .standard))
}

/// What may not be shown of a channel; `Channels` reads it, by the kind of channel.
package enum ChannelSecretsForm: Described {
    package static let document = BodyDocument(
        "ChannelSecrets", "What is never shown, by the kind of channel.", isOpen: false,
        example: ["token": "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"],
        FieldDocument.channelFields(in: .secrets, of: .standard))
}

extension FieldDocument {
    /// What the kinds ask for, each name once.
    package static func channelFields(
        in part: ChannelField.Part, of catalogue: ChannelCatalogue
    ) -> [FieldDocument] {
        let fields = catalogue.kinds.flatMap { kind in
            kind.fields.filter { $0.part == part }.map { (kind: kind.rawValue, field: $0) }
        }
        return distinct(fields.map(\.field.name)).map { name in
            let those = fields.filter { $0.field.name == name }
            let forms = distinct(those.map(\.field.form))
            let schema = forms.count == 1 ? Schema(forms[0]) : .anyOf(forms.map { Schema($0) })
            return FieldDocument(
                name, schema, sentence(those.map { ($0.kind, $0.field.sentence) }), isRequired: false)
        }
    }

    /// Such as "Of a and b: what it is there.", with what is said of several kinds alike said once.
    private static func sentence(_ parts: [(kind: String, text: String)]) -> String {
        distinct(parts.map(\.text)).map { text in
            let kinds = parts.filter { $0.text == text }.map(\.kind).joined(separator: " and ")
            return text.isEmpty ? "Of \(kinds)." : "Of \(kinds): \(text)."
        }.joined(separator: " ")
    }
}

/// Each once, in the order in which they come first.
private func distinct<Value: Equatable>(_ values: [Value]) -> [Value] {
    values.reduce(into: []) { found, value in if !found.contains(value) { found.append(value) } }
}

extension Schema {
    /// What a field of a channel may hold.
    package init(_ form: ChannelField.Form) {
        self =
            switch form {
            case .text(let length): .text(length: length)
            case .email: .text("email")
            case .url: .text("uri")
            case .words(let words): .words(words)
            case .texts(let count): .array(.text(), count)
            }
    }
}

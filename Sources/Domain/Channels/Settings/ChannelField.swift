/// What a kind of channel asks for: one field of its settings or of its secrets, told once.
///
/// The reader, the API's document, the options of the command line and the form of the page are made of it.
package struct ChannelField: Sendable {
    /// Where a field is kept.
    package enum Part: String, Hashable, Sendable {
        /// What may be shown.
        case settings
        /// What may not.
        case secrets
    }

    /// What a field may hold.
    package enum Form: Hashable, Sendable {
        /// A text, of so many characters where that is said.
        case text(ClosedRange<Int>?)
        /// The address of a mailbox.
        case email
        /// An address of the web.
        case url
        /// One of a few words.
        case words([String])
        /// So many texts.
        case texts(ClosedRange<Int>)
    }

    /// As it is written in JSON.
    package let name: String
    /// Where it is kept.
    package let part: Part
    /// What it may hold.
    package let form: Form
    /// Whether whoever adds a channel has to give it.
    package let isRequired: Bool
    /// What the page calls it; `nil` for one that it does not ask for.
    package let label: ChannelWords?
    /// What the API's document says of it, without a full stop; empty where the name says all.
    package let sentence: String
    /// One that is right.
    package let example: String
    /// What is right, as a refusal says it.
    let accepted: String
    /// Whether a text is right, or each of several.
    let isRight: @Sendable (String, DestinationPolicy) -> Bool

    init(
        _ name: String, _ form: Form, in part: Part = .settings, isRequired: Bool = true,
        label: ChannelWords? = nil, _ sentence: String = "", example: String, accepted: String,
        under isRight: @escaping @Sendable (String, DestinationPolicy) -> Bool
    ) {
        (self.name, self.form, self.part, self.isRequired) = (name, form, part, isRequired)
        (self.label, self.sentence, self.example) = (label, sentence, example)
        (self.accepted, self.isRight) = (accepted, isRight)
    }

    init(
        _ name: String, _ form: Form, in part: Part = .settings, isRequired: Bool = true,
        label: ChannelWords? = nil, _ sentence: String = "", example: String, accepted: String,
        where isRight: @escaping @Sendable (String) -> Bool
    ) {
        self.init(
            name, form, in: part, isRequired: isRequired, label: label, sentence, example: example,
            accepted: accepted, under: { text, _ in isRight(text) })
    }
}

extension ChannelField {
    /// An address that a user chose.
    static func url(
        _ name: String, label: ChannelWords? = nil, _ sentence: String = "", example: String
    ) -> ChannelField {
        ChannelField(
            name, .url, label: label, sentence, example: example, accepted: DestinationURL.accepted,
            under: { DestinationURL($0, policy: $1) != nil })
    }

    /// A service's webhook, whose whole address is a secret: at one of these hosts, or where the policy lets
    /// anything through at any.
    static func hook(_ hosts: [String], _ path: String) -> ChannelField {
        let beginnings = hosts.map { "https://\($0)\(path)" }
        return ChannelField(
            "url", .url, in: .secrets, label: ChannelWords("URL"), "the webhook's",
            example: (beginnings.first ?? "") + "x",
            accepted: "a URL that begins with https://\(hosts.joined(separator: " or "))\(path)",
            under: { text, policy in
                DestinationURL(text, policy: policy) != nil
                    && (policy == .anything || beginnings.contains { text.hasPrefix($0) })
            })
    }

    /// One of an enumeration's names, which may be missing.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String, _ type: Choice.Type, _ sentence: String = ""
    ) -> ChannelField {
        let words = type.allCases.map(\.rawValue)
        return ChannelField(
            name, .words(words), isRequired: false, sentence, example: words.first ?? "",
            accepted: "one of " + words.joined(separator: ", "), where: { words.contains($0) })
    }
}

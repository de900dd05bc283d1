package import JSON

/// How a channel tells: one of those of the ``ChannelCatalogue``.
package struct ChannelKind: RawRepresentable, CaseIterable, Hashable, Sendable {
    let receiver: any ChannelReceiver.Type

    init(_ receiver: any ChannelReceiver.Type) { self.receiver = receiver }

    /// The kind of a name, such as `web_push`; `nil` where there is none.
    package init?(rawValue: String) {
        guard let kind = ChannelCatalogue.standard[rawValue] else { return nil }
        self = kind
    }

    package static var allCases: [ChannelKind] { ChannelCatalogue.standard.kinds }

    /// Whether two are one, by their names.
    package static func == (one: ChannelKind, other: ChannelKind) -> Bool { one.rawValue == other.rawValue }

    /// By its name.
    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// As it stands on the wire and in the database.
    package var rawValue: String { receiver.name }
    /// What people call it.
    package var title: ChannelWords { receiver.title }
    /// What it asks for.
    package var fields: [ChannelField] { receiver.fields }
    /// Whether a form suggests it before the others.
    var isSuggested: Bool { receiver.isSuggested }
    /// Who makes such channels.
    package var maker: ChannelMaker { receiver.maker }
    /// Whether it is a device, which speaks the language and zone of its owner and heeds what that wants on
    /// devices.
    package var isDevice: Bool { maker == .device }
    /// Whether nothing is told before its owner has said the code that was sent there.
    package var wantsCode: Bool { receiver.wantsCode }
    /// What its messages need besides a notice and the time.
    package var needs: Set<SendingNeed> { receiver.needs }

    /// The secret of a channel that was given none; `nil` where nobody but its receiver can make one.
    package func newSecret(using random: inout some RandomNumberGenerator) -> ChannelSecret? {
        receiver.newSecret(using: &random)
    }
}

/// A secret that is made for a channel.
package struct ChannelSecret: Sendable, CustomStringConvertible, CustomReflectable {
    package let field: ChannelField
    /// The secret itself, which its owner is shown once.
    package let text: String

    /// The secrets of a channel with this one alone, as they are given.
    package var json: JSONValue {
        let value = JSONValue.string(text)
        if case .texts = field.form { return .object([field.name: .array([value])]) }
        return .object([field.name: value])
    }

    /// Without it.
    package var description: String { "(secret)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

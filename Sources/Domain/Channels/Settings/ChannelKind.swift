package import JSON

/// How a channel tells: one of those of the ``ChannelCatalogue``.
public struct ChannelKind: RawRepresentable, CaseIterable, Hashable, Sendable {
    let receiver: any ChannelReceiver.Type

    init(_ receiver: any ChannelReceiver.Type) { self.receiver = receiver }

    /// The kind of a name, such as `web_push`; `nil` where there is none.
    public init?(rawValue: String) {
        guard let kind = ChannelCatalogue.standard[rawValue] else { return nil }
        self = kind
    }

    /// All that there are.
    public static var allCases: [ChannelKind] { ChannelCatalogue.standard.kinds }

    /// Whether two are one, by their names.
    public static func == (one: ChannelKind, other: ChannelKind) -> Bool { one.rawValue == other.rawValue }

    /// By its name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// As it stands on the wire and in the database.
    public var rawValue: String { receiver.name }
    /// What people call it.
    public var title: ChannelWords { receiver.title }
    /// What it asks for.
    public var fields: [ChannelField] { receiver.fields }
    /// Whether a form suggests it before the others.
    var isSuggested: Bool { receiver.isSuggested }
    /// Who makes such channels.
    public var maker: ChannelMaker { receiver.maker }
    /// Whether it is a device, which speaks the language and zone of its owner and heeds what that wants on
    /// devices.
    public var isDevice: Bool { maker == .device }
    /// Whether nothing is told before its owner has said the code that was sent there.
    public var wantsCode: Bool { receiver.wantsCode }
    /// What its messages need besides a notice and the time.
    public var needs: Set<SendingNeed> { receiver.needs }

    /// The secret of a channel that was given none; `nil` where nobody but its receiver can make one.
    public func newSecret(using random: inout some RandomNumberGenerator) -> ChannelSecret? {
        receiver.newSecret(using: &random)
    }
}

/// A secret that is made for a channel.
public struct ChannelSecret: Sendable, CustomStringConvertible, CustomReflectable {
    /// Which field it is for.
    public let field: ChannelField
    /// The secret itself, which its owner is shown once.
    public let text: String

    /// The secrets of a channel with this one alone, as they are given.
    package var json: JSONValue {
        let value = JSONValue.string(text)
        if case .texts = field.form { return .object([field.name: .array([value])]) }
        return .object([field.name: value])
    }

    /// Without it.
    public var description: String { "(secret)" }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

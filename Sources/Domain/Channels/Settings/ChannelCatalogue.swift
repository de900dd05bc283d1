/// The kinds of channel that there are.
package struct ChannelCatalogue: Sendable {
    /// A line a kind, in the order in which they are named; each is a folder in `Kinds`.
    package static let standard = ChannelCatalogue([
        WebhookSettings.self,
        EmailSettings.self,
        TelegramSettings.self,
        NtfySettings.self,
        SlackSettings.self,
        DiscordSettings.self,
        APNsSettings.self,
        WebPushSettings.self,
        CommandSettings.self,
    ])

    /// In the order in which they are named.
    package let kinds: [ChannelKind]
    private let byName: [String: ChannelKind]

    /// A catalogue of these.
    ///
    /// - Precondition: No two have the same name.
    init(_ receivers: [any ChannelReceiver.Type]) {
        kinds = receivers.map { ChannelKind($0) }
        byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.rawValue, $0) })
    }

    /// The kind of a name; `nil` where there is none.
    package subscript(_ name: String) -> ChannelKind? { byName[name] }

    /// The names, as a sentence that offers them ends.
    package var choice: String {
        let names = kinds.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// All of them in the order in which a form offers them.
    package var offered: [ChannelKind] {
        kinds.filter(\.isSuggested) + kinds.filter { !$0.isSuggested }
    }
}

import Channels
import Instruments
package import Shapes
import Store

extension Channel: WireBody {
    package static let shape = BodyShape<Channel>("Channel", "Where alerts are told; never its secrets.") {
        Field("id", \.id.description, as: .text("uuid"))
        Field("name", \.name, "Unique for its owner; what rules call it.", example: "phone")
        Field("kind", \.kind.rawValue, as: .words(ChannelKind.allCases.map(\.rawValue)), example: "ntfy")
        Field("state", \.stateName, as: .words(["usable", "unverified", "disabled"]))
        Field("settings", { WrittenJSON<ChannelSettingsForm>(Array($0.settings.utf8)) })
        Field(
            "locale", \.manners.locale, "Of what is told; a device speaks that of the account.", example: "en"
        )
        Field(
            "time_zone", \.manners.timeZone, "Of times and quiet hours; a device has that of the account.",
            example: "UTC")
        Field("per_minute", \.manners.perMinute, "Firings told one by one within a minute.", example: 10)
        Field("per_hour", \.manners.perHour, "Firings told within an hour.", example: 120)
        Field(
            "quiet", { $0.manners.quiet.map(QuietText.format) },
            "HH:MM-HH:MM; null where the account's quiet hours hold, if it has any.")
        Field("created", \.created.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field(
            "verified", \.verified?.plain, "Since when something may be sent.",
            as: .nullable(.time), example: "2026-11-21T12:00:00Z")
        Field(
            "disabled", \.disabled?.plain, "Since when nothing is sent any more.",
            as: .nullable(.time))
    }
}

extension Channel {
    /// `unverified`, `disabled` or `usable`.
    public var stateName: String {
        disabled != nil ? "disabled" : verified == nil ? "unverified" : "usable"
    }
}

/// What may be shown of a channel; `Channels` reads it, by the kind of channel.
package enum ChannelSettingsForm: Described {
    package static let document = BodyDocument(
        "ChannelSettings", "What may be shown, by the kind of channel.", isOpen: false,
        example: ["server": "https://ntfy.sh", "topic": "mine"],
        [
            field("url", .text("uri"), "Of a webhook."),
            field("to", .text("email"), "Of email."),
            field("name", .text(length: 0...128), "Of email: the person's."),
            field("chat", .text(), "Of telegram: a chat's number or @channelname."),
            field("thread", .text(), "Of telegram: a thread's number."),
            field("server", .text("uri"), "Of ntfy, without a path."),
            field("topic", .text(length: 1...64), "Of ntfy."),
            field("bundle", .text(), "Of apns: the app's; the installation's where it is missing."),
            field("environment", .words(APNsSettings.Environment.allCases.map(\.rawValue)), "Of apns."),
            field("form", .words(APNsSettings.Form.allCases.map(\.rawValue)), "Of apns; alert as usual."),
            field("endpoint", .text("uri"), "Of web_push."),
            field("p256dh", .text(), "Of web_push: the browser's key, Base64."),
            field("arguments", .array(.text(), 1...64), "Of command, which nobody can make from afar."),
        ])

    fileprivate static func field(_ name: String, _ schema: Schema, _ text: String) -> FieldDocument {
        FieldDocument(name, schema, text, isRequired: false)
    }
}

/// What may not be shown of a channel; `Channels` reads it, by the kind of channel.
package enum ChannelSecretsForm: Described {
    package static let document = BodyDocument(
        "ChannelSecrets", "What is never shown, by the kind of channel.", isOpen: false,
        example: ["token": "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2"],
        [
            ChannelSettingsForm.field(
                "keys", .array(.text(), 1...4),
                "Of a webhook: whsec_ and Base64 of 24...64 bytes; one is made where there is none."),
            ChannelSettingsForm.field("token", .text(length: 1...128), "Of telegram and ntfy."),
            ChannelSettingsForm.field("url", .text("uri"), "Of slack and discord: the webhook's."),
            ChannelSettingsForm.field("device", .text(length: 32...512), "Of apns, in hexadecimal."),
            ChannelSettingsForm.field("auth", .text(), "Of web_push: 16 bytes in Base64."),
        ])
}

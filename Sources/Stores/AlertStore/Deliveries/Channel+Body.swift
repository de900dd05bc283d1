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
            "locale", \.preferences.locale, "Of what is told; a device speaks that of the account.",
            example: "en"
        )
        Field(
            "time_zone", \.preferences.timeZone,
            "Of times and quiet hours; a device has that of the account.",
            example: "UTC")
        Field("per_minute", \.preferences.perMinute, "Firings told one by one within a minute.", example: 10)
        Field("per_hour", \.preferences.perHour, "Firings told within an hour.", example: 120)
        Field(
            "quiet", { $0.preferences.quiet.map(QuietHoursText.format) },
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
    package var stateName: String {
        disabled != nil ? "disabled" : verified == nil ? "unverified" : "usable"
    }
}

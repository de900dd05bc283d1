import Instruments
import JSON
import Store

/// Channels as JSON; never their secrets.
public enum ChannelJSON {
    /// One object, a line.
    public static func line(_ channel: Channel) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        for (key, value) in [
            ("id", channel.id.description), ("name", channel.name), ("kind", channel.kind.rawValue),
            ("state", channel.stateName),
        ] {
            line.key(key)
            line.string(value)
        }
        line.key("settings")
        line.raw(Array(channel.settings.utf8))
        line.key("locale")
        line.string(channel.manners.locale)
        line.key("time_zone")
        line.string(channel.manners.timeZone)
        line.key("per_minute")
        line.integer(channel.manners.perMinute)
        line.key("per_hour")
        line.integer(channel.manners.perHour)
        line.key("quiet")
        line.string(channel.manners.quiet.map(QuietText.format))
        for (key, time) in [
            ("created", channel.created), ("verified", channel.verified), ("disabled", channel.disabled),
        ] {
            line.key(key)
            line.string(time?.plain)
        }
        line.endObject()
        line.endLine()
        return line.bytes
    }
}

extension Channel {
    /// `unverified`, `disabled` or `usable`.
    public var stateName: String {
        disabled != nil ? "disabled" : verified == nil ? "unverified" : "usable"
    }
}

import AlertStore
import Alerting
import Channels
import Synchronization
import Zones

/// Notices in the words, and on the clock, of the people who are told.
final class NoticeLocalization: Sendable {
    private let zones = Mutex<[String: ZoneOffsets]>([:])

    /// Zones that are kept.
    private static let zoneLimit = 1_000

    /// A notice as a channel's owner reads it.
    func text(_ notice: Notice, _ channel: Channel) -> NoticeText {
        let writer = NoticeWriter(
            language: .best(for: [channel.preferences.locale]), zone: zone(channel.preferences.timeZone))
        var text = writer.text(notice)
        if notice.kind == .test, !notice.note.isEmpty { text.lines.append(notice.note) }
        return text
    }

    /// The clock of a zone by its name; UTC for one that this system does not know.
    func zone(_ name: String) -> ZoneOffsets {
        if let known = zones.withLock({ $0[name] }) { return known }
        let zone = ZoneDirectory.system.offsets(of: name) ?? .utc
        zones.withLock { zones in
            if zones.count >= Self.zoneLimit { zones = [:] }
            zones[name] = zone
        }
        return zone
    }
}

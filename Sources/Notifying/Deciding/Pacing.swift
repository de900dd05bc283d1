import Alerting
import AlertStore
import Instruments
import Store

/// Decides whether a person is told now: not in quiet hours, and not too often.
///
/// Knows no clock: each call says the time.
struct Pacing {
    /// What is to be done with a firing.
    enum Decision: Hashable {
        /// Tell it.
        case tell
        /// Tell it in one digest with others, then.
        case gather(at: Timestamp)
        /// Nothing is told until then; what was held is told together. The flag says that a limit was
        /// reached and nobody was told so yet.
        case hold(until: Timestamp, isNews: Bool)
    }

    private struct Windows {
        var minuteStart: Int64
        var toldInMinute = 0
        /// A digest of this minute is counted.
        var hasDigest = false
        var hourStart: Int64
        var toldInHour = 0
        var saidQuieted = false
    }

    private static let minute: Int64 = 60_000_000_000
    private static let hour: Int64 = 3_600_000_000_000
    private static let channelLimit = 10_000

    private var windows: [UniqueID: Windows] = [:]

    /// Decides about a firing that has not been tried yet.
    ///
    /// - Parameters:
    ///   - channel: Where it is told.
    ///   - isHeld: It was held back before.
    ///   - zone: The channel's zone.
    ///   - now: The time.
    /// - Returns: What is to be done with it.
    mutating func decide(
        _ channel: Channel, isHeld: Bool, zone: ZoneOffsets, at now: Timestamp
    ) -> Decision {
        if let end = Self.quietEnd(channel.manners, zone, at: now) {
            return .hold(until: end, isNews: false)
        }
        let time = now.nanoseconds
        var window = windows[channel.id] ?? Windows(minuteStart: time, hourStart: time)
        defer {
            if windows.count >= Self.channelLimit { forget(at: time) }
            windows[channel.id] = window
        }
        if time - window.minuteStart >= Self.minute {
            (window.minuteStart, window.toldInMinute, window.hasDigest) = (time, 0, false)
        }
        if time - window.hourStart >= Self.hour {
            (window.hourStart, window.toldInHour, window.saidQuieted) = (time, 0, false)
        }
        if window.toldInHour >= channel.manners.perHour {
            defer { window.saidQuieted = true }
            let end = Timestamp(nanoseconds: window.hourStart + Self.hour)
            return .hold(until: end, isNews: !window.saidQuieted)
        }
        if isHeld || window.toldInMinute >= channel.manners.perMinute {
            // Many firings, but one message more within the hour.
            if !window.hasDigest { window.toldInHour += 1 }
            window.hasDigest = true
            return .gather(at: isHeld ? now : Timestamp(nanoseconds: window.minuteStart + Self.minute))
        }
        window.toldInMinute += 1
        window.toldInHour += 1
        return .tell
    }

    /// When the quiet hours end that a time is in; `nil` outside them.
    static func quietEnd(_ manners: ChannelManners, _ zone: ZoneOffsets, at now: Timestamp) -> Timestamp? {
        guard let quiet = manners.quiet else { return nil }
        let hours = ActiveHours(from: quiet.from, to: quiet.to == 0 ? 1_440 : quiet.to)
        guard hours.contains(localSeconds: zone.localSeconds(now)) else { return nil }
        // Minute by minute, since the zone may change its offset in between; at most a day and an hour.
        var time = now.nanoseconds - now.nanoseconds % minute
        for _ in 0..<1_500 {
            time += minute
            let next = Timestamp(nanoseconds: time)
            if !hours.contains(localSeconds: zone.localSeconds(next)) { return next }
        }
        return nil
    }

    private mutating func forget(at time: Int64) {
        windows = windows.filter { time - $0.value.hourStart < Self.hour }
    }
}

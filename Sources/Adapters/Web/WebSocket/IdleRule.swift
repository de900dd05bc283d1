/// When a silent connection is asked whether it still lives, and when it is given up.
package struct IdleRule: Sendable, Hashable {
    /// What is sent to a silent server.
    package enum Ping: Sendable, Hashable {
        /// A ping frame, which every server must answer.
        case frame
        /// A text message of the venue's own, such as `ping`.
        case text(String)
    }

    /// Silence after which `ping` is sent.
    package var pingAfter: Duration
    /// Further silence after which the connection is closed with ``WebError/silent(_:)``.
    package var closeAfter: Duration
    /// What is sent.
    package var ping: Ping

    /// Creates a rule.
    ///
    /// Source: BitMEX's advice (5 s, then `ping`, then 5 s), which suits every venue of ours.
    package init(pingAfter: Duration = .seconds(5), closeAfter: Duration = .seconds(5), ping: Ping = .frame) {
        self.pingAfter = pingAfter
        self.closeAfter = closeAfter
        self.ping = ping
    }
}

/// Applies an ``IdleRule`` with time passed in (nanoseconds of a monotonic clock).
///
/// What counts as life is a whole frame, or 4 KiB of one: a server that drips single bytes is as dead as a
/// silent one, while a long snapshot over a slow line is not.
struct IdleWatch: Sendable, Hashable {
    enum Action: Hashable {
        /// Look again at this time.
        case wait(until: Int64)
        /// Send the ping, then look again at this time.
        case ping(lookAgainAt: Int64)
        /// Nothing came for so many nanoseconds.
        case close(after: Int64)
    }

    /// Bytes of an unfinished frame that count as a sign of life.
    static let bytesOfLife = 4096

    private let pingAfter: Int64
    private let closeAfter: Int64
    private var lastLife: Int64
    private var pingedAt: Int64?
    private var frames = 0
    private var bytes = 0

    init(rule: IdleRule, at now: Int64) {
        pingAfter = max(1, rule.pingAfter.wholeNanoseconds)
        closeAfter = max(1, rule.closeAfter.wholeNanoseconds)
        lastLife = now
    }

    /// Notes what the reader has seen since the connection began.
    mutating func received(frames: Int, bytes: Int, at now: Int64) {
        guard frames > self.frames || bytes - self.bytes >= Self.bytesOfLife else { return }
        self.frames = frames
        self.bytes = bytes
        revive(at: now)
    }

    /// Starts the wait again, as after a pause in which nobody read.
    mutating func revive(at now: Int64) {
        lastLife = now
        pingedAt = nil
    }

    /// Says what is due.
    mutating func look(at now: Int64) -> Action {
        if let pingedAt {
            // Not only at the end: an answer that comes soon starts the wait for the next ping.
            let end = pingedAt + closeAfter
            guard now >= end else { return .wait(until: min(end, now + pingAfter)) }
            return .close(after: now - lastLife)
        }
        guard now - lastLife >= pingAfter else { return .wait(until: lastLife + pingAfter) }
        pingedAt = now
        return .ping(lookAgainAt: now + min(closeAfter, pingAfter))
    }
}

extension Duration {
    /// Nanoseconds, cut to what an `Int64` holds.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed ? (seconds < 0 ? .min : .max) : sum
    }
}

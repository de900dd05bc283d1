import Instruments

/// How long a connection may say nothing.
///
/// Source of what holds where a venue says nothing else: BitMEX WebSocket documentation, "Heartbeats": a ping
/// after 5 s of silence, reconnect after 5 more.
package struct SilenceLimit: Hashable, Sendable {
    /// Until it is asked whether it lives, more than nothing.
    package var ping = Duration.seconds(5)
    /// From then until it is given up, more than nothing.
    package var answer = Duration.seconds(5)

    /// All of it.
    package var whole: Duration { ping + answer }

    /// What silence asks for.
    ///
    /// - Parameters:
    ///   - start: When something was received last.
    ///   - pinged: When it was asked since then; `nil` where it was not, and set where it is to be.
    ///   - time: The time.
    /// - Returns: What is to be done.
    func watch(since start: Timestamp, pinged: inout Timestamp?, at time: Timestamp) -> SessionCore.Watch {
        guard time.nanoseconds(since: start) > ping.wholeNanoseconds else { return .nothing }
        guard let asked = pinged else {
            pinged = time
            return .ping
        }
        return time.nanoseconds(since: asked) > answer.wholeNanoseconds ? .reconnect : .nothing
    }
}

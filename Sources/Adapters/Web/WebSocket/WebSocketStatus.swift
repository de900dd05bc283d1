import Synchronization

/// What a connection's event loop tells everybody else, without a lock.
final class WebSocketStatus: Sendable {
    let isOpen = Atomic(false)
    let outboundBytes = Atomic(0)
    let frames = Atomic(0)
    let bytes = Atomic(0)
    let messages = Atomic(0)
    let messagesDropped = Atomic(0)
    let pongs = Atomic(0)
    let pongsDropped = Atomic(0)
    let sendsRefused = Atomic(0)
    /// Nanoseconds of the event loop's clock.
    let lastReceived = Atomic<Int64>(0)

    var counters: WebSocketCounters {
        WebSocketCounters(
            frames: frames.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed),
            messages: messages.load(ordering: .relaxed),
            messagesDropped: messagesDropped.load(ordering: .relaxed),
            pongs: pongs.load(ordering: .relaxed), pongsDropped: pongsDropped.load(ordering: .relaxed),
            sendsRefused: sendsRefused.load(ordering: .relaxed),
            outboundBytes: outboundBytes.load(ordering: .relaxed))
    }

    /// Reserves room for bytes to send; `false` when `limit` would be passed, unless nothing is waiting.
    func reserve(_ count: Int, limit: Int) -> Bool {
        let (before, after) = outboundBytes.add(count, ordering: .relaxed)
        if after <= limit || before == 0 { return true }
        outboundBytes.subtract(count, ordering: .relaxed)
        sendsRefused.add(1, ordering: .relaxed)
        return false
    }

    func release(_ count: Int) { outboundBytes.subtract(count, ordering: .relaxed) }
}

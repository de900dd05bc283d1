import NIOCore

/// Looks at an ``IdleWatch`` whenever it is due; lives on one event loop.
final class SilenceTimer {
    private let eventLoop: any EventLoop
    private let ping: () -> Void
    private let giveUp: (Duration) -> Void
    private var watch: IdleWatch
    private var look: Scheduled<Void>?
    private var isRunning = false

    /// Prepares a timer that does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - rule: When to ping and to give up.
    ///   - eventLoop: The loop of the caller.
    ///   - ping: Called on the loop when it is time to ping.
    ///   - giveUp: Called on the loop, once, with how long nothing came.
    init(
        rule: IdleRule, eventLoop: any EventLoop, ping: @escaping () -> Void,
        giveUp: @escaping (Duration) -> Void
    ) {
        self.eventLoop = eventLoop
        self.ping = ping
        self.giveUp = giveUp
        watch = IdleWatch(rule: rule, at: eventLoop.monotonicNanoseconds)
    }

    /// Begins to wait, from now on.
    func start() {
        isRunning = true
        watch.revive(at: eventLoop.monotonicNanoseconds)
        check()
    }

    /// Waits no more, as while nobody reads.
    func stop() {
        isRunning = false
        look?.cancel()
    }

    /// Notes what the reader has seen since the connection began.
    func received(frames: Int, bytes: Int, at now: Int64) {
        watch.received(frames: frames, bytes: bytes, at: now)
    }

    private func check() {
        guard isRunning else { return }
        let next: Int64
        switch watch.look(at: eventLoop.monotonicNanoseconds) {
        case .wait(let until):
            next = until
        case .ping(let lookAgainAt):
            next = lookAgainAt
            ping()
        case .close(let after):
            stop()
            giveUp(.nanoseconds(after))
            return
        }
        look?.cancel()
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, next)))
        look = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { self.check() }
    }
}

extension EventLoop {
    /// Nanoseconds of the loop's clock, which never steps.
    var monotonicNanoseconds: Int64 { Int64(clamping: now.uptimeNanoseconds) }
}

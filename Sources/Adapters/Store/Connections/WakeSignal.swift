import Synchronization
import Threads

/// Wakes the one thread that waits for a connection's socket, and tells it to give up its statement.
///
/// The descriptor becomes readable when something happened; what it was is asked for afterwards.
final class WakeSignal: Sendable {
    private let wakeup: Wakeup
    private let interrupted = Atomic<Bool>(false)

    /// - Throws: ``StoreError/connectFailed(reason:retryAfter:)`` when the process has no descriptors left.
    init() throws(StoreError) {
        do throws(ThreadError) {
            wakeup = try Wakeup()
        } catch {
            throw .connectFailed(reason: error.description, retryAfter: .seconds(1))
        }
    }

    /// For `poll` only.
    var descriptor: Int32 { wakeup.descriptor }

    /// True between ``interrupt()`` and ``clear()``.
    var isInterrupted: Bool { interrupted.load(ordering: .acquiring) }

    /// Makes the waiting thread look around.
    func wake() { wakeup.signal() }

    /// Makes the statement in progress end with ``StoreError/cancelled``.
    func interrupt() {
        interrupted.store(true, ordering: .releasing)
        wakeup.signal()
    }

    /// Forgets everything that was signalled; only the waiting thread calls it.
    func clear() {
        interrupted.store(false, ordering: .releasing)
        wakeup.drain()
    }

    /// Takes the wake-ups, so that the next `poll` sleeps.
    func drain() { wakeup.drain() }
}

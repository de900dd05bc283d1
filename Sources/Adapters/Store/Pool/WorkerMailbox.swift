import Synchronization

/// Where an idle worker is handed its next call.
///
/// The pool holds it at most one at a time.
final class WorkerMailbox: Sendable {
    let signal: WakeSignal
    private let state = Mutex<State>(State())

    private struct State {
        var work: Work?
        var isStopped = false
    }

    init(signal: WakeSignal) { self.signal = signal }

    func hand(_ work: Work) {
        state.withLock { $0.work = work }
        signal.wake()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        signal.wake()
    }

    /// What arrived: a call, or that the worker ends.
    func take() -> (work: Work?, isStopped: Bool) {
        state.withLock { state in
            defer { state.work = nil }
            return (state.work, state.isStopped)
        }
    }
}

import Synchronization
import Threads

/// What other threads want of the subscriber's thread.
final class SubscriberMailbox: Sendable {
    enum Command: Sendable {
        case subscribe([String])
        case unsubscribe([String])
        case requestState([String])
    }

    private struct State {
        var commands: [Command] = []
        var isStopped = false
    }

    private let wakeup: Wakeup
    private let state = Mutex(State())

    init(wakeup: Wakeup) { self.wakeup = wakeup }

    func post(_ command: Command) {
        state.withLock { $0.commands.append(command) }
        wakeup.signal()
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        wakeup.signal()
    }

    /// The commands since the last call; `nil` when the thread is to end.
    func take() -> [Command]? {
        state.withLock { state in
            if state.isStopped { return nil }
            if state.commands.isEmpty { return [] }
            let commands = state.commands
            state.commands = []
            return commands
        }
    }
}

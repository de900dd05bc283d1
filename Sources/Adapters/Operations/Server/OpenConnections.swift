import NIOCore
import Synchronization

/// The connections of a server, so that there is a limit and all can be closed.
final class OpenConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosing = false
    }

    private let state = Mutex(State())
    /// Connections at a time.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a new connection, or refuses it because there are too many or all are being closed.
    func admit(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isAdmitted = state.withLock { state in
            guard !state.isClosing, state.channels.count < limit else { return false }
            state.channels[key] = channel
            return true
        }
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { _ = $0.channels.removeValue(forKey: key) }
        }
        return true
    }

    /// Closes all, and refuses new ones from now on.
    func closeAll() {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.channels.values)
        }
        for channel in channels { channel.close(promise: nil) }
    }
}

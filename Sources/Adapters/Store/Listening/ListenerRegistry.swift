import Synchronization

/// The listeners of one database, so that closing it ends them.
final class ListenerRegistry: Sendable {
    private let listeners = Mutex<[Listener]>([])

    func add(_ listener: Listener) {
        listeners.withLock { listeners in
            listeners.removeAll { $0.isOver }
            listeners.append(listener)
        }
    }

    func stopAll() {
        for listener in listeners.withLock({ $0 }) { listener.stop() }
    }

    /// Suspends until all have ended; stop them first.
    func allEnded() async {
        for listener in listeners.withLock({ $0 }) { await listener.ended() }
    }
}

import CZeroMQ
import Glibc
public import ServiceLifecycle
import Synchronization
import Threads

/// One ZeroMQ context: its I/O thread and the name space of its `inproc://` addresses.
///
/// Parts that meet over `inproc://` share one context. As a service it belongs first in the list, so that it
/// is shut down last: it then waits, at most a second, until the last messages have left the process.
public final class BusContext: Service {
    // SAFETY: a ZeroMQ context may be used from any thread. It is ended once, by whoever takes it out of the
    // mutex.
    private struct Handle: @unchecked Sendable {
        var raw: UnsafeMutableRawPointer?
    }

    private let handle: Mutex<Handle>
    /// What its clients show to a broker; `nil` for one that takes everybody.
    let keys: BusKeys?
    /// Whether they show any.
    package var hasKeys: Bool { keys != nil }

    /// Starts a context with one I/O thread.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when the process may open no more files.
    public convenience init() throws(BusError) { try self.init(keys: nil) }

    /// Starts a context whose publishers, subscribers and questions show these keys, and speak to nobody but
    /// the broker that they name; inside the process, where nobody can listen, without.
    ///
    /// - Throws: ``BusError/socketFailed(operation:code:)`` when the process may open no more files.
    package init(keys: BusKeys?) throws(BusError) {
        self.keys = keys
        guard let raw = zmq_ctx_new() else {
            throw .socketFailed(operation: "zmq_ctx_new", code: zmq_errno())
        }
        // Linger 0 unless a socket says otherwise: an absent peer must not stop the process from ending.
        zmq_ctx_set(raw, ZMQ_BLOCKY, 0)
        zmq_ctx_set(raw, ZMQ_MAX_SOCKETS, 8_192)
        handle = Mutex(Handle(raw: raw))
    }

    deinit { terminate() }

    /// Waits for the end of the program, then until the messages of closed sockets have left, at most a
    /// second.
    ///
    /// All other users of the context must have ended: it belongs first in a service group.
    public func run() async throws {
        try? await gracefulShutdown()
        await NamedThread.run(name: "bus-end") { self.terminate() }
    }

    /// A new raw socket.
    func makeSocket(type: Int32) throws(BusError) -> UnsafeMutableRawPointer {
        let made: Handle? = handle.withLock { handle in
            guard let raw = handle.raw else { return nil }
            return Handle(raw: zmq_socket(raw, type))
        }
        guard let made else { throw .contextEnded }
        guard let raw = made.raw else { throw .socketFailed(operation: "zmq_socket", code: zmq_errno()) }
        return raw
    }

    private func terminate() {
        let taken = handle.withLock { handle in
            let taken = handle
            handle.raw = nil
            return taken
        }
        guard let raw = taken.raw else { return }
        while zmq_ctx_term(raw) != 0, zmq_errno() == EINTR {}
    }
}

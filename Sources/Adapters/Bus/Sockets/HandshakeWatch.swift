import CZeroMQ
import Synchronization

/// Hears what becomes of the connections of one socket, on that socket's thread.
package final class HandshakeWatch {
    /// How a handshake ended.
    package enum Outcome: Sendable {
        case accepted
        /// The authenticator said no.
        case refused
        /// It never came to that: the other side wants other keys, or none.
        case failed
    }

    private static let count = Atomic<UInt64>(0)

    private let socket: BusSocket
    private let frame = BusFrame()

    /// Listens to a socket that is not connected yet.
    ///
    /// - Throws: ``BusError``.
    package init(of watched: borrowing BusSocket, in context: BusContext) throws(BusError) {
        // Never the same twice: ZeroMQ gives an address free some time after its socket is closed.
        let number = Self.count.add(1, ordering: .relaxed).newValue
        let address = "inproc://handshakes.\(number)"
        let socket = try BusSocket(.monitor, context: context)
        let events =
            ZMQ_EVENT_HANDSHAKE_SUCCEEDED | ZMQ_EVENT_HANDSHAKE_FAILED_AUTH
            | ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL | ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL
        guard zmq_socket_monitor(watched.raw, address, events) == 0 else {
            throw .failed("zmq_socket_monitor", zmq_errno())
        }
        try socket.connect(address)
        self.socket = socket
    }

    /// Waits for it too.
    package func join(_ poll: inout BusPoll) { poll.add(socket) }

    /// The next outcome; `nil` when there is none yet.
    package func next() -> Outcome? {
        while case .received = socket.receive(into: frame) {
            // Two bytes are the event, in the order of this machine; the rest and the address say no more.
            let bytes = frame.bytes
            let event = bytes.count >= 2 ? Int32(bytes.loadUnaligned(as: UInt16.self)) : 0
            socket.discardRest(using: frame)
            switch event {
            case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: return .accepted
            case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: return .refused
            default: return .failed
            }
        }
        return nil
    }
}

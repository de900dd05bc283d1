import Dispatch
import NIOCore

/// Hands pieces of text from a thread that may wait to a task that may not, a few ahead at most.
final class ExportPipe: Sendable {
    /// Why a piece was not taken.
    enum Refused: Error {
        /// Nobody takes pieces any more.
        case closed
        /// Nobody took one for too long.
        case stalled
    }

    /// Bytes of a piece, about.
    static let pieceSize = 64 << 10
    /// Pieces that may wait.
    static let depth = 4

    /// What was put in, until it is finished or fails.
    let pieces: AsyncThrowingStream<ByteBuffer, any Error>
    private let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    // Begun at zero: one that ends below what it began with ends the process.
    private let room = DispatchSemaphore(value: 0)
    private let patience: DispatchTimeInterval

    /// - Parameter patience: Seconds that who puts in waits for who takes out.
    init(patience: Int = 30) {
        self.patience = .seconds(patience)
        (pieces, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        for _ in 0..<Self.depth { room.signal() }
        continuation.onTermination = { [room] _ in room.signal() }
    }

    /// Puts a piece in; blocks the thread while too many wait.
    ///
    /// - Throws: ``Refused``.
    func put(_ piece: ByteBuffer) throws(Refused) {
        guard room.wait(timeout: .now() + patience) == .success else { throw .stalled }
        guard case .enqueued = continuation.yield(piece) else { throw .closed }
    }

    /// Says that a piece was sent on.
    func taken() { room.signal() }

    /// Nothing more comes.
    func finish(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }
}

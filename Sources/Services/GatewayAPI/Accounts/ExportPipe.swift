import Dispatch
import NIOCore

/// Hands pieces of text from a thread that may wait to a task that may not, a few ahead at most.
final class ExportPipe: Sendable {
    /// Why a piece was not taken.
    enum Refused: String, Error, CaseIterable {
        /// Nobody takes pieces any more.
        case closed
        /// Nobody took one for too long.
        case stalled
        /// It takes too long in all.
        case overdue
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
    private let end: DispatchTime

    /// - Parameters:
    ///   - patience: How long who puts in waits for who takes out.
    ///   - limit: How long it may take in all.
    init(patience: Duration = .seconds(30), limit: Duration = .seconds(600)) {
        self.patience = Self.interval(patience)
        end = .now() + Self.interval(limit)
        (pieces, continuation) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        for _ in 0..<Self.depth { room.signal() }
        continuation.onTermination = { [room] _ in room.signal() }
    }

    /// Puts a piece in; blocks the thread while too many wait.
    ///
    /// - Throws: ``Refused``.
    func put(_ piece: ByteBuffer) throws(Refused) {
        let last = DispatchTime.now() + patience
        guard DispatchTime.now() < end else { throw .overdue }
        guard room.wait(timeout: min(last, end)) == .success else { throw last < end ? .stalled : .overdue }
        guard case .enqueued = continuation.yield(piece) else { throw .closed }
    }

    /// Says that a piece was sent on.
    func taken() { room.signal() }

    /// Nobody takes pieces any more: who waits to put one in is told so at once.
    func close() {
        continuation.finish()
        room.signal()
    }

    /// Nothing more comes.
    func finish(_ error: (any Error)? = nil) { continuation.finish(throwing: error) }

    private static func interval(_ duration: Duration) -> DispatchTimeInterval {
        let (seconds, attoseconds) = duration.components
        return .milliseconds(Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}

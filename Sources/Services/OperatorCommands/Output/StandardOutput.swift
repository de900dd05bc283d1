import Glibc
import Shapes

/// Nobody reads our output any more, as after `| head`; the command ends without complaint.
struct OutputClosed: Error {}

/// Collects what a command prints and writes it in large pieces.
///
/// One owner. What is left in it when it is dropped is lost: end with ``flush()``.
final class StandardOutput {
    private let descriptor: Int32
    private let limit: Int
    private var waiting: [UInt8] = []

    /// - Parameters:
    ///   - descriptor: Where it writes to; it stays open.
    ///   - limit: Bytes that are collected before they are written.
    init(descriptor: Int32 = STDOUT_FILENO, limit: Int = 1 << 16) {
        self.descriptor = descriptor
        self.limit = limit
        waiting.reserveCapacity(limit + 4_096)
    }

    /// Appends bytes.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    func write(_ bytes: [UInt8]) throws {
        waiting.append(contentsOf: bytes)
        if waiting.count >= limit { try flush() }
    }

    /// Appends text and the end of the line.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    func writeLine(_ text: String) throws {
        waiting.append(contentsOf: text.utf8)
        waiting.append(0x0A)
        if waiting.count >= limit { try flush() }
    }

    /// Appends a body of the wire as one line of JSON.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    func writeLine(json body: some WireValue) throws { try write(body.json + [0x0A]) }

    /// Writes everything.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when that fails.
    func flush() throws {
        defer { waiting.removeAll(keepingCapacity: true) }
        var start = 0
        while start < waiting.count {
            let written = waiting[start...].withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written > 0 {
                start += written
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, 1_000)
            } else if errno == EPIPE {
                throw OutputClosed()
            } else if errno != EINTR {
                throw CommandFailure(.failed, "cannot write the output: \(String(cString: strerror(errno)))")
            }
        }
    }
}

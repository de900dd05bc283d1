import Glibc

/// The bytes of one batch's messages, one after the other.
///
/// One allocation that grows, instead of an array per message.
// SAFETY: one thread fills it and then hands it over with its batch; from then on it is only read. The
// hand-over goes through a mutex, which orders the writes before the reads.
final class BatchStorage: @unchecked Sendable {
    private var base: UnsafeMutableRawPointer?
    /// Bytes.
    private var capacity = 0
    private(set) var count = 0

    deinit { free(base) }

    /// Copies the bytes to the end and returns where they begin.
    func append(_ source: UnsafeRawBufferPointer) -> Int {
        let start = count
        if count + source.count > capacity { grow(to: count + source.count) }
        if let base, let from = source.baseAddress {
            (base + start).copyMemory(from: from, byteCount: source.count)
        }
        count += source.count
        return start
    }

    /// Part of the bytes; valid while the storage lives.
    func bytes(_ start: Int, _ length: Int) -> UnsafeRawBufferPointer {
        guard let base, length > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        precondition(start >= 0 && start + length <= count, "a message lies in the bytes of its own batch")
        return UnsafeRawBufferPointer(start: base + start, count: length)
    }

    private func grow(to needed: Int) {
        let size = max(needed, capacity * 2, 1_024)
        guard let grown = realloc(base, size) else {
            preconditionFailure("no memory for \(size) bytes of messages")
        }
        base = grown
        capacity = size
    }
}

import CZlib
import Glibc

/// Why compressed bytes could not be read.
enum GzipFault: Error {
    case notGzip
    case truncated
    case damaged
    case refused(Int32)
}

/// A gzip file being read: one or several members after each other, as RFC 1952 allows.
///
/// Not thread safe: it belongs to one reader.
final class GzipInput {
    private static let chunk = 64 * 1_024

    private let descriptor: Int32
    // SAFETY: zlib remembers the address of its stream, so it is allocated once and freed in deinit; only
    // methods of this object, which has one owner, use it.
    private let stream: UnsafeMutablePointer<z_stream>
    // SAFETY: `input` holds `chunk` bytes for the life of the object; zlib's next_in points into it.
    private let input: UnsafeMutablePointer<UInt8>
    private let allowsPlain: Bool
    private var isPlain = false
    private var isMemberOpen = false
    private var hasBegun = false
    private var isAtEnd = false

    /// Takes over an open descriptor and closes it in the end; `nil` when zlib has no memory.
    ///
    /// - Parameters:
    ///   - descriptor: The file, at its beginning.
    ///   - allowsPlain: Whether a file that does not begin as gzip does is handed on as it is.
    init?(descriptor: Int32, allowsPlain: Bool = false) {
        self.descriptor = descriptor
        self.allowsPlain = allowsPlain
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(capacity: GzipInput.chunk)
        // 15 bits of window, plus 16 for "gzip and nothing else".
        let status = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { return nil }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
        close(descriptor)
    }

    /// Fills as much of the buffer as one step gives; 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(GzipFault) -> Int {
        guard buffer.count > 0, !isAtEnd else { return 0 }
        // SAFETY: zlib writes at most avail_out bytes, which is the buffer's size, before the call returns.
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(truncatingIfNeeded: min(buffer.count, 1 << 30))
        let wanted = stream.pointee.avail_out
        while stream.pointee.avail_out == wanted {
            if stream.pointee.avail_in == 0, try !refill() {
                if isMemberOpen { throw .truncated }
                isAtEnd = true
                return 0
            }
            if isPlain { return copy(into: buffer) }
            if !isMemberOpen {
                do throws(GzipFault) {
                    try beginMember()
                } catch .notGzip where allowsPlain {
                    isPlain = true
                    continue
                }
            }
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: continue
            case Z_STREAM_END: isMemberOpen = false
            default: throw .damaged
            }
        }
        return Int(wanted - stream.pointee.avail_out)
    }

    /// Hands on what was read of a plain file; there is something.
    private func copy(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(Int(stream.pointee.avail_in), buffer.count)
        let source = UnsafeRawBufferPointer(start: stream.pointee.next_in, count: count)
        buffer.copyMemory(from: source)
        stream.pointee.next_in += count
        stream.pointee.avail_in -= UInt32(truncatingIfNeeded: count)
        return count
    }

    private func beginMember() throws(GzipFault) {
        let isMagic = stream.pointee.next_in?.pointee == 0x1F
        guard isMagic else { throw hasBegun ? .damaged : .notGzip }
        if !hasBegun, stream.pointee.avail_in > 1, stream.pointee.next_in[1] != 0x8B { throw .notGzip }
        if hasBegun { inflateReset(stream) }
        hasBegun = true
        isMemberOpen = true
    }

    /// Reads the next bytes of the file; `false` at its end.
    private func refill() throws(GzipFault) -> Bool {
        while true {
            let count = Glibc.read(descriptor, input, GzipInput.chunk)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .refused(errno) }
            stream.pointee.next_in = input
            stream.pointee.avail_in = UInt32(truncatingIfNeeded: count)
            return count > 0
        }
    }
}

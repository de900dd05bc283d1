import CZlib
import Glibc

/// A gzip member being written to a descriptor that somebody else owns.
///
/// Not thread safe: it belongs to one writer.
final class GzipOutput {
    private static let chunk = 64 * 1_024

    private let descriptor: Int32
    // SAFETY: zlib remembers the address of its stream, so it is allocated once and freed in deinit; only
    // methods of this object, which has one owner, use it.
    private let stream: UnsafeMutablePointer<z_stream>
    // SAFETY: `output` holds `chunk` bytes for the life of the object; zlib's next_out points into it.
    private let output: UnsafeMutablePointer<UInt8>

    /// `nil` when zlib has no memory.
    init?(descriptor: Int32, level: Int32) {
        self.descriptor = descriptor
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output = .allocate(capacity: GzipOutput.chunk)
        let status = deflateInit2_(
            stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        if status != Z_OK { return nil }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        output.deallocate()
    }

    /// Compresses some bytes; they may stay in zlib's memory until a flush.
    func write(_ bytes: UnsafeRawBufferPointer) throws(GzipFault) {
        var rest = bytes
        while let base = rest.baseAddress, rest.count > 0 {
            let part = min(rest.count, 1 << 30)
            // SAFETY: zlib only reads its input, and all of it before the step returns; the caller keeps the
            // bytes.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
            stream.pointee.avail_in = UInt32(truncatingIfNeeded: part)
            try drain(Z_NO_FLUSH)
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    /// Puts everything so far where a reader can inflate it.
    func flush() throws(GzipFault) { try drain(Z_SYNC_FLUSH) }

    /// Ends the member.
    func finish() throws(GzipFault) { try drain(Z_FINISH) }

    private func drain(_ mode: Int32) throws(GzipFault) {
        while true {
            stream.pointee.next_out = output
            stream.pointee.avail_out = UInt32(GzipOutput.chunk)
            let status = deflate(stream, mode)
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .damaged }
            let count = GzipOutput.chunk - Int(stream.pointee.avail_out)
            try DescriptorOutput.write(UnsafeRawBufferPointer(start: output, count: count), to: descriptor)
            if status == Z_STREAM_END { return }
            if stream.pointee.avail_out > 0, mode != Z_FINISH { return }
        }
    }
}

/// Writes to descriptors until all is written.
enum DescriptorOutput {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(GzipFault) {
        var offset = 0
        while let base = bytes.baseAddress, offset < bytes.count {
            let count = Glibc.write(descriptor, base + offset, bytes.count - offset)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .refused(errno) }
            offset += count
        }
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at position: Int)
        throws(GzipFault)
    {
        var offset = 0
        while let base = bytes.baseAddress, offset < bytes.count {
            let count = pwrite(descriptor, base + offset, bytes.count - offset, off_t(position + offset))
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .refused(errno) }
            offset += count
        }
    }
}

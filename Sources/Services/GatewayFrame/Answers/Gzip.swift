import CZlib
import NIOCore

/// Packs whole answers (RFC 1952).
enum Gzip {
    /// Packs bytes.
    ///
    /// - Parameters:
    ///   - bytes: The whole content.
    ///   - level: 1...9; low for what is made for one answer, 9 for files that are packed once.
    /// - Returns: `nil` when zlib has no memory; the answer goes out as it is then.
    static func compress(_ bytes: ByteBuffer, level: Int32 = 5) -> ByteBuffer? {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        let bound = Int(deflateBound(&stream, UInt(bytes.readableBytes)))
        var packed = ByteBuffer()
        packed.reserveCapacity(bound)
        var status = Z_STREAM_ERROR
        bytes.withUnsafeReadableBytes { input in
            _ = packed.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { output in
                // SAFETY: zlib only reads its input; both regions outlive the one call that uses them, and
                // the output holds what deflateBound says is enough for all of it.
                stream.next_in = UnsafeMutablePointer(
                    mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(output.count)
                status = deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return status == Z_STREAM_END ? packed : nil
    }
}

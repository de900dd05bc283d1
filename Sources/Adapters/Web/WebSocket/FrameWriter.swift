import NIOCore

/// Writes one frame the way a client must: final and masked.
enum FrameWriter {
    /// The longest header of a masked frame, bytes.
    static let longestHeader = 14

    /// Appends a frame with `payload`, masked with `key`, to `buffer`.
    static func write(
        _ opcode: FrameOpcode, _ payload: some Collection<UInt8>, key: UInt32, into buffer: inout ByteBuffer
    ) {
        let count = payload.count
        buffer.reserveCapacity(minimumWritableBytes: count + longestHeader)
        buffer.writeInteger(0x80 | opcode.rawValue)
        switch count {
        case 0...125:
            buffer.writeInteger(0x80 | UInt8(count))
        case 126...0xFFFF:
            buffer.writeInteger(0x80 | 126 as UInt8)
            buffer.writeInteger(UInt16(count))
        default:
            buffer.writeInteger(0x80 | 127 as UInt8)
            buffer.writeInteger(UInt64(count))
        }
        buffer.writeInteger(key)
        let start = buffer.writerIndex
        buffer.writeBytes(payload)
        mask(&buffer, from: start, count: count, key: key)
    }

    /// One frame of its own, masked with a key that nobody can foresee (RFC 6455, section 10.3).
    static func frame(
        _ opcode: FrameOpcode, _ payload: some Collection<UInt8>, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: payload.count + longestHeader)
        var random = SystemRandomNumberGenerator()
        write(opcode, payload, key: .random(in: .min ... .max, using: &random), into: &buffer)
        return buffer
    }

    private static func mask(_ buffer: inout ByteBuffer, from start: Int, count: Int, key: UInt32) {
        let offset = start - buffer.readerIndex
        buffer.withUnsafeMutableReadableBytes { bytes in
            // The key's bytes in network order, again and again.
            for index in 0..<count {
                bytes[offset + index] ^= UInt8(truncatingIfNeeded: key >> (24 - UInt32(index & 3) * 8))
            }
        }
    }
}

package import NIOCore

/// Writes one frame the way a client must: final and masked.
enum FrameWriter {
    /// Appends a frame with `payload`, masked with `key`, to `buffer`.
    static func write(
        _ opcode: FrameOpcode, _ payload: some Collection<UInt8>, key: UInt32, into buffer: inout ByteBuffer
    ) {
        let count = payload.count
        buffer.writeFrameHeader(opcode, count: count, key: key)
        let start = buffer.writerIndex - buffer.readerIndex
        buffer.writeBytes(payload)
        buffer.withUnsafeMutableReadableBytes { bytes in
            FrameMask.apply(key, to: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// One frame of its own, masked with a key that nobody can foresee (RFC 6455, section 10.3).
    static func frame(
        _ opcode: FrameOpcode, _ payload: some Collection<UInt8>, allocator: ByteBufferAllocator
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: payload.count + ByteBuffer.longestFrameHeader)
        var random = SystemRandomNumberGenerator()
        write(opcode, payload, key: .random(in: .min ... .max, using: &random), into: &buffer)
        return buffer
    }
}

/// What a client puts over its payloads (RFC 6455, section 5.3).
package enum FrameMask {
    /// Puts the mask on a part of a payload that begins at its byte `start`, or takes it off.
    ///
    /// The bytes of `key` are used in network order, again and again.
    package static func apply(_ key: UInt32, to bytes: UnsafeMutableRawBufferPointer, from start: Int = 0) {
        for index in bytes.indices {
            bytes[index] ^= UInt8(truncatingIfNeeded: key >> (24 - UInt32((start + index) & 3) * 8))
        }
    }
}

extension ByteBuffer {
    /// The longest header of a masked frame, bytes.
    fileprivate static let longestFrameHeader = 14

    /// Appends the header of a final frame, and makes room for its payload of `count` bytes.
    ///
    /// A client masks the payload with `key`; a server has none.
    package mutating func writeFrameHeader(_ opcode: FrameOpcode, count: Int, key: UInt32? = nil) {
        let mask: UInt8 = key == nil ? 0 : 0x80
        reserveCapacity(minimumWritableBytes: count + Self.longestFrameHeader)
        writeInteger(0x80 | opcode.rawValue)
        switch count {
        case ...125: writeInteger(mask | UInt8(count))
        case ...0xFFFF: writeMultipleIntegers(mask | 126, UInt16(count))
        default: writeMultipleIntegers(mask | 127, UInt64(count))
        }
        if let key { writeInteger(key) }
    }
}

/// The kinds of frame of RFC 6455, section 5.2.
enum FrameOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue >= 8 }
}

/// The fixed part of one frame that a server sent.
struct FrameHeader: Hashable {
    var opcode: FrameOpcode
    var isFinal: Bool
    /// Where the payload begins, an offset into the same bytes.
    var payloadStart: Int
    /// Bytes of payload.
    var payloadCount: Int

    var payloadEnd: Int { payloadStart + payloadCount }

    /// What stands at an offset.
    enum Reading: Hashable {
        case header(FrameHeader)
        /// More bytes are needed to know.
        case incomplete
        case fault(FrameFault)
    }

    /// Reads the header at `offset`; refuses what a server must not send before its payload is waited for.
    ///
    /// - Parameters:
    ///   - bytes: What was received.
    ///   - offset: Where the frame begins, at most `bytes.count`.
    ///   - limit: The longest payload allowed, bytes.
    /// - Returns: The header, or why there is none.
    static func read(_ bytes: borrowing Span<UInt8>, at offset: Int, limit: Int) -> Reading {
        guard bytes.count - offset >= 2 else { return .incomplete }
        let first = bytes[offset]
        let second = bytes[offset + 1]
        guard first & 0x70 == 0 else { return .fault(.reservedBits(first >> 4 & 0x7)) }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else {
            return .fault(.unknownOpcode(first & 0x0F))
        }
        guard second & 0x80 == 0 else { return .fault(.maskedByServer) }
        let isFinal = first & 0x80 != 0
        let short = Int(second)
        if opcode.isControl, !isFinal || short > 125 {
            return .fault(.controlFrameShape(opcode: opcode.rawValue, bytes: short, isFinal: isFinal))
        }
        let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
        guard bytes.count - offset >= 2 + lengthBytes else { return .incomplete }
        var count = UInt64(short)
        if lengthBytes > 0 {
            count = 0
            for index in 0..<lengthBytes { count = count << 8 | UInt64(bytes[offset + 2 + index]) }
        }
        guard count <= UInt64(limit) else { return .fault(.frameTooLarge(bytes: count, limit: limit)) }
        return .header(
            FrameHeader(
                opcode: opcode, isFinal: isFinal, payloadStart: offset + 2 + lengthBytes,
                payloadCount: Int(count)))
    }
}

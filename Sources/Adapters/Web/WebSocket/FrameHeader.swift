/// The kinds of frame of RFC 6455, section 5.2.
package enum FrameOpcode: UInt8, Sendable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    package var isControl: Bool { rawValue >= 8 }
}

/// The fixed part of one frame.
package struct FrameHeader: Hashable {
    /// Who sent it.
    package enum Endpoint: Sendable {
        /// It masks nothing.
        case server
        /// It masks everything (RFC 6455, section 5.1).
        case client
    }

    package var opcode: FrameOpcode
    package var isFinal: Bool
    /// Where the payload begins, an offset into the same bytes.
    package var payloadStart: Int
    /// Bytes of payload.
    package var payloadCount: Int
    /// What a client's payload is masked with; 0 of a server's.
    package var key: UInt32 = 0

    var payloadEnd: Int { payloadStart + payloadCount }

    /// What stands at an offset.
    package enum Reading: Hashable {
        case header(FrameHeader)
        /// More bytes are needed to know.
        case incomplete
        case fault(FrameFault)
    }

    /// Reads the header at `offset`; refuses what must not be sent before its payload is waited for.
    ///
    /// - Parameters:
    ///   - bytes: What was received.
    ///   - offset: Where the frame begins, at most `bytes.count`.
    ///   - limit: The longest payload allowed, bytes.
    ///   - sender: Who sent it.
    /// - Returns: The header, or why there is none.
    package static func read(
        _ bytes: borrowing Span<UInt8>, at offset: Int, limit: Int, from sender: Endpoint
    ) -> Reading {
        guard bytes.count - offset >= 2 else { return .incomplete }
        let first = bytes[offset]
        let second = bytes[offset + 1]
        guard first & 0x70 == 0 else { return .fault(.reservedBits(first >> 4 & 0x7)) }
        guard let opcode = FrameOpcode(rawValue: first & 0x0F) else {
            return .fault(.unknownOpcode(first & 0x0F))
        }
        let isMasked = second & 0x80 != 0
        guard isMasked == (sender == .client) else {
            return .fault(isMasked ? .maskedByServer : .unmaskedByClient)
        }
        let isFinal = first & 0x80 != 0
        let short = Int(second & 0x7F)
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
        var header = FrameHeader(
            opcode: opcode, isFinal: isFinal, payloadStart: offset + 2 + lengthBytes, payloadCount: Int(count)
        )
        guard isMasked else { return .header(header) }
        guard bytes.count - header.payloadStart >= 4 else { return .incomplete }
        for index in 0..<4 { header.key = header.key << 8 | UInt32(bytes[header.payloadStart + index]) }
        header.payloadStart += 4
        return .header(header)
    }
}

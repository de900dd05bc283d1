/// How the other side broke RFC 6455.
package enum FrameFault: Error, Sendable, Hashable {
    /// A reserved bit is set although no extension was agreed on (section 5.2).
    case reservedBits(UInt8)
    /// The opcode means nothing (section 5.2).
    case unknownOpcode(UInt8)
    /// A server must not mask (section 5.1).
    case maskedByServer
    /// A client must mask (section 5.1).
    case unmaskedByClient
    /// A ping, pong or close is fragmented or longer than 125 bytes (section 5.5).
    case controlFrameShape(opcode: UInt8, bytes: Int, isFinal: Bool)
    /// A continuation without a beginning, or a new message inside another (section 5.4).
    case fragmentOrder
    /// The frame announces more bytes than allowed here.
    case frameTooLarge(bytes: UInt64, limit: Int)
    /// The fragments together are longer than allowed here.
    case messageTooLarge(limit: Int)
    /// A text message or a close reason is not UTF-8 (section 8.1).
    case invalidUTF8
    /// A close frame of one byte, or with a number that may not be sent (section 7.4).
    case closeCode(UInt16?)

    /// The status to close the connection with (section 7.4.1).
    package var closeCode: UInt16 {
        switch self {
        case .reservedBits, .unknownOpcode, .maskedByServer, .unmaskedByClient, .controlFrameShape,
            .fragmentOrder, .closeCode:
            1002
        case .invalidUTF8: 1007
        case .frameTooLarge, .messageTooLarge: 1009
        }
    }
}

extension FrameFault: CustomStringConvertible {
    /// One line with the numbers.
    package var description: String {
        switch self {
        case .reservedBits(let bits): "reserved bits \(bits) set"
        case .unknownOpcode(let opcode): "unknown opcode \(opcode)"
        case .maskedByServer: "masked frame from a server"
        case .unmaskedByClient: "frame of a client without a mask"
        case .controlFrameShape(let opcode, let bytes, let isFinal):
            "control frame \(opcode) of \(bytes) bytes\(isFinal ? "" : ", fragmented")"
        case .fragmentOrder: "fragment out of order"
        case .frameTooLarge(let bytes, let limit): "frame of \(bytes) bytes, at most \(limit) allowed"
        case .messageTooLarge(let limit): "message longer than \(limit) bytes"
        case .invalidUTF8: "text that is not UTF-8"
        case .closeCode(let code): code.map { "close code \($0)" } ?? "close frame of one byte"
        }
    }
}

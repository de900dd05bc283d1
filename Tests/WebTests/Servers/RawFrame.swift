/// Frames as a server sends them, right and wrong ones.
enum RawFrame {
    static func text(_ text: String, isFinal: Bool = true) -> [UInt8] {
        bytes(1, Array(text.utf8), isFinal: isFinal)
    }
    static func binary(_ payload: [UInt8]) -> [UInt8] { bytes(2, payload) }
    static func continuation(_ text: String, isFinal: Bool) -> [UInt8] {
        bytes(0, Array(text.utf8), isFinal: isFinal)
    }
    static func ping(_ text: String) -> [UInt8] { bytes(9, Array(text.utf8)) }
    static func pong(_ text: String) -> [UInt8] { bytes(10, Array(text.utf8)) }
    static func close(_ code: UInt16, _ reason: String = "") -> [UInt8] {
        bytes(8, [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }

    static func bytes(_ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, bits: UInt8 = 0) -> [UInt8] {
        var frame: [UInt8] = [(isFinal ? 0x80 : 0) | bits << 4 | opcode]
        switch payload.count {
        case ...125: frame.append(UInt8(payload.count))
        case ...65535: frame += [126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: frame += [127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
        }
        return frame + payload
    }

    /// Takes whole frames of a client from the front of `bytes`, unmasked; leaves an unfinished one there.
    static func take(from bytes: inout [UInt8]) -> [ClientFrame] {
        var frames: [ClientFrame] = []
        while let (frame, length) = first(in: bytes) {
            frames.append(frame)
            bytes.removeFirst(length)
        }
        return frames
    }

    private static func first(in bytes: [UInt8]) -> (ClientFrame, Int)? {
        guard bytes.count >= 2 else { return nil }
        let extra = bytes[1] & 127 == 126 ? 2 : bytes[1] & 127 == 127 ? 8 : 0
        let isMasked = bytes[1] & 128 != 0
        let start = 2 + extra + (isMasked ? 4 : 0)
        guard bytes.count >= start else { return nil }
        let short = Int(bytes[1] & 127)
        let count = extra == 0 ? short : bytes[2..<2 + extra].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= start + count else { return nil }
        let key = isMasked ? Array(bytes[start - 4..<start]) : [0, 0, 0, 0]
        let payload = bytes[start..<start + count].enumerated().map { $1 ^ key[$0 % 4] }
        return (ClientFrame(opcode: bytes[0] & 15, payload: payload, isMasked: isMasked), start + count)
    }
}

/// A frame that our client sent.
struct ClientFrame: Sendable, Hashable {
    var opcode: UInt8
    var payload: [UInt8]
    var isMasked: Bool

    var text: String { String(decoding: payload, as: UTF8.self) }
    var closeCode: UInt16? { payload.count >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil }
}

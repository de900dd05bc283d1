import NIOCore

/// Reads the frames of a WebSocket client (RFC 6455), with nothing but memory.
///
/// Keeps at most one unfinished frame and one unfinished message, each of a bounded size: what announces more
/// is refused at its header, before its bytes are waited for.
struct SocketFrames {
    /// A whole message, its fragments put together; UTF-8 unless it is binary.
    struct Message: Hashable, Sendable {
        var bytes: [UInt8]
        var isBinary: Bool
    }

    /// What a client said.
    enum Said: Hashable, Sendable {
        case message(Message)
        case ping([UInt8])
        case pong
        /// It wants to close, with a number or none; nothing follows.
        case close(UInt16?)
    }

    /// How a client broke the protocol.
    struct Fault: Error, Hashable, Sendable {
        /// The status to close with (RFC 6455, section 7.4.1).
        let code: UInt16
        /// Why, in a few words.
        let reason: String
    }

    private enum Opcode: UInt8 {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        var isControl: Bool { rawValue >= 8 }
    }

    /// The longest frame and the longest message of the stream, in bytes of payload: 16 KiB.
    static let limit = 16 << 10

    private let limit: Int
    private let takesBinary: Bool
    private var buffer = ByteBuffer()
    /// The frame that is being read.
    private var current: Header?
    /// What has come of its payload.
    private var payload: [UInt8] = []
    /// The message whose last fragment has not come.
    private var partial: Message?
    /// How far its last character has come.
    private var characters = CharacterCheck()
    private var isOver = false

    /// - Parameters:
    ///   - limit: The longest frame and the longest message, in bytes of payload.
    ///   - takesBinary: Whether a message may be other than text.
    init(limit: Int = Self.limit, takesBinary: Bool = false) {
        self.limit = limit
        self.takesBinary = takesBinary
    }

    /// Takes over bytes as they came.
    mutating func append(_ bytes: inout ByteBuffer) { if !isOver { buffer.writeBuffer(&bytes) } }

    /// The next thing that is complete; `nil` when more bytes are needed, and after a close or a fault.
    ///
    /// - Throws: The first fault; nothing after it is read.
    mutating func next() throws(Fault) -> Said? {
        while !isOver {
            if current == nil {
                current = try header()
                if let current { try begin(current) }
            }
            guard let header = current else { return nil }
            try read(header)
            guard payload.count == header.count else { return nil }
            let whole = payload
            (current, payload) = (nil, [])
            if let said = try accept(header, whole) { return said }
        }
        return nil
    }

    private struct Header {
        var opcode: Opcode
        var isFinal: Bool
        var count: Int
        var key: UInt32
    }

    /// Takes a header that is all there; refuses what a client must not send.
    private mutating func header() throws(Fault) -> Header? {
        let start = buffer.readerIndex
        guard let first: UInt8 = buffer.getInteger(at: start),
            let second: UInt8 = buffer.getInteger(at: start + 1)
        else { return nil }
        guard first & 0x70 == 0 else { throw fault(1002, "reserved bits are set") }
        guard let opcode = Opcode(rawValue: first & 0x0F) else { throw fault(1002, "unknown opcode") }
        guard second & 0x80 != 0 else { throw fault(1002, "the frame is not masked") }
        let isFinal = first & 0x80 != 0
        let short = second & 0x7F
        if opcode.isControl, !isFinal || short > 125 {
            throw fault(1002, "a control frame is too long or split")
        }
        var (count, size) = (UInt64(short), 2)
        if short == 126 {
            guard let long: UInt16 = buffer.getInteger(at: start + 2) else { return nil }
            (count, size) = (UInt64(long), 4)
        } else if short == 127 {
            guard let long: UInt64 = buffer.getInteger(at: start + 2) else { return nil }
            (count, size) = (long, 10)
        }
        guard count <= limit else { throw fault(1009, "a frame has at most \(limit) bytes") }
        guard let key: UInt32 = buffer.getInteger(at: start + size) else { return nil }
        buffer.moveReaderIndex(forwardBy: size + 4)
        return Header(opcode: opcode, isFinal: isFinal, count: Int(count), key: key)
    }

    /// Refuses a frame that does not follow from those before it; nothing of its payload is waited for.
    private mutating func begin(_ header: Header) throws(Fault) {
        switch header.opcode {
        case .ping, .pong, .close: break
        case .binary where !takesBinary: throw fault(1003, "messages are text")
        case .text, .binary:
            guard partial == nil else { throw fault(1002, "a message begins inside another") }
            partial = Message(bytes: [], isBinary: header.opcode == .binary)
            characters = CharacterCheck()
        case .continuation:
            guard let partial else { throw fault(1002, "nothing is continued") }
            guard partial.bytes.count + header.count <= limit else {
                throw fault(1009, "a message has at most \(limit) bytes")
            }
        }
    }

    /// Takes what is there of a payload, without its mask; refuses text at the byte that makes it none.
    private mutating func read(_ header: Header) throws(Fault) {
        let start = payload.count
        var part = buffer.readBytes(length: min(buffer.readableBytes, header.count - start)) ?? []
        for index in part.indices {
            part[index] ^= UInt8(truncatingIfNeeded: header.key >> (24 - UInt32((start + index) & 3) * 8))
        }
        // The rest moves to the front now and then, so that the block does not grow.
        if buffer.readableBytes == 0 {
            buffer.clear()
        } else if buffer.readerIndex > limit {
            buffer.discardReadBytes()
        }
        // Neither the rest of the frame nor that of the message is waited for.
        if !header.opcode.isControl, partial?.isBinary == false {
            for byte in part where !characters.take(byte) { throw fault(1007, "text is UTF-8") }
        }
        payload.append(contentsOf: part)
    }

    /// A frame that is all there.
    private mutating func accept(_ header: Header, _ payload: [UInt8]) throws(Fault) -> Said? {
        switch header.opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong
        case .close: return try close(payload)
        case .text, .binary, .continuation: partial?.bytes.append(contentsOf: payload)
        }
        guard header.isFinal, let whole = partial else { return nil }
        partial = nil
        guard characters.isBetween else { throw fault(1007, "text is UTF-8") }
        return .message(whole)
    }

    private mutating func close(_ payload: [UInt8]) throws(Fault) -> Said {
        isOver = true
        guard !payload.isEmpty else { return .close(nil) }
        guard payload.count >= 2 else { throw fault(1002, "a close has no number or a whole one") }
        let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        // Source: RFC 6455 section 7.4 and the IANA registry of close codes (1012 to 1014 added).
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: break
        default: throw fault(1002, "\(code) is no close code to send")
        }
        guard String(validating: payload[2...], as: UTF8.self) != nil else {
            throw fault(1007, "a reason is UTF-8")
        }
        return .close(code)
    }

    private mutating func fault(_ code: UInt16, _ reason: String) -> Fault {
        isOver = true
        return Fault(code: code, reason: reason)
    }
}

extension ByteBuffer {
    /// Appends a frame of a server, final and not masked, of which `body` appends the payload.
    ///
    /// Of the opcodes 1 is text, 2 binary, 8 close, 9 ping and 10 pong.
    mutating func writeSocketFrame(opcode: UInt8, count: Int, _ body: (inout ByteBuffer) -> Void) {
        reserveCapacity(minimumWritableBytes: count + 10)
        writeInteger(0x80 | opcode)
        switch count {
        case ...125: writeInteger(UInt8(count))
        case ...0xFFFF: writeMultipleIntegers(126 as UInt8, UInt16(count))
        default: writeMultipleIntegers(127 as UInt8, UInt64(count))
        }
        let start = writerIndex
        body(&self)
        assert(writerIndex - start == count, "the payload has the announced length")
    }

    /// Appends a close with its number; a reason past 123 bytes is cut between two characters.
    mutating func writeSocketClose(_ code: UInt16, _ reason: String) {
        var cut = reason
        while cut.utf8.count > 123 { cut.removeLast() }
        writeSocketFrame(opcode: 8, count: 2 + cut.utf8.count) {
            $0.writeInteger(code)
            $0.writeString(cut)
        }
    }
}

import NIOCore
import Web

/// Reads the frames of a WebSocket client (RFC 6455), with nothing but memory.
///
/// Keeps at most one unfinished frame and one unfinished message, each of a bounded size: what announces more
/// is refused at its header, before its bytes are waited for, and what is no text at the byte that makes it
/// none.
struct SocketFrames {
    /// A whole message, its fragments put together; UTF-8 unless it is binary.
    struct Message: Hashable, Sendable {
        var bytes: [UInt8]
        var isBinary: Bool
    }

    /// What a client said.
    enum ClientEvent: Hashable, Sendable {
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

    /// The longest frame and the longest message of the stream, in bytes of payload: 16 KiB.
    static let limit = 16 << 10

    private let limit: Int
    private let takesBinary: Bool
    private var buffer = ByteBuffer()
    /// The frame that is being read.
    private var current: FrameHeader?
    /// What has come of its payload.
    private var payload: [UInt8] = []
    /// The message whose last fragment has not come.
    private var partial: Message?
    /// How far its last character has come.
    private var characters = UTF8Check()
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
    mutating func next() throws(Fault) -> ClientEvent? {
        while !isOver {
            if current == nil {
                current = try header()
                if let current { try begin(current) }
            }
            guard let header = current else { return nil }
            try read(header)
            guard payload.count == header.payloadCount else { return nil }
            let whole = payload
            (current, payload) = (nil, [])
            if let said = try accept(header, whole) { return said }
        }
        return nil
    }

    /// Takes a header that is all there; refuses what a client must not send.
    private mutating func header() throws(Fault) -> FrameHeader? {
        switch FrameHeader.read(buffer.readableBytesUInt8Span, at: 0, limit: limit, from: .client) {
        case .incomplete: return nil
        case .fault(let fault):
            isOver = true
            throw Fault(fault)
        case .header(let header):
            buffer.moveReaderIndex(forwardBy: header.payloadStart)
            return header
        }
    }

    /// Refuses a frame that does not follow from those before it; nothing of its payload is waited for.
    private mutating func begin(_ header: FrameHeader) throws(Fault) {
        switch header.opcode {
        case .ping, .pong, .close: break
        case .binary where !takesBinary: throw fault(1003, "messages are text")
        case .text, .binary:
            guard partial == nil else { throw fault(1002, "a message begins inside another") }
            partial = Message(bytes: [], isBinary: header.opcode == .binary)
            characters = UTF8Check()
        case .continuation:
            guard let partial else { throw fault(1002, "nothing is continued") }
            guard partial.bytes.count + header.payloadCount <= limit else {
                throw fault(1009, "a message has at most \(limit) bytes")
            }
        }
    }

    /// Takes what is there of a payload, without its mask; refuses text at the byte that makes it none.
    private mutating func read(_ header: FrameHeader) throws(Fault) {
        let start = payload.count
        var part = buffer.readBytes(length: min(buffer.readableBytes, header.payloadCount - start)) ?? []
        part.withUnsafeMutableBytes { FrameMask.apply(header.key, to: $0, from: start) }
        // The rest moves to the front now and then, so that the block does not grow.
        if buffer.readableBytes == 0 {
            buffer.clear()
        } else if buffer.readerIndex > limit {
            buffer.discardReadBytes()
        }
        // Neither the rest of the frame nor that of the message is waited for.
        if !header.opcode.isControl, partial?.isBinary == false,
            !part.withUnsafeBytes({ characters.take($0) })
        {
            throw fault(1007, "text is UTF-8")
        }
        payload.append(contentsOf: part)
    }

    /// A frame that is all there.
    private mutating func accept(_ header: FrameHeader, _ payload: [UInt8]) throws(Fault) -> ClientEvent? {
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

    private mutating func close(_ payload: [UInt8]) throws(Fault) -> ClientEvent {
        isOver = true
        do throws(FrameFault) {
            return .close(try CloseStatus(payload: payload).code)
        } catch {
            throw Fault(error)
        }
    }

    private mutating func fault(_ code: UInt16, _ reason: String) -> Fault {
        isOver = true
        return Fault(code: code, reason: reason)
    }
}

extension SocketFrames.Fault {
    /// What is wrong with a header or a close.
    fileprivate init(_ fault: FrameFault) {
        let reason =
            switch fault {
            case .reservedBits: "reserved bits are set"
            case .unknownOpcode: "unknown opcode"
            case .unmaskedByClient: "the frame is not masked"
            case .controlFrameShape: "a control frame is too long or split"
            case .frameTooLarge(_, let limit): "a frame has at most \(limit) bytes"
            case .closeCode(let code?): "\(code) is no close code to send"
            case .closeCode(nil): "a close has no number or a whole one"
            case .invalidUTF8: "a reason is UTF-8"
            case .maskedByServer, .fragmentOrder, .messageTooLarge: fault.description
            }
        self.init(code: fault.closeCode, reason: reason)
    }
}

extension ByteBuffer {
    /// Appends a frame of a server, final and not masked, of which `body` appends the payload.
    mutating func writeSocketFrame(_ opcode: FrameOpcode, count: Int, _ body: (inout ByteBuffer) -> Void) {
        writeFrameHeader(opcode, count: count)
        let start = writerIndex
        body(&self)
        assert(writerIndex - start == count, "the payload has the announced length")
    }

    /// Appends a close, with its number if it has one.
    mutating func writeSocketClose(_ code: UInt16?, _ reason: String) {
        let payload = CloseStatus(code: code, reason: reason).payload
        writeSocketFrame(.close, count: payload.count) { $0.writeBytes(payload) }
    }
}

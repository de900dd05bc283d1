/// Turns the bytes of a server into whole messages, with nothing but memory.
///
/// Bytes are appended as they come; ``parse()`` finds the frames. Everything stays in one block that is
/// reused: a message in one frame is used where it lies, the fragments of a longer one are moved together in
/// place. After the messages were looked at, ``drain()`` drops them and moves the unfinished rest to the
/// front.
///
/// Bounds: what is kept past a `drain` is at most one unfinished message and one unfinished frame, each at
/// most its limit. A frame that announces more is refused at its header, before its bytes are waited for.
///
/// Not NIOWebSocket's decoder: it hands on each frame in a buffer of its own that is boxed on its way through
/// the pipeline, and leaves reserved bits, unknown opcodes, masks and UTF-8 to whoever gets it.
struct FrameReader: Sendable {
    /// A ping, pong or close, with its payload of at most 125 bytes.
    struct Control: Sendable, Hashable {
        var opcode: FrameOpcode
        var payload: [UInt8]
    }

    /// Blocks larger than this are given back after use.
    private static let keptCapacity = 1 << 20

    private let frameLimit: Int
    private let messageLimit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var messages: [WebSocketBatch.Message] = []
    /// Control frames that nobody has taken, in order.
    private var controls: [Control] = []
    /// Frames completed since the beginning, control frames included.
    private(set) var frameCount = 0
    /// Bytes appended since the beginning.
    private(set) var byteCount = 0
    /// Where the first byte that belongs to no finished frame lies.
    private var next = 0
    /// The message whose last fragment has not come.
    private var partial: WebSocketBatch.Message?
    /// Set by a fault or a close frame: whatever follows is not looked at.
    private var isFinished = false

    init(frameLimit: Int, messageLimit: Int) {
        self.frameLimit = frameLimit
        self.messageLimit = messageLimit
    }

    /// Whether nothing is kept, not even a part of a frame.
    var isEmpty: Bool { bytes.isEmpty }

    /// Takes over a copy of `raw`.
    mutating func append(_ raw: UnsafeRawBufferPointer) {
        guard !isFinished else { return }
        byteCount += raw.count
        bytes.append(contentsOf: raw)
    }

    /// Finds every frame that is complete.
    ///
    /// - Throws: The first fault; messages and controls before it stay readable, nothing after it is read.
    mutating func parse() throws(FrameFault) {
        while !isFinished {
            switch FrameHeader.read(bytes.span, at: next, limit: frameLimit, from: .server) {
            case .incomplete:
                return
            case .fault(let fault):
                try fail(fault)
            case .header(let header):
                guard header.payloadEnd <= bytes.count else {
                    bytes.reserveCapacity(header.payloadEnd)
                    return
                }
                try accept(header)
                next = header.payloadEnd
                frameCount += 1
            }
        }
    }

    /// Returns the control frames found since the last call, in order.
    mutating func takeControls() -> [Control] {
        guard !controls.isEmpty else { return [] }
        defer { controls = [] }
        return controls
    }

    /// Forgets the messages, and moves what is unfinished to the front.
    mutating func drain() {
        messages.removeAll(keepingCapacity: true)
        if let open = partial {
            // The open message first, what came after it directly behind; both only move towards the front.
            move(open.start..<open.end, to: 0)
            let length = open.end - open.start
            move(next..<bytes.count, to: length)
            bytes.removeLast(next - length)
            partial = WebSocketBatch.Message(start: 0, end: length, isText: open.isText)
            next = length
        } else if next == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
            next = 0
        } else if next > 0 {
            bytes.removeFirst(next)
            next = 0
        }
    }

    private mutating func accept(_ header: FrameHeader) throws(FrameFault) {
        switch header.opcode {
        case .close:
            isFinished = true
            controls.append(Control(opcode: .close, payload: payload(of: header)))
        case .ping, .pong:
            controls.append(Control(opcode: header.opcode, payload: payload(of: header)))
        case .text, .binary:
            guard partial == nil else { return try fail(.fragmentOrder) }
            let message = WebSocketBatch.Message(
                start: header.payloadStart, end: header.payloadEnd, isText: header.opcode == .text)
            try extend(message, isFinal: header.isFinal)
        case .continuation:
            guard let open = partial else { return try fail(.fragmentOrder) }
            move(header.payloadStart..<header.payloadEnd, to: open.end)
            try extend(
                WebSocketBatch.Message(
                    start: open.start, end: open.end + header.payloadCount, isText: open.isText),
                isFinal: header.isFinal)
        }
    }

    private mutating func extend(_ message: WebSocketBatch.Message, isFinal: Bool) throws(FrameFault) {
        guard message.end - message.start <= messageLimit else {
            return try fail(.messageTooLarge(limit: messageLimit))
        }
        guard isFinal else {
            partial = message
            return
        }
        partial = nil
        if message.isText, !isUTF8(message.start..<message.end) { try fail(.invalidUTF8) }
        messages.append(message)
    }

    private mutating func fail(_ fault: FrameFault) throws(FrameFault) {
        isFinished = true
        throw fault
    }

    private func payload(of header: FrameHeader) -> [UInt8] {
        Array(bytes[header.payloadStart..<header.payloadEnd])
    }

    private func isUTF8(_ range: Range<Int>) -> Bool {
        // SAFETY: the range was checked against `bytes.count` before its frame was accepted.
        bytes.withUnsafeBytes { UTF8Check.isValid(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Moves bytes towards the front; source and target may overlap.
    private mutating func move(_ range: Range<Int>, to target: Int) {
        guard target < range.lowerBound, !range.isEmpty else { return }
        bytes.withUnsafeMutableBytes { raw in
            // SAFETY: target < lowerBound and upperBound <= count, so both ends lie inside; `copyMemory`
            // allows overlap.
            guard let base = raw.baseAddress else { return }
            (base + target).copyMemory(from: base + range.lowerBound, byteCount: range.count)
        }
    }
}

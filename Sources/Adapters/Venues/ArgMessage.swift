import Instruments

/// The frame of a message of the protocol in which subscriptions and messages name their topic as `arg`.
///
/// `{"arg":{"instType","channel","instId"},"action","data":[…]}`, in any order, or an answer: `{"event",
/// "arg","code","msg"}`. An older form names its topic as `table` and leaves the instruments to the rows of
/// `data`.
struct ArgMessage {
    /// Empty where there is none.
    var channel = JSONText(start: 0, count: 0, hasEscapes: false)
    /// In the venue's spelling; empty where there is none.
    var symbol = JSONText(start: 0, count: 0, hasEscapes: false)
    /// Empty where there is none.
    var instrumentType = JSONText(start: 0, count: 0, hasEscapes: false)
    /// Such as `swap/depth`; empty where there is none.
    var table = JSONText(start: 0, count: 0, hasEscapes: false)
    /// `snapshot`, `partial` or `update`; empty where there is none.
    var action = JSONText(start: 0, count: 0, hasEscapes: false)
    /// What a message without data tells; empty where there is none.
    var event = JSONText(start: 0, count: 0, hasEscapes: false)
    /// Of a refusal; 0 where there is none.
    var code: Int64 = 0
    /// What a refusal says; empty where there is none.
    var words = JSONText(start: 0, count: 0, hasEscapes: false)
    /// Where `data` begins.
    var data: Int?

    var hasTopic: Bool { channel.count > 0 || table.count > 0 }

    /// Whether `data` is all there is, and not a change of it.
    func isImage(_ scanner: borrowing JSONScanner) -> Bool { !scanner.equals(action, "update") }

    /// The same of a book's channel, where nothing but the word makes an image of levels.
    ///
    /// - Returns: Whether `data` is a whole book.
    /// - Throws: ``ScanError/malformed`` where it says neither.
    func isImage(_ scanner: borrowing JSONScanner, of stream: BookChannel) throws(ScanError) -> Bool {
        if stream.sendsWholes { return true }
        if scanner.equals(action, "snapshot") { return true }
        if scanner.equals(action, "partial") { return true }
        guard scanner.equals(action, "update") else { throw .malformed }
        return false
    }

    /// Reads a message to its end; the scanner stands behind it.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> ArgMessage {
        var message = ArgMessage()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "data") {
                message.data = scanner.index
                try scanner.skip()
            } else if scanner.equals(key, "arg"), try scanner.peek() == 0x7B {
                try message.readTopic(&scanner)
            } else if scanner.equals(key, "code") || scanner.equals(key, "errorCode") {
                message.code = try scanner.codeNumber()
            } else if try scanner.peek() == 0x22 {
                let text = try scanner.text()
                if scanner.equals(key, "action") { message.action = text }
                if scanner.equals(key, "event") { message.event = text }
                if scanner.equals(key, "msg") { message.words = text }
                if scanner.equals(key, "table") { message.table = text }
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        return message
    }

    private mutating func readTopic(_ scanner: inout JSONScanner) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard try scanner.peek() == 0x22 else { return try scanner.skip() }
            let text = try scanner.text()
            if scanner.equals(key, "channel") { channel = text }
            if scanner.equals(key, "instId") { symbol = text }
            if scanner.equals(key, "instType") { instrumentType = text }
        }
    }

    /// Writes a request about topics, each the members of its object.
    static func request(_ operation: String, _ topics: some Sequence<String>) -> String {
        "{\"op\":\"\(operation)\",\"args\":[\(topics.map { "{\($0)}" }.joined(separator: ","))]}"
    }
}

extension JSONScanner {
    /// A number, bare or quoted; 0 for anything else.
    fileprivate mutating func codeNumber() throws(ScanError) -> Int64 {
        let text = try scalarText()
        var code: Int64 = 0
        for byte in bytes(text).prefix(12) {
            let digit = byte &- 0x30
            guard digit < 10 else { return 0 }
            code = code * 10 + Int64(digit)
        }
        return code
    }
}

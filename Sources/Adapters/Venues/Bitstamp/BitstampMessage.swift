import Instruments

/// The outside of a message, `event`, `channel` and `data` in any order.
struct BitstampMessage {
    private(set) var event: JSONText?
    private(set) var channel: JSONText?
    /// Where `data` begins.
    private(set) var data: Int?
    /// Where the message ends.
    let end: Int

    /// Walks over a whole message.
    init(_ scanner: inout JSONScanner) throws(ScanError) {
        var (event, channel): (JSONText?, JSONText?) = (nil, nil)
        var data: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "event") {
                event = try scanner.textIfAny()
            } else if scanner.equals(key, "channel") {
                channel = try scanner.textIfAny()
            } else {
                if scanner.equals(key, "data") { data = scanner.index }
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
        (self.event, self.channel, self.data) = (event, channel, data)
        end = scanner.index
    }

    /// The symbol in the name of a channel of a kind; `nil` for another kind.
    func symbol(_ kind: StaticString, in scanner: JSONScanner) -> UnsafeRawBufferPointer? {
        let length = kind.utf8CodeUnitCount
        guard let channel, channel.count > length, scanner.holds(kind, at: channel.start) else { return nil }
        return scanner.bytes(
            JSONText(start: channel.start + length, count: channel.count - length, hasEscapes: false))
    }
}

extension JSONScanner {
    /// What lies between two offsets, as text; `nil` for what is none.
    func bytes(from start: Int, to end: Int) -> String? {
        string(JSONText(start: start, count: end - start, hasEscapes: false))
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a text occurs anywhere; for the rare frame that could not be read.
    func holds(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        for start in 0...(count - wanted.count)
        where self[start..<start + wanted.count].elementsEqual(wanted) {
            return true
        }
        return false
    }
}

extension Timestamp {
    /// A `microtimestamp`; `nil` for one that is beyond our range.
    init?(bitstamp micros: Int64) {
        let (nanoseconds, overflow) = micros.multipliedReportingOverflow(by: 1_000)
        if overflow { return nil }
        self.init(nanoseconds: nanoseconds)
    }
}

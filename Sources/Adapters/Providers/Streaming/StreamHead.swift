import Instruments
import Venues

/// What tells which message of a streamer it is, wherever in the message that stands.
struct StreamHead {
    var type = ""
    var market = ""
    var from = ""
    var to = ""
    /// What the streamer says in words; empty for none.
    var words = ""

    /// Reads a whole message.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> StreamHead {
        var head = StreamHead()
        try scanner.object { scanner, key throws(ScanError) in try head.take(key, from: &scanner) }
        guard !head.type.isEmpty else { throw .malformed }
        return head
    }

    private mutating func take(_ key: JSONText, from scanner: inout JSONScanner) throws(ScanError) {
        switch scanner.string(key) {
        case "TYPE": type = scanner.string(try scanner.scalarText()) ?? ""
        case "MARKET", "M": market = try scanner.textOrNil() ?? ""
        case "FROMSYMBOL", "FSYM": from = try scanner.textOrNil()?.uppercased() ?? ""
        case "TOSYMBOL", "TSYM": to = try scanner.textOrNil()?.uppercased() ?? ""
        case "INSTRUMENT":
            from = try scanner.textOrNil().flatMap { CoinDesk.base(of: $0)?.rawValue } ?? ""
            to = from.isEmpty ? "" : "USD"
        case "INFO", "MESSAGE":
            // Not every message has words there.
            guard try scanner.peek() == 0x22 else { return try scanner.skip() }
            let more = try scanner.textOrNil() ?? ""
            words = words.isEmpty ? more : "\(words): \(more)"
        default: try scanner.skip()
        }
    }
}

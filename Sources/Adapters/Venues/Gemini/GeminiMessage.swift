import Instruments

/// The outside of a message: what it is about, and where its parts lie.
struct GeminiMessage {
    let connection: Int
    let receivedTime: Timestamp
    /// Where the message begins.
    let start: Int
    private(set) var type: JSONText?
    private(set) var symbol: JSONText?
    private(set) var reason: JSONText?
    private(set) var message: JSONText?
    private(set) var isError = false
    /// Where `changes` begin.
    private(set) var changes: Int?
    /// Where `trades` begin; only a symbol's first message has them.
    private(set) var trades: Int?
    /// Whether it has `auction_events`, as only a symbol's first message has.
    private(set) var hasAuctions = false

    /// Walks over a whole message.
    init(_ scanner: inout JSONScanner, connection: Int, at time: Timestamp) throws(ScanError) {
        self.connection = connection
        receivedTime = time
        start = scanner.index
        try scanner.object { scanner, key throws(ScanError) in try read(&scanner, key) }
        try scanner.expectEnd()
    }

    private mutating func read(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) {
        if scanner.equals(key, "type") {
            type = try scanner.textIfAny()
        } else if scanner.equals(key, "symbol") {
            symbol = try scanner.textIfAny()
        } else if scanner.equals(key, "result") {
            let result = try scanner.textIfAny()
            isError = result.map { scanner.equals($0, "error") } ?? false
        } else if scanner.equals(key, "reason") {
            reason = try scanner.textIfAny()
        } else if scanner.equals(key, "message") {
            message = try scanner.textIfAny()
        } else {
            if scanner.equals(key, "changes") {
                changes = scanner.index
            } else if scanner.equals(key, "trades") {
                trades = scanner.index
            } else if scanner.equals(key, "auction_events") {
                hasAuctions = true
            }
            try scanner.skip()
        }
    }
}

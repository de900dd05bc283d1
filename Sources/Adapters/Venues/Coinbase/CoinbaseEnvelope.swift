import Instruments

/// The outside of a message of either interface: what it is about, and where its parts lie.
struct CoinbaseEnvelope {
    let connection: Int
    let receivedTime: Timestamp
    /// Where the message begins.
    let start: Int
    /// `channel`, of Advanced Trade.
    private(set) var channel: JSONText?
    /// `type`, of the Exchange, and of errors.
    private(set) var type: JSONText?
    private(set) var product: JSONText?
    /// `timestamp` of Advanced Trade, `time` of the Exchange.
    private(set) var venueTime: Timestamp?
    /// `sequence_num`, of Advanced Trade.
    private(set) var number: Int64?
    private(set) var message: JSONText?
    private(set) var reason: JSONText?
    /// Where `events` of Advanced Trade begin.
    private(set) var events: Int?
    /// Where `changes` of the Exchange begin.
    private(set) var changes: Int?
    /// Where `bids` of the Exchange begin.
    private(set) var bids: Int?
    /// Where `asks` of the Exchange begin.
    private(set) var asks: Int?

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
        } else if scanner.equals(key, "channel") {
            channel = try scanner.textIfAny()
        } else if scanner.equals(key, "product_id") {
            product = try scanner.textIfAny()
        } else if scanner.equals(key, "time") || scanner.equals(key, "timestamp") {
            venueTime = try scanner.isoTime()
        } else if scanner.equals(key, "sequence_num") {
            number = try scanner.integer()
        } else if scanner.equals(key, "message") {
            message = try scanner.textIfAny()
        } else if scanner.equals(key, "reason") {
            reason = try scanner.textIfAny()
        } else {
            if scanner.equals(key, "events") {
                events = scanner.index
            } else if scanner.equals(key, "changes") {
                changes = scanner.index
            } else if scanner.equals(key, "bids") {
                bids = scanner.index
            } else if scanner.equals(key, "asks") {
                asks = scanner.index
            }
            try scanner.skip()
        }
    }
}

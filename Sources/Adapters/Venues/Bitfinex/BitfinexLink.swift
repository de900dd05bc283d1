import Instruments

/// A kind of data that is subscribed to by itself.
enum BitfinexKind: CaseIterable {
    case book, trades, ticker

    /// The venue's name of the channel.
    var name: String {
        switch self {
        case .book: "book"
        case .trades: "trades"
        case .ticker: "ticker"
        }
    }

    var channel: ChannelSet {
        switch self {
        case .book: .book
        case .trades: .trade
        case .ticker: .ticker
        }
    }
}

/// Data of one kind of one instrument.
struct BitfinexTopic: Hashable {
    let index: InstrumentIndex
    let kind: BitfinexKind
}

/// Where a topic is subscribed.
struct BitfinexPlace {
    let connection: Int
    /// The channel's number; `nil` until the venue says it.
    var channelID: Int64?
}

/// Where each kind of data of one instrument comes from.
struct BitfinexPlaces: Sendable {
    private var book: BitfinexPlace?
    private var trades: BitfinexPlace?
    private var ticker: BitfinexPlace?
    var crossed = CrossedWatch()

    subscript(kind: BitfinexKind) -> BitfinexPlace? {
        get {
            switch kind {
            case .book: book
            case .trades: trades
            case .ticker: ticker
            }
        }
        set {
            switch kind {
            case .book: book = newValue
            case .trades: trades = newValue
            case .ticker: ticker = newValue
            }
        }
    }
}

/// One connection: its channels, the numbers of its messages, and whether it speaks.
///
/// Source: Bitfinex API documentation, "General", section "Configuration flags", and a recording: with
/// `SEQ_ALL` each message ends with a number, one more than the message before, whatever its channel;
/// heartbeats are counted, events are not.
struct BitfinexLink: Sendable {
    /// Numbers at the end of messages.
    static let sequenceFlag: Int64 = 65_536
    /// Checksums of books.
    static let checksumFlag: Int64 = 131_072
    /// Several changes of a book in one message.
    static let bulkFlag: Int64 = 536_870_912
    /// Channels of one connection.
    static let capacity = 25

    /// What a message's number is to those before it.
    enum Number: Hashable { case next, old, gap }

    /// Whether we opened it; never in a replay.
    var isUp = false
    /// Topics that are meant to be on it.
    var load = 0
    /// What each channel number stands for; a channel that nobody wants is not among them.
    var channels: [Int64: BitfinexTopic] = [:]
    /// Whether messages have numbers here.
    var isNumbered = false
    /// Whether a list of levels may be a list of changes.
    var sendsBulk = false
    private(set) var last: Int64?
    private var stale = StaleRun()
    private var lastReceived = Timestamp.zero
    private var pingedAt: Timestamp?

    /// Begins anew; what is meant to be on it stays so.
    mutating func open(at time: Timestamp) {
        self = BitfinexLink(load: load)
        isUp = true
        lastReceived = time
    }

    mutating func received(at time: Timestamp) {
        lastReceived = time
        pingedAt = nil
    }

    /// The flags that the venue has confirmed: numbers begin anew.
    mutating func configured(flags: Int64) {
        isNumbered = flags & Self.sequenceFlag != 0
        sendsBulk = flags & Self.bulkFlag != 0
        last = nil
    }

    /// Takes the number of a message.
    mutating func take(_ number: Int64) -> Number {
        isNumbered = true
        guard let last else {
            self.last = number
            return .next
        }
        if number <= last, !stale.isTooLong(behind: last, at: lastReceived) { return .old }
        self.last = number
        return number == last + 1 ? .next : .gap
    }

    /// A message whose number could not be read is taken for the next one: if it was not, the next shows it.
    mutating func skipUnread() {
        if let last, last < .max { self.last = last + 1 }
    }

    /// What silence asks for.
    mutating func watch(at time: Timestamp, _ limit: SilenceLimit) -> SessionCore.Watch {
        guard isUp else { return .nothing }
        return limit.watch(since: lastReceived, pinged: &pingedAt, at: time)
    }
}

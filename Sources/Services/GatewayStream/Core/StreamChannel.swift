import AccountStore

/// What can be subscribed to.
enum StreamChannel: String, Hashable, Sendable, CaseIterable {
    /// The ticker of an instrument.
    case ticker
    /// The best 25 levels of a book.
    case book
    /// The trades of an instrument.
    case trades
    /// The newest candle of a length of an instrument, with the one before.
    case candles
    /// An index price.
    case index
    /// The feed of a venue, or of all.
    case venues
    /// What moves most.
    case trending
    /// Services and feeds, for operators.
    case status
    /// The tickers of all entries of a watchlist of one's own.
    case watchlist
    /// The firings of one's own alerts.
    case alerts
    /// What a portfolio of one's own is worth.
    case portfolio

    /// How changes follow each other.
    var conflation: Conflation {
        switch self {
        case .ticker, .candles, .index, .venues, .trending, .status, .portfolio: .latest
        case .book, .watchlist: .changes
        case .trades, .alerts: .items
        }
    }
}

/// How the changes of a thing follow each other, and so what may be left out for a client that is slow.
enum Conflation: Hashable, Sendable {
    /// Each is the whole thing: only the newest matters.
    case latest
    /// Each says what is different from before: all of them in order, or the whole thing instead.
    case changes
    /// Each is something new: the newest ones that are kept, and how many are not.
    case items
}

/// One thing that can be subscribed to: a channel and which of its things.
struct StreamTopic: Hashable, Sendable {
    /// What kind of thing.
    let channel: StreamChannel
    /// Which one, in the client's words.
    let key: String
    /// Whose it is, `nil` for what is everybody's: another user's thing is another topic.
    let owner: UserID?

    init(_ channel: StreamChannel, _ key: String, owner: UserID? = nil) {
        self.channel = channel
        self.key = key
        self.owner = owner
    }
}

/// A place in what was said of a thing.
struct StreamCursor: Hashable, Sendable {
    /// The life of the numbering; of a later life it is greater.
    var epoch: UInt64
    /// The number of the last change, from 1; 0 before the first.
    var sequence: UInt64
}

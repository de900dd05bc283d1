import Venues

/// A kind of public data that a venue streams, whatever the venue calls it.
enum StreamKind: UInt8, Hashable, Sendable, CaseIterable {
    case book
    case trade
    case ticker
    case candle
    case instrument
    case mark

    /// What sessions call it; `nil` for what they do not subscribe to.
    var channel: VenueChannel? {
        switch self {
        case .book: .book
        case .trade: .trade
        case .ticker: .ticker
        case .candle: .candle
        case .instrument: nil
        case .mark: .mark
        }
    }
}

/// One kind of data of one symbol.
struct VenueTopic: Hashable, Sendable {
    var kind: StreamKind
    /// In the venue's spelling.
    var symbol: String
}

/// What a recorded message is about; reused from message to message.
struct MessageSubject: Sendable {
    enum Kind: Sendable {
        /// Data of some topics.
        case market
        /// A sign of life.
        case heartbeat
        /// Acknowledgements and greetings, which the simulator makes itself.
        case control
        /// Not what the venue documents: it goes out as it was recorded, to whoever listens.
        case unreadable
    }

    var kind = Kind.control
    /// Indices of the topic table, each once.
    var topics: [Int] = []
    /// Whether it is a whole book.
    var isImage = false
    /// Kraken v1's number of the channel; -1 elsewhere.
    var channelID: Int64 = -1

    mutating func reset() {
        kind = .control
        topics.removeAll(keepingCapacity: true)
        isImage = false
        channelID = -1
    }

    mutating func note(_ topic: Int) {
        kind = .market
        if !topics.contains(topic) { topics.append(topic) }
    }
}

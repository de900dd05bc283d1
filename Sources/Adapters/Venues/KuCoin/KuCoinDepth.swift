import Instruments
import MarketData

/// One change of a level with its own number.
struct KuCoinChange: Sendable {
    let sequence: Int64
    let level: BookLevelChange
}

/// One `trade.l2update`, at its book's scales.
struct KuCoinUpdate: Sendable {
    var first: Int64 = -1
    var last: Int64 = -1
    var venueTime: Timestamp?
    var changes: [KuCoinChange] = []
    var priceScale = Scale.zero
    var sizeScale = Scale.zero
}

/// What the answer of an order book route says.
struct KuCoinImage: Sendable {
    var sequence: Int64
    var venueTime: Timestamp?
    var bids: [BookLevel]
    var asks: [BookLevel]
    /// Levels a side at the most; `nil` for all that there are.
    var limit: Int?
}

/// What one book is at.
struct KuCoinDepth: Sendable {
    /// Updates of one book that may wait for its image.
    static let pendingLimit = 6_000
    /// Levels of a cut side below which a new image is worth its outage.
    static let leastLevels = 20

    /// The number of the last change that the book contains.
    var sequence: Int64 = 0
    /// Updates that are passed over.
    var stale = StaleRun()
    /// Updates that wait for the image.
    var pending: [KuCoinUpdate] = []
    /// The worst prices of an image that was cut: what lies behind them is not known, so it is left out.
    private(set) var horizon: (bid: DecimalNumber?, ask: DecimalNumber?) = (nil, nil)
    var crossed = CrossedWatch()

    /// Takes the bounds of an image.
    mutating func begin(_ image: KuCoinImage, priceScale: Scale) {
        sequence = image.sequence
        pending = []
        crossed.reset()
        horizon = (nil, nil)
        guard let limit = image.limit else { return }
        if image.bids.count >= limit, let price = image.bids.map(\.price).min() {
            horizon.bid = price.decimal(priceScale)
        }
        if image.asks.count >= limit, let price = image.asks.map(\.price).max() {
            horizon.ask = price.decimal(priceScale)
        }
    }

    /// Whether a level lies where every level is known.
    func knows(_ level: BookLevelChange, _ scale: Scale) -> Bool {
        switch level.side {
        case .bid: horizon.bid.map { !(level.price.decimal(scale) < $0) } ?? true
        case .ask: horizon.ask.map { !($0 < level.price.decimal(scale)) } ?? true
        }
    }

    /// Whether the price has come so near to the end of a cut image that a new one is due.
    func isThin(_ book: Book) -> Bool {
        (horizon.bid != nil && book.bidCount < Self.leastLevels)
            || (horizon.ask != nil && book.askCount < Self.leastLevels)
    }
}

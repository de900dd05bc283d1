import Instruments
import MarketData
import Wire

/// What is known of an instrument's price: the day by our own count, the best prices of the proven book, and
/// what the venue says itself.
struct KnownTicker: Sendable {
    /// Whose.
    let instrument: InstrumentID
    /// The last 24 hours.
    var day: Heard<Bitpal_V1_DayTicker>?
    /// Best bid and ask of the proven book.
    var top: Heard<BookTop>?
    /// Best bid and ask by the venue.
    var venue: Heard<Ticker>?

    /// When the newest of the three was heard.
    var heard: Timestamp {
        [day?.time, top?.time, venue?.time].compactMap { $0 }.max() ?? .zero
    }
}

/// The best levels of a book.
struct KnownDepth: Sendable {
    /// What may be believed of the book.
    var state: BookState
    /// Why.
    var reason: BookStateReason
    /// Decimal places of prices.
    var priceScale: Scale
    /// Decimal places of sizes.
    var sizeScale: Scale
    /// Best first, at most 25.
    var bids: [BookLevel]
    /// Best first, at most 25.
    var asks: [BookLevel]
    /// Levels of the whole book.
    var bidCount: Int
    /// Levels of the whole book.
    var askCount: Int
    /// When it happened by the venue.
    var venueTime: Timestamp?
    /// When it was read from the venue.
    var receivedTime: Timestamp

    /// Reads a message; `nil` when it contradicts itself.
    init?(_ message: Bitpal_V1_BookDepth) {
        guard let state = UInt8(exactly: message.state.rawValue).flatMap(BookState.init(rawValue:)),
            let reason = UInt8(exactly: message.reason.rawValue).flatMap(BookStateReason.init(rawValue:)),
            let priceScale = Scale(Int(message.priceScale)), let sizeScale = Scale(Int(message.sizeScale)),
            message.bidPrices.count == message.bidSizes.count,
            message.askPrices.count == message.askSizes.count
        else { return nil }
        (self.state, self.reason, self.priceScale, self.sizeScale) = (state, reason, priceScale, sizeScale)
        bids = KnownDepth.levels(message.bidPrices, message.bidSizes)
        asks = KnownDepth.levels(message.askPrices, message.askSizes)
        (bidCount, askCount) = (Int(message.bidCount), Int(message.askCount))
        let venueNanos = message.venueTimeUnixNanos
        venueTime = venueNanos == 0 ? nil : Timestamp(nanoseconds: venueNanos)
        receivedTime = Timestamp(nanoseconds: message.receivedTimeUnixNanos)
    }

    private static func levels(_ prices: [Int64], _ sizes: [Int64]) -> [BookLevel] {
        zip(prices, sizes).prefix(25).map {
            BookLevel(price: Price(rawValue: $0), size: Quantity(rawValue: $1))
        }
    }
}

/// A whole book as it stands, and how far it may be believed.
struct KnownBook: Sendable {
    /// The book with its state.
    var replica: BookReplica
    /// Our own connection to it.
    var connection: BusCondition.Word
    /// When we last heard of it, by our own clock.
    var heard: Timestamp
}

/// The newest candle of a length of an instrument, and the one before, which may still change when the newest
/// has begun: who hears only the newest now and then would never hear how the other ended.
struct KnownCandles: Sendable {
    /// The one of the latest start.
    private(set) var newest: Bitpal_V1_Candle?
    /// The one of the latest start before.
    private(set) var previous: Bitpal_V1_Candle?

    /// Takes what was said of a candle; false when it is older than both.
    mutating func take(_ candle: Bitpal_V1_Candle) -> Bool {
        let start = candle.startUnixNanos
        if let newest, start < newest.startUnixNanos {
            if let previous, start < previous.startUnixNanos { return false }
            previous = candle
            return true
        }
        if let newest, start > newest.startUnixNanos { previous = newest }
        newest = candle
        return true
    }
}

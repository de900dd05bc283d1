package import Instruments
package import MarketData

/// The best levels of a book, as they are told now and then.
package struct BookDepth: Hashable, Sendable {
    /// Levels of each side that are told.
    package static let levels = 25

    /// What may be believed of the book.
    package let state: BookState
    package let reason: BookStateReason
    /// Decimal places of prices.
    package let priceScale: Scale
    /// Decimal places of sizes.
    package let sizeScale: Scale
    /// Best first, at most ``levels``.
    package let bids: [BookLevel]
    /// Best first, at most ``levels``.
    package let asks: [BookLevel]
    /// When it happened by the venue.
    package let venueTime: Timestamp?
    /// When it was read from the venue.
    package let receivedTime: Timestamp

    /// Reads a message; `nil` when it contradicts itself.
    package init?(_ message: Bitpal_V1_BookDepth) {
        guard let state = message.state.domain, let reason = message.reason.domain,
            let priceScale = Scale(Int(message.priceScale)), let sizeScale = Scale(Int(message.sizeScale)),
            message.bidPrices.count == message.bidSizes.count,
            message.askPrices.count == message.askSizes.count
        else { return nil }
        (self.state, self.reason, self.priceScale, self.sizeScale) = (state, reason, priceScale, sizeScale)
        bids = Self.side(message.bidPrices, message.bidSizes)
        asks = Self.side(message.askPrices, message.askSizes)
        let venueNanos = message.venueTimeUnixNanos
        venueTime = venueNanos == 0 ? nil : Timestamp(nanoseconds: venueNanos)
        receivedTime = Timestamp(nanoseconds: message.receivedTimeUnixNanos)
    }

    private static func side(_ prices: [Int64], _ sizes: [Int64]) -> [BookLevel] {
        zip(prices, sizes).prefix(levels).map {
            BookLevel(price: Price(rawValue: $0), size: Quantity(rawValue: $1))
        }
    }
}

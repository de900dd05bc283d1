import Instruments
import MarketData
import MarketState

/// What a book's depth says, as texts; `nil` where the book does not.
struct BookAnalyticsBody: Encodable, Hashable, Sendable {
    var spread: String?
    /// Basis points of the middle price.
    var spreadBps: String?
    var mid: String?
    var microprice: String?
    /// −1...1, of the best 25 levels.
    var imbalance: String?
    /// Value of the bids within 5 % of the middle, in the quote asset.
    var bidValue: String?
    /// Value of the asks within 5 % of the middle, in the quote asset.
    var askValue: String?

    private enum CodingKeys: String, CodingKey {
        case spread
        case spreadBps = "spread_bps"
        case mid, microprice, imbalance
        case bidValue = "bid_value"
        case askValue = "ask_value"
    }

    init(_ book: Book, _ terms: ContractTerms) {
        let four = Scale(4) ?? .zero
        let finer = Scale(min(book.priceScale.places + 4, 18)) ?? .maximum
        spread = Depth.spread(book).map {
            MarketState.WideDecimal(units: Int256($0), places: book.priceScale.places).normalized.description
        }
        spreadBps = Self.text(Depth.spreadInBasisPoints(book)?.rounded(to: four))
        mid = Self.text(Depth.mid(book)?.price(at: book.priceScale, roundedTo: finer))
        microprice = Self.text(Depth.microPrice(book)?.price(at: book.priceScale, roundedTo: finer))
        imbalance = Self.text(Depth.imbalance(book, best: 25)?.rounded(to: four))
        guard let near = Depth.within(book, basisPoints: 500) else { return }
        func value(_ sums: DepthSums) -> String? {
            terms.value(
                notional: sums.notional, size: sums.size, priceScale: book.priceScale,
                sizeScale: book.sizeScale)?.normalized.description
        }
        (bidValue, askValue) = (value(near.bids), value(near.asks))
    }

    fileprivate static func text(_ number: DecimalNumber?) -> String? { number?.normalized.description }
}

/// A book with its analytics: the keys of `bitpal book --json`, and one more.
struct BookAnswer: Encodable {
    private enum CodingKeys: String, CodingKey { case analytics }

    var book: BookBody
    var analytics: BookAnalyticsBody

    func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(analytics, forKey: .analytics)
    }
}

/// What a trade against a book would take.
struct CostBody: Encodable, Hashable, Sendable {
    var instrument: String
    var side: String
    /// Whether the book holds all that was asked for.
    var complete: Bool
    /// Levels that are touched.
    var levels: Int
    var quantity: String?
    var averagePrice: String?
    var worstPrice: String
    /// What the depth costs against the best price, in basis points.
    var slippageBps: String?

    private enum CodingKeys: String, CodingKey {
        case instrument, side, complete, levels, quantity
        case averagePrice = "average_price"
        case worstPrice = "worst_price"
        case slippageBps = "slippage_bps"
    }

    init(_ fill: DepthFill, _ book: Book, _ id: InstrumentID, _ side: Side) {
        let prices = Scale(min(book.priceScale.places + 4, 18)) ?? .maximum
        let sizes = Scale(min(book.sizeScale.places + 4, 18)) ?? .maximum
        instrument = id.description
        self.side = side.name
        (complete, levels) = (fill.isComplete, fill.levels)
        // A quotient of units of the size scale, as prices are of theirs.
        quantity = BookAnalyticsBody.text(fill.quantity.price(at: book.sizeScale, roundedTo: sizes))
        averagePrice = BookAnalyticsBody.text(
            fill.averagePrice.price(at: book.priceScale, roundedTo: prices))
        worstPrice = fill.worst.decimal(book.priceScale).normalized.description
        slippageBps = BookAnalyticsBody.text(fill.slippage?.rounded(to: Scale(4) ?? .zero))
    }
}

import GatewayStream
import Instruments
import MarketData
import MarketState
import Shapes

/// What a book's depth says, as texts; `nil` where the book does not.
struct BookAnalyticsBody: WireBody, Hashable, Sendable {
    static let shape = BodyShape<BookAnalyticsBody>(
        "BookAnalytics", "What the book does not say is left out."
    ) {
        Field(
            ifPresent: "ask_value", \.askValue,
            "What the asks within 5 % of mid are worth, in the quote asset, whatever depth is.",
            as: .decimal, example: "5100000.3")
        Field(
            ifPresent: "bid_value", \.bidValue,
            "What the bids within 5 % of mid are worth, in the quote asset, whatever depth is.",
            as: .decimal, example: "5400000.1")
        Field(
            ifPresent: "imbalance", \.imbalance,
            """
            Sizes of bids less sizes of asks, over their sum, of the best 25 levels of each side whatever \
            depth is: -1 to 1.
            """, as: .decimal, example: "0.12")
        Field(
            ifPresent: "microprice", \.microprice,
            """
            Best bid and best ask, each weighted by the size on the other side: nearer to the side that has \
            less.
            """, as: .decimal, example: "61000.46")
        Field(
            ifPresent: "mid", \.mid, "Half way between best bid and best ask.", as: .decimal,
            example: "61000.45")
        Field(ifPresent: "spread", \.spread, "Best ask less best bid.", as: .decimal, example: "0.1")
        Field(
            ifPresent: "spread_bps", \.spreadBps, "The same in basis points of mid.", as: .decimal,
            example: "0.0164")
    }

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
struct BookAnswer: WireBody {
    static let shape = BodyShape<BookAnswer>("Book") {
        Field("analytics", \.analytics)
        Field(all: \.book)
    }

    var book: BookBody
    var analytics: BookAnalyticsBody
}

/// What a trade against a book would take.
struct CostBody: WireBody, Hashable, Sendable {
    static let shape = BodyShape<CostBody>("Cost") {
        Field(ifPresent: "average_price", \.averagePrice, as: .decimal, example: "61001.2")
        Field("complete", \.complete, "Whether the book holds all that was asked for.", example: true)
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field("levels", \.levels, "Levels that are touched.", example: 3)
        Field(ifPresent: "quantity", \.quantity, "In units of size.", as: .decimal, example: "1.5")
        Field("side", \.side, as: .words(Side.allCases.map(\.name)))
        Field(
            ifPresent: "slippage_bps", \.slippageBps,
            "Average price against the best price, in basis points; never negative.", as: .decimal,
            example: "0.1148")
        Field(
            "worst_price", \.worstPrice, "Of the last level that is touched.", as: .decimal,
            example: "61002")
    }

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

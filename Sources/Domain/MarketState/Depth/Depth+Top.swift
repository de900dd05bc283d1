public import Instruments
public import MarketData

/// What the best bid and the best ask say together.
extension Depth {
    /// (bid + ask) / 2 in price units; `nil` when a side is empty.
    public static func mid(_ book: Book) -> ExactRatio? {
        guard let bid = book.bestBid, let ask = book.bestAsk else { return nil }
        let sum = Int128(bid.price.rawValue) + Int128(ask.price.rawValue)
        return ExactRatio(Int256(sum), over: Int256(Int128(2)))
    }

    /// (bid·ask size + ask·bid size) / (bid size + ask size) in price units: nearer to the side that has
    /// less.
    ///
    /// `nil` when a side is empty.
    public static func microPrice(_ book: Book) -> ExactRatio? {
        guard let bid = book.bestBid, let ask = book.bestAsk else { return nil }
        var numerator = Int256(Int128(bid.price.rawValue) * Int128(ask.size.rawValue))
        numerator += Int256(Int128(ask.price.rawValue) * Int128(bid.size.rawValue))
        return ratio(numerator, Int128(bid.size.rawValue) + Int128(ask.size.rawValue))
    }

    /// (Σ bid sizes − Σ ask sizes) / (Σ bid sizes + Σ ask sizes) over the best levels: −1...1.
    ///
    /// `nil` when both sides are empty.
    public static func imbalance(_ book: Book, best depth: Int) -> ExactRatio? {
        let bids = total(book.bids, best: depth).size
        let asks = total(book.asks, best: depth).size
        return ratio(Int256(bids - asks), bids + asks)
    }

    /// ask − bid in price units, negative when crossed; `nil` when a side is empty.
    public static func spread(_ book: Book) -> Int128? {
        guard let bid = book.bestBid, let ask = book.bestAsk else { return nil }
        return Int128(ask.price.rawValue) - Int128(bid.price.rawValue)
    }

    /// (ask − bid) / tick; `nil` when a side is empty or the tick is not above zero.
    public static func spreadInTicks(_ book: Book, tick: DecimalNumber) -> ExactRatio? {
        guard let spread = spread(book), tick.units > 0 else { return nil }
        // Both to the finer of the two scales: 128 bits hold 2^64 × 10^18.
        let scale = max(book.priceScale, tick.scale)
        let numerator = spread * Int128((scale.power / book.priceScale.power))
        return ratio(Int256(numerator), Int128(tick.units) * Int128(scale.power / tick.scale.power))
    }

    /// 10⁴·(ask − bid) / mid, in basis points; `nil` when a side is empty or the mid price is not above
    /// zero.
    public static func spreadInBasisPoints(_ book: Book) -> ExactRatio? {
        guard let spread = spread(book), let bid = book.bestBid, let ask = book.bestAsk else { return nil }
        let sum = Int128(bid.price.rawValue) + Int128(ask.price.rawValue)
        return ratio(Int256(spread * 20_000), sum)
    }

    private static func ratio(_ numerator: Int256, _ denominator: Int128) -> ExactRatio? {
        denominator > 0 ? ExactRatio(numerator, over: Int256(denominator)) : nil
    }
}

public import Instruments
public import MarketData

/// What it would take to trade a quantity or an amount against a side of a book, taking level after level.
public struct DepthFill: Hashable, Sendable {
    /// Whether the book holds all that was asked for; if not, the rest tells what the book has.
    public let isComplete: Bool
    /// Levels that were touched.
    public let levels: Int
    /// The price of the best level.
    public let best: Price
    /// The price of the last level touched.
    public let worst: Price
    /// What is filled, in units of the size scale.
    public let quantity: ExactRatio
    /// Value filled / quantity filled, in price units.
    ///
    /// Linear: Σ pᵢ·qᵢ / Σ qᵢ. Inverse: Σ qᵢ / Σ (qᵢ / pᵢ), where each quotient is cut at 30 decimal
    /// places.
    public let averagePrice: ExactRatio
    private let isBid: Bool

    init(
        isComplete: Bool, levels: Int, best: Price, worst: Price, quantity: ExactRatio,
        averagePrice: ExactRatio, isBid: Bool
    ) {
        self.isComplete = isComplete
        self.levels = levels
        self.best = best
        self.worst = worst
        self.quantity = quantity
        self.averagePrice = averagePrice
        self.isBid = isBid
    }

    /// 10⁴·(average − best) / best for asks and 10⁴·(best − average) / best for bids, in basis points: what
    /// the depth costs, never below zero.
    ///
    /// `nil` when the best price is not above zero or the numbers need more than 256 bits.
    public var slippage: ExactRatio? {
        guard best.rawValue > 0 else { return nil }
        let (at, first) = averagePrice.denominator.multipliedReportingOverflow(by: Int128(best.rawValue))
        let (minus, second) = (isBid ? averagePrice.numerator : at).negatedReportingOverflow()
        let (cost, third) = (isBid ? at : averagePrice.numerator).addingReportingOverflow(minus)
        let (scaled, fourth) = cost.multipliedReportingOverflow(by: 10_000)
        return first || second || third || fourth ? nil : ExactRatio(scaled, over: at)
    }
}

extension Depth {
    /// What trading a quantity takes: sells hit bids, buys hit asks.
    ///
    /// - Parameters:
    ///   - book: The book.
    ///   - side: The side of the book that is traded against.
    ///   - quantity: In units of the size scale, above zero.
    ///   - isInverse: Whether the average is that of an inverse contract.
    /// - Returns: `nil` when the side is empty, the quantity is not above zero, or an inverse contract has
    ///   a price that is not above zero. A book too thin gives what it has, and ``DepthFill/isComplete`` is
    ///   false.
    public static func fill(
        _ book: Book, _ side: BookSide, quantity: Quantity, isInverse: Bool = false
    ) -> DepthFill? {
        let ladder = side == .bid ? book.bids : book.asks
        guard let best = ladder.best, quantity.rawValue > 0 else { return nil }
        var walk = FillSums()
        var left = quantity.rawValue
        for rank in 0..<ladder.count where left > 0 {
            let level = ladder.level(at: rank)
            let part = min(left, level.size.rawValue)
            guard walk.take(part, at: level.price, isInverse: isInverse) else { return nil }
            left -= part
        }
        let filled = Int128(quantity.rawValue) - Int128(left)
        let average =
            isInverse
            ? ExactRatio(Int256(product: filled, FillSums.unit), over: Int256(walk.inverse))
            : ExactRatio(walk.notional, over: Int256(filled))
        return DepthFill(
            isComplete: left == 0, levels: walk.levels, best: best.price, worst: walk.worst,
            quantity: ExactRatio(Int256(filled), over: Int256(Int128(1))), averagePrice: average,
            isBid: side == .bid)
    }

    /// What trading for an amount of the quote asset takes.
    ///
    /// The last level is taken in part: its quantity is (amount − Σ value before) / value of one unit.
    ///
    /// - Parameters:
    ///   - book: The book.
    ///   - side: The side of the book that is traded against.
    ///   - amount: In the quote asset, above zero.
    ///   - terms: What a unit of size is worth.
    /// - Returns: `nil` as for a quantity, and where the numbers need more than 256 bits.
    public static func fill(
        _ book: Book, _ side: BookSide, amount: DecimalNumber, _ terms: ContractTerms
    ) -> DepthFill? {
        guard amount.units > 0, terms.multiplier.units > 0 else { return nil }
        // The amount in what the walk counts: units of size × price (or of size, inverse), over the
        // multiplier.
        let places = (terms.isInverse ? 0 : book.priceScale.places) + book.sizeScale.places
        let power = places + terms.multiplier.scale.places - amount.scale.places
        guard abs(power) <= PowerOfTen.highest else { return nil }
        let factor = PowerOfTen.int128(abs(power))
        let target = Int256(product: Int128(amount.units), power > 0 ? factor : 1)
        let divisor = Int256(product: Int128(terms.multiplier.units), power < 0 ? factor : 1)
        guard let divisor = divisor.narrowed else { return nil }
        return AmountFill(target: target, divisor: divisor, isInverse: terms.isInverse)
            .run(side == .bid ? book.bids : book.asks, isBid: side == .bid)
    }
}

/// Sums while levels are taken.
struct FillSums {
    /// The places at which quotients of inverse contracts are cut.
    static let unit = PowerOfTen.int128(30)

    var levels = 0
    var worst = Price(0)
    var notional = Int256.zero
    /// Σ size / price in units of 10^-30.
    var inverse: Int128 = 0

    /// Returns `false` for a price that an inverse contract cannot have, or a sum beyond 128 bits.
    mutating func take(_ size: Int64, at price: Price, isInverse: Bool) -> Bool {
        levels += 1
        worst = price
        guard isInverse else {
            notional += Int256(Int128(price.rawValue) * Int128(size))
            return true
        }
        guard price.rawValue > 0 else { return false }
        let product = Int256(product: Int128(size), FillSums.unit)
        let quotient = product.quotientAndRemainder(dividingBy: Int256(price.rawValue)).quotient
        guard let part = quotient.narrowed else { return false }
        let (sum, overflow) = inverse.addingReportingOverflow(part)
        inverse = sum
        return !overflow && sum > 0
    }
}

/// Takes levels until a value is reached; values are compared after multiplying by `divisor`.
struct AmountFill {
    let target: Int256
    let divisor: Int128
    let isInverse: Bool

    func run(_ ladder: BookLadder, isBid: Bool) -> DepthFill? {
        guard let best = ladder.best else { return nil }
        var walk = FillSums()
        var size: Int128 = 0
        var value = Int256.zero
        for rank in 0..<ladder.count {
            let level = ladder.level(at: rank)
            guard level.price.rawValue > 0 else { return nil }
            let unit = isInverse ? 1 : Int128(level.price.rawValue)
            let whole = Int256(product: unit, Int128(level.size.rawValue))
            let (worth, overflow) = whole.multipliedReportingOverflow(by: divisor)
            let (next, second) = value.addingReportingOverflow(worth)
            if overflow || second { return nil }
            guard next < target else {
                return partial(walk, size, value, level, best: best.price, isBid: isBid)
            }
            value = next
            size += Int128(level.size.rawValue)
            guard walk.take(level.size.rawValue, at: level.price, isInverse: isInverse) else { return nil }
        }
        let average =
            isInverse
            ? ExactRatio(Int256(product: size, FillSums.unit), over: Int256(walk.inverse))
            : ExactRatio(walk.notional, over: Int256(size))
        return DepthFill(
            isComplete: false, levels: walk.levels, best: best.price, worst: walk.worst,
            quantity: ExactRatio(Int256(size), over: Int256(Int128(1))), averagePrice: average, isBid: isBid)
    }

    /// The end: quantity = size before + (target − value before) / (divisor · unit value).
    private func partial(
        _ walk: FillSums, _ size: Int128, _ value: Int256, _ level: BookLevel, best: Price, isBid: Bool
    ) -> DepthFill? {
        var rest = target
        rest -= value
        let price = Int128(level.price.rawValue)
        let below = Int256(product: divisor, isInverse ? 1 : price)
        guard let below = below.narrowed else { return nil }
        let (quantity, first) = Int256(product: size, below).addingReportingOverflow(rest)
        // Linear: average = target / divisor / quantity, and the price in `below` cancels.
        let average: ExactRatio
        if isInverse {
            // Σ q / p = inverse + rest / (divisor · p), all over 10^30; average = q / that.
            let (last, second) = rest.multipliedReportingOverflow(by: FillSums.unit)
            let cut = last.quotientAndRemainder(dividingBy: Int256(product: divisor, price)).quotient
            guard let part = cut.narrowed, let whole = quantity.narrowed else { return nil }
            let (base, third) = walk.inverse.addingReportingOverflow(part)
            if second || third || base <= 0 { return nil }
            average = ExactRatio(Int256(product: whole, FillSums.unit), over: Int256(product: base, below))
        } else {
            let (numerator, second) = target.multipliedReportingOverflow(by: price)
            if second { return nil }
            average = ExactRatio(numerator, over: quantity)
        }
        if first { return nil }
        return DepthFill(
            isComplete: true, levels: walk.levels + 1, best: best, worst: level.price,
            quantity: ExactRatio(quantity, over: Int256(below)), averagePrice: average, isBid: isBid)
    }
}

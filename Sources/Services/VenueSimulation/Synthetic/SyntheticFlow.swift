import Instruments
import MarketData

/// A random flow of orders into one book: a fair price wanders, makers quote around it, takers trade towards
/// it.
///
/// The book is never crossed, and each side always has between `fewest` and `most` levels.
struct SyntheticFlow: Sendable {
    static let fewest = 30
    static let most = 60

    /// What one step did.
    struct Step: Sendable {
        /// Changed levels, size 0 removes; `isNew` says which were not there.
        var changes: [(change: BookLevelChange, isNew: Bool)] = []
        var trade: (side: Side, price: Price, size: Quantity)?
    }

    let instrument: SyntheticInstrument
    private(set) var book: Book
    private var random: SplitMix64
    /// In ticks.
    private var fair: Int64

    init(_ instrument: SyntheticInstrument, seed: UInt64) {
        self.instrument = instrument
        book = Book(priceScale: instrument.priceScale, sizeScale: instrument.sizeScale)
        random = SplitMix64(seed: seed)
        fair = instrument.startPrice / instrument.tick
        for rank in 0..<Int64(40) {
            let size = someSize()
            book.set(.bid, price(fair - 1 - rank), size)
            let other = someSize()
            book.set(.ask, price(fair + 1 + rank), other)
        }
    }

    /// Lets one thing happen.
    mutating func step() -> Step {
        wander()
        var step = Step()
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<56: resize(&step)
        case 56..<72: insert(&step)
        case 72..<84: remove(&step)
        case 84..<94: improve(&step)
        default: trade(&step)
        }
        return step
    }

    // MARK: - What may happen

    /// The fair price moves by up to three ticks and stays within two percent of where it began.
    private mutating func wander() {
        let start = instrument.startPrice / instrument.tick
        let drift = (start - fair) * 100 / start
        fair += Int64.random(in: -3...3, using: &random) + drift
    }

    private mutating func resize(_ step: inout Step) {
        let side = someSide()
        let rank = random.rank(oneIn: 8, limit: count(side) - 1)
        set(side, level(side, rank).price, someSize(), &step)
    }

    private mutating func insert(_ step: inout Step) {
        let side = someSide()
        let distance = Int64(1 + random.rank(oneIn: 12, limit: 80))
        let best = ticks(level(side, 0).price)
        enter(side, price(side == .bid ? best - distance : best + distance), &step)
    }

    /// Makers leave the side that the price moves against.
    private mutating func remove(_ step: inout Step) {
        let side: BookSide = random.happens(65) ? (isRising ? .ask : .bid) : someSide()
        guard count(side) > Self.fewest else { return insert(&step) }
        let rank = random.rank(oneIn: 6, limit: count(side) - 1)
        set(side, level(side, rank).price, .zero, &step)
    }

    /// A maker betters the best price where there is room.
    private mutating func improve(_ step: inout Step) {
        let bid = ticks(level(.bid, 0).price)
        let ask = ticks(level(.ask, 0).price)
        let room = ask - bid - 1
        guard room > 0 else { return resize(&step) }
        let better = Int64.random(in: 1...min(room, 4), using: &random)
        let side: BookSide = isRising ? .bid : .ask
        enter(side, price(side == .bid ? bid + better : ask - better), &step)
    }

    /// An order at a price.
    ///
    /// Where a side is full its last level makes room first: one that is last itself does
    /// not enter, since no venue says a level in the moment in which it is gone.
    private mutating func enter(_ side: BookSide, _ price: Price, _ step: inout Step) {
        let size = someSize()
        let last = level(side, count(side) - 1).price
        if count(side) == Self.most, (side == .bid ? book.bids : book.asks).size(at: price) == nil {
            guard side == .bid ? price > last : price < last else { return resize(&step) }
            set(side, last, .zero, &step)
        }
        set(side, price, size, &step)
    }

    /// A taker takes from the best level, all of it where the side has levels to spare.
    private mutating func trade(_ step: inout Step) {
        let isBuy = random.happens(75) ? isRising : !isRising
        let side: BookSide = isBuy ? .ask : .bid
        let best = level(side, 0)
        let lots = best.size.rawValue / instrument.lot
        let takesAll = lots <= 1 || (count(side) > Self.fewest && random.happens(60))
        guard !takesAll || count(side) > Self.fewest else { return insert(&step) }
        let taken =
            takesAll ? best.size.rawValue : Int64.random(in: 1..<lots, using: &random) * instrument.lot
        step.trade = (isBuy ? .buy : .sell, best.price, Quantity(taken))
        set(side, best.price, Quantity(best.size.rawValue - taken), &step)
    }

    // MARK: - The book

    private var isRising: Bool {
        fair * 2 >= ticks(level(.bid, 0).price) + ticks(level(.ask, 0).price)
    }

    private mutating func set(_ side: BookSide, _ price: Price, _ size: Quantity, _ step: inout Step) {
        let existed = book.set(side, price, size)
        let change = BookLevelChange(side: side, price: price, size: size)
        step.changes.append((change, !existed))
    }

    private func count(_ side: BookSide) -> Int { side == .bid ? book.bidCount : book.askCount }

    private func level(_ side: BookSide, _ rank: Int) -> BookLevel {
        side == .bid ? book.bids.level(at: rank) : book.asks.level(at: rank)
    }

    private func price(_ ticks: Int64) -> Price { Price(ticks * instrument.tick) }

    private func ticks(_ price: Price) -> Int64 { price.rawValue / instrument.tick }

    private mutating func someSide() -> BookSide { random.happens(50) ? .bid : .ask }

    /// Small sizes are common, great ones rare.
    private mutating func someSize() -> Quantity {
        let limit = Int64.random(in: 1...instrument.greatestLots, using: &random)
        return Quantity(Int64.random(in: 1...limit, using: &random) * instrument.lot)
    }
}

import Instruments
import MarketData

/// A random flow of orders into one book around a fair price that is given: makers quote around it, takers
/// trade towards it.
///
/// The book is never crossed, and each side always has about as many levels as the instrument wants.
struct SyntheticFlow: Sendable {
    /// What one step did.
    struct Step: Sendable {
        /// Changed levels, size 0 removes; `isNew` says which were not there.
        var changes: [(change: BookLevelChange, isNew: Bool)] = []
        var trade: (side: Side, price: Price, size: Quantity)?
    }

    let instrument: SyntheticInstrument
    private(set) var book: Book
    private var random: SplitMix64
    /// Levels a side, at least and at the most.
    let fewest: Int
    let most: Int
    /// Ticks between two levels, more or less.
    private let gap: Int64

    /// Levels that a moving price takes at once; those between them stay for the next step.
    private static let sweep = 24

    /// A book around a price in ticks.
    init(_ instrument: SyntheticInstrument, seed: UInt64, around fair: Int64) {
        self.instrument = instrument
        book = Book(priceScale: instrument.priceScale, sizeScale: instrument.sizeScale)
        random = SplitMix64(seed: seed)
        fewest = instrument.depth * 3 / 4
        most = instrument.depth * 5 / 4
        // A twentieth of a thousandth: a usual second moves the price by about as much.
        gap = max(fair / 20_000, 1)
        var (bid, ask) = (fair, fair)
        for _ in 0..<instrument.depth {
            bid -= distance()
            ask += distance()
            if bid > 0 { book.set(.bid, price(bid), someSize()) }
            book.set(.ask, price(ask), someSize())
        }
    }

    /// Lets one thing happen, while the price that everybody deems fair is so many ticks.
    mutating func step(towards fair: Int64) -> Step {
        var step = Step()
        if fair <= ticks(level(.bid, 0).price) {
            sweep(.bid, to: fair, &step)
        } else if fair >= ticks(level(.ask, 0).price) {
            sweep(.ask, to: fair, &step)
        } else {
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<44: resize(&step)
            case 44..<58: insert(&step)
            case 58..<68: remove(&step)
            case 68..<88: improve(around: fair, &step)
            default: trade(around: fair, &step)
            }
        }
        return step
    }

    // MARK: - What may happen

    /// The price leaves a side's best levels behind: makers take them away, a taker takes the last, and the
    /// other side follows.
    private mutating func sweep(_ side: BookSide, to fair: Int64, _ step: inout Step) {
        var count = 0
        let limit = min(Self.sweep, self.count(side) - 1)
        while count < limit, isReached(level(side, count).price, side, fair) { count += 1 }
        let gone = (0..<count).map { level(side, $0) }
        for level in gone { set(side, level.price, .zero, &step) }
        if let last = gone.last { step.trade = (side == .ask ? .buy : .sell, last.price, last.size) }
        follow(opposite(side), to: fair, &step)
        deepen(side, &step)
    }

    private func isReached(_ price: Price, _ side: BookSide, _ fair: Int64) -> Bool {
        side == .ask ? ticks(price) <= fair : ticks(price) >= fair
    }

    /// Makers fill the room that the price has left behind it.
    private mutating func follow(_ side: BookSide, to fair: Int64, _ step: inout Step) {
        let best = ticks(level(side, 0).price)
        let other = ticks(level(opposite(side), 0).price)
        var room: [Int64] = []
        var next = side == .bid ? min(fair, other) : max(fair, other)
        while room.count < Self.sweep {
            next += side == .bid ? -distance() : distance()
            guard side == .bid ? next > best : next < best else { break }
            room.append(next)
        }
        let surplus = count(side) + room.count - most
        if surplus > 0 {
            let last = count(side) - 1
            let gone = (0..<min(surplus, last)).map { level(side, last - $0).price }
            for price in gone { set(side, price, .zero, &step) }
        }
        for ticks in room { set(side, price(ticks), someSize(), &step) }
    }

    /// Makers put orders behind a side that has become thin.
    private mutating func deepen(_ side: BookSide, _ step: inout Step) {
        var next = ticks(level(side, count(side) - 1).price)
        while count(side) < fewest {
            next += side == .bid ? -distance() : distance()
            guard next > 0 else { return }
            set(side, price(next), someSize(), &step)
        }
    }

    private mutating func resize(_ step: inout Step) {
        let side = someSide()
        let rank = random.rank(oneIn: 12, limit: count(side) - 1)
        set(side, level(side, rank).price, someSize(), &step)
    }

    private mutating func insert(_ step: inout Step) {
        let side = someSide()
        let away = Int64(random.rank(oneIn: 20, limit: most)) * gap + distance()
        let best = ticks(level(side, 0).price)
        enter(side, side == .bid ? best - away : best + away, &step)
    }

    private mutating func remove(_ step: inout Step) {
        let side = someSide()
        guard count(side) > fewest else { return insert(&step) }
        let rank = 1 + random.rank(oneIn: 12, limit: count(side) - 2)
        set(side, level(side, rank).price, .zero, &step)
    }

    /// A maker betters the best price where there is room.
    private mutating func improve(around fair: Int64, _ step: inout Step) {
        let side = someSide()
        let best = ticks(level(side, 0).price)
        let room = side == .bid ? fair - best - 1 : best - fair - 1
        guard room > 0 else { return resize(&step) }
        let better = Int64.random(in: 1...room, using: &random)
        enter(side, side == .bid ? best + better : best - better, &step)
    }

    /// An order at a price in ticks.
    ///
    /// Where a side is full its last level makes room first: one that is last itself does
    /// not enter, since no venue says a level in the moment in which it is gone.
    private mutating func enter(_ side: BookSide, _ ticks: Int64, _ step: inout Step) {
        guard ticks > 0 else { return resize(&step) }
        let price = self.price(ticks)
        let last = level(side, count(side) - 1).price
        if count(side) >= most, (side == .bid ? book.bids : book.asks).size(at: price) == nil {
            guard side == .bid ? price > last : price < last else { return resize(&step) }
            set(side, last, .zero, &step)
        }
        set(side, price, someSize(), &step)
    }

    /// A taker takes from the best level, of the side that is nearer to the fair price more often.
    private mutating func trade(around fair: Int64, _ step: inout Step) {
        let mid = ticks(level(.bid, 0).price) + ticks(level(.ask, 0).price)
        let isBuy = random.happens(65) ? fair * 2 >= mid : fair * 2 < mid
        let side: BookSide = isBuy ? .ask : .bid
        let best = level(side, 0)
        let lots = best.size.rawValue / instrument.lot
        let takesAll = lots <= 1 || (count(side) > fewest && random.happens(30))
        guard !takesAll || count(side) > fewest else { return insert(&step) }
        let taken =
            takesAll ? best.size.rawValue : Int64.random(in: 1..<lots, using: &random) * instrument.lot
        step.trade = (isBuy ? .buy : .sell, best.price, Quantity(taken))
        set(side, best.price, Quantity(best.size.rawValue - taken), &step)
    }

    // MARK: - The book

    private mutating func set(_ side: BookSide, _ price: Price, _ size: Quantity, _ step: inout Step) {
        let existed = book.set(side, price, size)
        let change = BookLevelChange(side: side, price: price, size: size)
        step.changes.append((change, !existed))
    }

    private func count(_ side: BookSide) -> Int { side == .bid ? book.bidCount : book.askCount }

    private func opposite(_ side: BookSide) -> BookSide { side == .bid ? .ask : .bid }

    private func level(_ side: BookSide, _ rank: Int) -> BookLevel {
        side == .bid ? book.bids.level(at: rank) : book.asks.level(at: rank)
    }

    private func price(_ ticks: Int64) -> Price { Price(ticks * instrument.tick) }

    private func ticks(_ price: Price) -> Int64 { price.rawValue / instrument.tick }

    /// Small steps are common.
    private mutating func distance() -> Int64 {
        Int64.random(in: 1...max(2 * gap - 1, 1), using: &random)
    }

    private mutating func someSide() -> BookSide { random.happens(50) ? .bid : .ask }

    /// Small sizes are common, great ones rare.
    private mutating func someSize() -> Quantity {
        let limit = Int64.random(in: 1...instrument.greatestLots, using: &random)
        return Quantity(Int64.random(in: 1...limit, using: &random) * instrument.lot)
    }
}

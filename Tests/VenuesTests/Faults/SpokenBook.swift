import MarketData
import Support

/// One level of a venue's own book, in whole units; size 0 removes it.
struct SpokenLevel: Hashable, Sendable {
    let side: BookSide
    let price: Int
    let size: Int
}

/// A venue's own book in whole units, and how it goes on.
struct SpokenBook: Hashable, Sendable {
    private var bids: [Int: Int]
    private var asks: [Int: Int]

    init() {
        bids = [100: 2, 99: 3, 98: 5]
        asks = [101: 1, 102: 4, 103: 6]
    }

    /// Price and size, the best first.
    func levels(_ side: BookSide) -> [(price: Int, size: Int)] {
        (side == .bid ? bids : asks).map { (price: $0.key, size: $0.value) }
            .sorted { side == .bid ? $0.price > $1.price : $0.price < $1.price }
    }

    /// The size at a price, `nil` where there is none.
    func size(_ side: BookSide, at price: Int) -> Int? { side == .bid ? bids[price] : asks[price] }

    func count(_ side: BookSide) -> Int { side == .bid ? bids.count : asks.count }

    mutating func apply(_ level: SpokenLevel) {
        let size = level.size > 0 ? level.size : nil
        if level.side == .bid { bids[level.price] = size } else { asks[level.price] = size }
    }

    /// What happens next: another size, a level more or one less.
    ///
    /// A side keeps 2 to 9 levels, and the sides do not meet.
    func next(_ random: inout SeededGenerator) -> SpokenLevel {
        let side = random.pick(BookSide.allCases)
        let own = levels(side)
        let place = random.int(0...own.count - 1)
        if random.chance(35), own.count > 2 {
            return SpokenLevel(side: side, price: own[place].price, size: 0)
        }
        let other = levels(side == .bid ? .ask : .bid)[0].price
        let step = side == .bid ? -1 : 1
        let price = other + step * random.int(1...9)
        if own.count < 9 || size(side, at: price) != nil {
            return SpokenLevel(side: side, price: price, size: random.int(1...9))
        }
        return SpokenLevel(side: side, price: own[place].price, size: own[place].size % 9 + 1)
    }
}

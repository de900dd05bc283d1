import Instruments
import MarketData

/// A book as a reader would write it down: prices with sizes, sorted only when somebody looks.
struct NaiveBook {
    var bids: [Int64: Int64] = [:]
    var asks: [Int64: Int64] = [:]

    /// Returns whether the level was there before.
    mutating func set(_ side: BookSide, _ price: Int64, _ size: Int64) -> Bool {
        let before = side == .bid ? bids[price] : asks[price]
        if side == .bid { bids[price] = size == 0 ? nil : size } else { asks[price] = size == 0 ? nil : size }
        return before != nil
    }

    func count(_ side: BookSide) -> Int { side == .bid ? bids.count : asks.count }

    /// Best first.
    func levels(_ side: BookSide) -> [BookLevel] {
        let sorted = side == .bid ? bids.sorted { $0.key > $1.key } : asks.sorted { $0.key < $1.key }
        return sorted.map { BookLevel(price: Price($0.key), size: Quantity($0.value)) }
    }

    var isCrossed: Bool {
        bids.keys.contains { bid in asks.keys.contains { bid >= $0 } }
    }
}

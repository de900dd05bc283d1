import Instruments
import MarketData
import Support

@testable import MarketState

/// Trades as tests make them.
enum Tape {
    /// Prices have two and sizes three decimal places.
    static func trade(
        _ id: String, at seconds: Int64, _ price: Int64, _ size: Int64, _ side: Side = .buy,
        nanoseconds: Int64 = 0
    ) -> Trade {
        Trade(
            id: id, side: side, price: Price(price), size: Quantity(size), priceScale: Scale(2) ?? .zero,
            sizeScale: Scale(3) ?? .zero,
            venueTime: Timestamp(nanoseconds: seconds * 1_000_000_000 + nanoseconds), receivedTime: .zero)
    }

    /// A random tape within so many seconds, mostly in order; every id is its number.
    static func random(_ generator: inout SeededGenerator, count: Int, seconds: Int, lateness: Int) -> [Trade]
    {
        let start = 1_600_000_000 + generator.int(0...700_000)
        return (0..<count).map { number in
            let time =
                start + number * seconds / max(count, 1)
                - (generator.chance(20) ? generator.int(0...lateness) : 0)
            return trade(
                "\(number)", at: Int64(time), Int64(generator.int(1...500)), Int64(generator.int(1...9_000)),
                generator.pick([.buy, .sell]), nanoseconds: Int64(generator.int(0...3)) * 250_000_000)
        }
    }

    /// Candles by grouping and sorting, as one would by hand.
    static func naive(_ trades: [Trade], _ interval: CandleInterval) -> [Int64: NaiveCandle] {
        let length = interval.nanoseconds
        let shift: Int64 = interval == .week ? 3 * 86_400_000_000_000 : 0
        var groups: [Int64: [(order: Int, trade: Trade)]] = [:]
        for (order, trade) in trades.enumerated() {
            let start = (trade.venueTime.nanoseconds + shift) / length * length - shift
            groups[start, default: []].append((order, trade))
        }
        return groups.mapValues { NaiveCandle($0) }
    }
}

struct NaiveCandle: Equatable {
    var numbers: [Int64]
    var notional: Int128

    init(_ group: [(order: Int, trade: Trade)]) {
        let sorted = group.sorted { ($0.trade.venueTime, $0.order) < ($1.trade.venueTime, $1.order) }
            .map(\.trade)
        let prices = sorted.map(\.price.rawValue)
        let sizes = sorted.map(\.size.rawValue)
        let bought = sorted.filter { $0.side == .buy }.map(\.size.rawValue)
        numbers = [
            prices.first ?? 0, prices.max() ?? 0, prices.min() ?? 0, prices.last ?? 0, sizes.reduce(0, +),
            bought.reduce(0, +), Int64(sorted.count),
        ]
        notional = zip(prices, sizes).reduce(0) { $0 + Int128($1.0) * Int128($1.1) }
    }

    init(_ sums: CandleSums<Int64>) {
        numbers = [
            sums.open, sums.high, sums.low, sums.close, Int64(sums.volume), Int64(sums.takerBuyVolume),
            sums.count,
        ]
        notional = sums.notional.narrowed ?? -1
    }
}

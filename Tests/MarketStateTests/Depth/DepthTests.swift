import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

@Suite("Depth")
struct DepthTests {
    private typealias Row = (price: Int64, size: Int64)

    /// A random book, now and then one-sided or crossed, with its levels as plain rows, best first.
    private static func book(_ generator: inout SeededGenerator) -> (Book, bids: [Row], asks: [Row]) {
        let middle = generator.int(1_100...50_000)
        func side(_ range: ClosedRange<Int>) -> [Int64: Int64] {
            var levels: [Int64: Int64] = [:]
            for _ in 0..<generator.int(0...80) {
                levels[Int64(generator.int(range))] = Int64(generator.int(1...9_999))
            }
            return levels
        }
        let overlap = generator.chance(10) ? 20 : 0
        let bids = side(middle - 1_000...middle + overlap).sorted { $0.key > $1.key }
        let asks = side(middle + 1...middle + 1_000).sorted { $0.key < $1.key }
        var book = Book(priceScale: Scale(2) ?? .zero, sizeScale: Scale(3) ?? .zero)
        book.replace(
            bids: bids.map { BookLevel(price: Price($0.key), size: Quantity($0.value)) },
            asks: asks.map { BookLevel(price: Price($0.key), size: Quantity($0.value)) })
        return (book, bids.map { ($0.key, $0.value) }, asks.map { ($0.key, $0.value) })
    }

    /// Whether two fractions are the same number.
    private static func isEqual(_ ratio: ExactRatio?, _ numerator: Int128, _ denominator: Int128) -> Bool {
        guard let ratio, let above = ratio.numerator.narrowed, let below = ratio.denominator.narrowed else {
            return false
        }
        return Int256(product: above, denominator) == Int256(product: numerator, below)
    }

    @Test("accumulates sizes, values and shares as a loop does")
    func accumulate() {
        var levels: [DepthLevel] = []
        property { generator in
            let (book, bids, asks) = Self.book(&generator)
            for (ladder, rows) in [(book.bids, bids), (book.asks, asks)] {
                let depth = generator.int(0...90)
                let wanted = rows.prefix(depth)
                let total = wanted.reduce(0) { $0 + $1.size }
                Depth.accumulate(ladder, best: depth, into: &levels)
                try #require(levels.count == wanted.count)
                for index in wanted.indices {
                    let before = rows[...index]
                    try #require(levels[index].size == Int128(before.reduce(0) { $0 + $1.size }))
                    try #require(
                        levels[index].notional.narrowed
                            == Int128(before.reduce(0) { $0 + $1.price * $1.size }))
                    try #require(levels[index].share == Int32(rows[index].size * 1_000_000 / total))
                }
                let sums = Depth.total(ladder, best: depth)
                try #require(sums.levels == levels.count && sums.size == levels.last?.size ?? 0)
            }
        }
    }

    @Test("shares of sizes near the end of the range are right as well")
    func hugeSizes() {
        var book = Book(priceScale: .zero, sizeScale: .zero)
        for price in 1...4 { book.set(.bid, Price(Int64(price)), Quantity(.max)) }
        var levels: [DepthLevel] = []
        Depth.accumulate(book.bids, best: 10, into: &levels)
        #expect(levels.map(\.share) == [250_000, 250_000, 250_000, 250_000])
        #expect(levels.last?.size == 4 * Int128(Int64.max))
    }

    @Test("takes the levels within a distance of the mid price")
    func within() {
        property { generator in
            let (book, bids, asks) = Self.book(&generator)
            let distance = generator.pick([0, 1, 10, 50, 500, 10_000])
            let found = Depth.within(book, basisPoints: distance)
            guard let bid = bids.first, let ask = asks.first else { return try #require(found == nil) }
            let far = Int64(distance)
            let near = (
                bids: bids.filter { 20_000 * $0.price >= (bid.price + ask.price) * (10_000 - far) },
                asks: asks.filter { 20_000 * $0.price <= (bid.price + ask.price) * (10_000 + far) }
            )
            try #require(found?.bids.levels == near.bids.count && found?.asks.levels == near.asks.count)
            try #require(found?.bids.size == Int128(near.bids.reduce(0) { $0 + $1.size }))
            try #require(
                found?.asks.notional.narrowed == Int128(near.asks.reduce(0) { $0 + $1.price * $1.size }))
        }
    }

    @Test("groups bids down and asks up, and loses no size")
    func group() {
        var groups: [GroupedLevel] = []
        property { generator in
            let (book, bids, asks) = Self.book(&generator)
            let tick = Int64(generator.int(1...70))
            for (ladder, side, rows) in [(book.bids, BookSide.bid, bids), (book.asks, .ask, asks)] {
                var sums: [Int64: Int128] = [:]
                for row in rows {
                    let price = side == .bid ? row.price / tick * tick : (row.price + tick - 1) / tick * tick
                    sums[price, default: 0] += Int128(row.size)
                }
                let expected = sums.sorted { side == .bid ? $0.key > $1.key : $0.key < $1.key }
                    .map { GroupedLevel(price: Price($0.key), size: $0.value) }
                Depth.group(ladder, side, tick: tick, best: .max, into: &groups)
                try #require(groups == expected)
                Depth.group(ladder, side, tick: tick, best: 3, into: &groups)
                try #require(groups == Array(expected.prefix(3)))
            }
        }
    }

    @Test("negative prices are grouped towards the worse side too")
    func groupNegative() {
        var book = Book(priceScale: .zero, sizeScale: .zero)
        book.set(.bid, Price(-13), Quantity(1))
        book.set(.ask, Price(-7), Quantity(1))
        var groups: [GroupedLevel] = []
        Depth.group(book.bids, .bid, tick: 10, best: 9, into: &groups)
        #expect(groups.map(\.price) == [Price(-20)])
        Depth.group(book.asks, .ask, tick: 10, best: 9, into: &groups)
        #expect(groups.map(\.price) == [Price(0)])
    }

    @Test("finds the largest levels, of equal ones the better")
    func largest() {
        property { generator in
            let (book, bids, _) = Self.book(&generator)
            let count = generator.int(0...10)
            let depth = generator.int(0...90)
            let sorted = bids.prefix(depth).enumerated()
                .sorted { ($1.element.size, $0.offset) < ($0.element.size, $1.offset) }
                .prefix(count).map(\.element)
            let found = Depth.largest(book.bids, count: count, best: depth)
            try #require(found.map(\.price.rawValue) == sorted.map(\.price))
            try #require(found.map(\.size.rawValue) == sorted.map(\.size))
        }
    }

    @Test("mid, micro-price, imbalance and spread are the fractions that their formulas say")
    func top() {
        property { generator in
            let (book, bids, asks) = Self.book(&generator)
            let depth = generator.int(1...30)
            let size = (
                bid: Int128(bids.prefix(depth).reduce(0) { $0 + $1.size }),
                ask: Int128(asks.prefix(depth).reduce(0) { $0 + $1.size })
            )
            if size.bid + size.ask > 0 {
                let imbalance = Depth.imbalance(book, best: depth)
                try #require(Self.isEqual(imbalance, size.bid - size.ask, size.bid + size.ask))
            }
            guard let bid = bids.first, let ask = asks.first else {
                try #require(Depth.mid(book) == nil && Depth.microPrice(book) == nil)
                return try #require(Depth.spread(book) == nil && Depth.spreadInBasisPoints(book) == nil)
            }
            let (b, a) = (Int128(bid.price), Int128(ask.price))
            let (bs, sa) = (Int128(bid.size), Int128(ask.size))
            try #require(Self.isEqual(Depth.mid(book), a + b, 2))
            try #require(Self.isEqual(Depth.microPrice(book), b * sa + a * bs, bs + sa))
            try #require(Depth.spread(book) == a - b)
            try #require(Self.isEqual(Depth.spreadInBasisPoints(book), 20_000 * (a - b), a + b))
            let half = DecimalNumber(units: 5, scale: Scale(1) ?? .zero)
            try #require(Self.isEqual(Depth.spreadInTicks(book, tick: half), 2 * (a - b), 100))
        }
    }

    @Test("a fill of a quantity takes the best levels first and says when the book is too thin")
    func fillQuantity() {
        property { generator in
            let (book, bids, asks) = Self.book(&generator)
            for (side, rows) in [(BookSide.bid, bids), (.ask, asks)] {
                let wanted = Int64(generator.int(1...200_000))
                var left = wanted
                var value: Int64 = 0
                var touched = 0
                for row in rows where left > 0 {
                    value += min(left, row.size) * row.price
                    left -= min(left, row.size)
                    touched += 1
                }
                let fill = Depth.fill(book, side, quantity: Quantity(wanted))
                guard let best = rows.first else { return try #require(fill == nil) }
                let got = Int128(wanted - left)
                try #require(fill?.isComplete == (left == 0) && fill?.levels == touched)
                try #require(fill?.worst.rawValue == rows[touched - 1].price)
                try #require(Self.isEqual(fill?.quantity, got, 1))
                try #require(Self.isEqual(fill?.averagePrice, Int128(value), got))
                let at = Int128(best.price) * got
                let cost = side == .bid ? at - Int128(value) : Int128(value) - at
                try #require(Self.isEqual(fill?.slippage, cost * 10_000, at))
            }
        }
    }

    @Test("a fill for an amount spends exactly that amount")
    func fillAmount() {
        property { generator in
            let (book, _, asks) = Self.book(&generator)
            // In cents, and contracts of 0.1: value = price × size × 0.1.
            let amount = DecimalNumber(units: Int64(generator.int(1...500_000)), scale: Scale(2) ?? .zero)
            let terms = ContractTerms(multiplier: DecimalNumber(units: 1, scale: Scale(1) ?? .zero))
            let fill = Depth.fill(book, .ask, amount: amount, terms)
            guard !asks.isEmpty else { return try #require(fill == nil) }
            // In units of price × size, of which 10^6 are one of the quote asset.
            let target = Int128(amount.units) * 10_000
            var value: Int128 = 0
            var size: Int128 = 0
            for row in asks {
                let worth = Int128(row.price) * Int128(row.size)
                if value + worth >= target {
                    let rest = target - value
                    try #require(fill?.isComplete == true && fill?.worst.rawValue == row.price)
                    let price = Int128(row.price)
                    try #require(Self.isEqual(fill?.quantity, size * price + rest, price))
                    return try #require(Self.isEqual(fill?.averagePrice, target * price, size * price + rest))
                }
                value += worth
                size += Int128(row.size)
            }
            try #require(fill?.isComplete == false)
            try #require(
                Self.isEqual(fill?.quantity, size, 1) && Self.isEqual(fill?.averagePrice, value, size))
        }
    }

    @Test("inverse contracts: value by number, average by the asset received")
    func inverse() throws {
        // 100 contracts at 50.00 and 100 at 25.00 are 2 + 4 of the asset: 200 / 6 = 33.33…
        let book = try BookText("bids 50.00×100 25.00×100").book
        let fill = try #require(Depth.fill(book, .bid, quantity: Quantity(200), isInverse: true))
        let scale = try #require(Scale(8))
        #expect(fill.averagePrice.price(at: book.priceScale, roundedTo: scale)?.description == "33.33333333")
        #expect(fill.slippage?.rounded(to: .zero)?.units == 3_333)
        let terms = ContractTerms(isInverse: true, multiplier: DecimalNumber(units: 10, scale: .zero))
        let sums = Depth.total(book.bids)
        let value = terms.value(
            notional: sums.notional, size: sums.size, priceScale: book.priceScale, sizeScale: book.sizeScale)
        #expect(value?.description == "2000")
        // 1,500 of the quote asset are 150 contracts: 100 at 50 and 50 at 25, so 150 / 4.
        let amount = DecimalNumber(units: 1_500, scale: .zero)
        let part = try #require(Depth.fill(book, .bid, amount: amount, terms))
        #expect(part.quantity.rounded(to: .zero)?.units == 150)
        #expect(part.averagePrice.price(at: book.priceScale, roundedTo: scale)?.description == "37.50000000")
        let thin = try #require(
            Depth.fill(book, .bid, amount: DecimalNumber(units: 9_999, scale: .zero), terms))
        #expect(!thin.isComplete && thin.quantity.rounded(to: .zero)?.units == 200)
    }
}

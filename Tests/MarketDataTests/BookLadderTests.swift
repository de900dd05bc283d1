import Instruments
import MarketData
import Support
import Testing

@Suite("Book ladder")
struct BookLadderTests {
    @Test("holds what a dictionary holds after any changes", arguments: BookSide.allCases)
    func changes(side: BookSide) {
        property { rng in
            var ladder = BookLadder(side: side)
            var naive = NaiveBook()
            // A narrow book has many changes at one price, a wide one fills, splits and empties many blocks.
            let width = rng.pick([3, 30, 300, 3_000])
            let removed = rng.pick([10, 50, 80])
            for step in 0..<rng.int(0...width * 3) {
                let price = rng.chance(2) ? max(rng.int64(), -.max) : Int64(rng.int(-width...width))
                let size = rng.chance(removed) ? 0 : Int64(rng.int(1...9))
                let expected = naive.set(side, price, size)
                let wasThere = ladder.set(Price(price), Quantity(size))
                guard wasThere == expected, ladder.count == naive.count(side) else {
                    throw PropertyFailure("step \(step), price \(price), size \(size)")
                }
                if step.isMultiple(of: 100) { try expectEqual(ladder, naive.levels(side)) }
            }
            try expectEqual(ladder, naive.levels(side))
            for _ in 0..<20 {
                let price = Int64(rng.int(-width...width))
                let size = ladder.size(at: Price(price))?.rawValue
                try #require(size == (side == .bid ? naive.bids[price] : naive.asks[price]))
            }
        }
    }

    @Test("has the right best after every change", arguments: BookSide.allCases)
    func best(side: BookSide) {
        property { rng in
            var ladder = BookLadder(side: side)
            var naive = NaiveBook()
            for _ in 0..<rng.int(0...200) {
                let price = Int64(rng.int(-10...10))
                let size = Int64(rng.int(0...2))
                _ = naive.set(side, price, size)
                ladder.set(Price(price), Quantity(size))
                let best = ladder.best
                try #require(best == naive.levels(side).first)
            }
        }
    }

    @Test("is a value: a copy keeps what it was", arguments: BookSide.allCases)
    func copies(side: BookSide) {
        property { rng in
            var ladder = BookLadder(side: side)
            for _ in 0..<rng.int(0...150) {
                ladder.set(Price(Int64(rng.int(-200...200))), Quantity(Int64(rng.int(1...9))))
            }
            let copy = ladder
            let before = copy.top(.max)
            switch rng.int(0...4) {
            case 0: ladder.set(Price(1_000), Quantity(1))
            case 1: ladder.set(Price(Int64(rng.int(-200...200))), Quantity(77))
            case 2: ladder.truncate(to: rng.int(0...150))
            case 3: ladder.removeAll()
            default: ladder.replace(with: [BookLevel(price: Price(5), size: Quantity(5))])
            }
            try expectEqual(copy, before)
            let isSame = copy == ladder
            try #require(isSame == (ladder.top(.max) == before))
        }
    }

    @Test("takes and gives back levels at either end, over many blocks", arguments: BookSide.allCases)
    func ends(side: BookSide) throws {
        for count in [1, 2, 47, 48, 49, 63, 64, 65, 128, 129, 1_000] {
            for isRising in [true, false] {
                var ladder = BookLadder(side: side)
                let prices = (1...count).map { Int64(isRising ? $0 : -$0) }
                for price in prices { ladder.set(Price(price), Quantity(1)) }
                try #require(ladder.top(.max).map(\.price.rawValue).sorted() == prices.sorted())
                for price in prices { ladder.set(Price(price), .zero) }
                try #require(ladder.isEmpty && ladder.best == nil)
            }
        }
    }

    @Test(
        "takes levels in any order, the last of a repeated price, and no zeros", arguments: BookSide.allCases)
    func replacing(side: BookSide) {
        property { rng in
            var ladder = BookLadder(side: side)
            ladder.set(Price(99), Quantity(99))
            var naive = NaiveBook()
            var levels = (0..<rng.int(0...rng.pick([40, 400]))).map { _ in
                BookLevel(price: Price(Int64(rng.int(-99...99))), size: Quantity(Int64(rng.int(0...9))))
            }
            // Best first, worst first and unsorted go three different ways.
            switch rng.int(0...2) {
            case 0: levels.sort { $0.price < $1.price }
            case 1: levels.sort { $0.price > $1.price }
            default: levels.shuffle(using: &rng)
            }
            for level in levels where level.size != .zero {
                _ = naive.set(side, level.price.rawValue, level.size.rawValue)
            }
            ladder.replace(with: levels)
            try expectEqual(ladder, naive.levels(side))
        }
    }

    @Test("keeps the best when truncated", arguments: BookSide.allCases)
    func truncating(side: BookSide) {
        property { rng in
            var ladder = BookLadder(side: side)
            var naive = NaiveBook()
            for _ in 0..<rng.int(0...rng.pick([20, 300])) {
                let price = Int64(rng.int(-300...300))
                ladder.set(Price(price), Quantity(1))
                _ = naive.set(side, price, 1)
            }
            let depth = rng.int(-2...rng.pick([25, 300]))
            let top = ladder.top(depth)
            let expected = Array(naive.levels(side).prefix(max(depth, 0)))
            try #require(top == expected)
            ladder.truncate(to: depth)
            try expectEqual(ladder, expected)
            let worse: Int64 = side == .bid ? -1_000 : 1_000
            ladder.set(Price(worse), Quantity(1))
            try expectEqual(ladder, expected + [BookLevel(price: Price(worse), size: Quantity(1))])
        }
    }

    @Test("is empty after everything is removed")
    func removing() {
        var ladder = BookLadder(side: .ask)
        ladder.replace(with: [BookLevel(price: Price(1), size: Quantity(1))])
        #expect(!ladder.isEmpty)
        ladder.removeAll()
        #expect(ladder.isEmpty)
        #expect(ladder.best == nil)
        #expect(ladder.top(3).isEmpty)
        #expect(ladder == BookLadder(side: .ask))
    }

    private func expectEqual(_ ladder: BookLadder, _ levels: [BookLevel]) throws {
        let all = ladder.top(.max)
        try #require(all == levels)
        try #require(ladder.best == levels.first)
        // A search costs more than a look: at some of many levels.
        let ranks = stride(from: 0, to: levels.count, by: levels.count / 100 + 1)
        try #require(ranks.allSatisfy { ladder.level(at: $0) == levels[$0] })
        try #require(ranks.allSatisfy { ladder.size(at: levels[$0].price) == levels[$0].size })
        var some: [BookLevel] = []
        ladder.forEachLevel(best: 3) { some.append($0) }
        try #require(some == Array(levels.prefix(3)))
    }
}

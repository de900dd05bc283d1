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
            let width = rng.pick([3, 30, 300])
            for _ in 0..<rng.int(0...200) {
                // A wide book with many changes far from the best, a narrow one with many at the same price.
                let price = rng.chance(5) ? max(rng.int64(), -.max) : Int64(rng.int(-width...width))
                let size = rng.chance(30) ? 0 : Int64(rng.int(1...9))
                let expected = naive.set(side, price, size)
                let wasThere = ladder.set(Price(price), Quantity(size))
                try #require(wasThere == expected)
                let best = ladder.best
                try #require(best == naive.levels(side).first)
            }
            try expectEqual(ladder, naive.levels(side))
            for _ in 0..<10 {
                let price = Int64(rng.int(-width...width))
                let size = ladder.size(at: Price(price))?.rawValue
                try #require(size == (side == .bid ? naive.bids[price] : naive.asks[price]))
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
            var levels = (0..<rng.int(0...40)).map { _ in
                BookLevel(price: Price(Int64(rng.int(-30...30))), size: Quantity(Int64(rng.int(0...9))))
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
            for _ in 0..<rng.int(0...20) {
                let price = Int64(rng.int(-30...30))
                ladder.set(Price(price), Quantity(1))
                _ = naive.set(side, price, 1)
            }
            let depth = rng.int(-2...25)
            let top = ladder.top(depth)
            let expected = Array(naive.levels(side).prefix(max(depth, 0)))
            try #require(top == expected)
            ladder.truncate(to: depth)
            try expectEqual(ladder, expected)
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
        try #require(ladder.count == levels.count)
        let byRank = (0..<ladder.count).map { ladder.level(at: $0) }
        try #require(byRank == levels)
        let sizes = levels.map { ladder.size(at: $0.price) }
        try #require(sizes == levels.map { $0.size })
    }
}

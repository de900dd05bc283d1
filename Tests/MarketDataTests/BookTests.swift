import Instruments
import MarketData
import Support
import Testing

@Suite("Book")
struct BookTests {
    @Test("sets, changes and removes levels by side")
    func changes() throws {
        var book = try BookText("bids 100.10×2 100.00×5 | asks 100.20×1").book
        let wereThere = [
            book.apply(BookLevelChange(side: .bid, price: Price(10_010), size: Quantity(7))),
            book.apply(BookLevelChange(side: .ask, price: Price(10_015), size: Quantity(3))),
            book.apply(BookLevelChange(side: .bid, price: Price(10_000), size: .zero)),
            book.set(.ask, Price(10_030), .zero),
        ]
        #expect(wereThere == [true, false, true, false])
        #expect(BookText(book).description == "bids 100.10×7 | asks 100.15×3 100.20×1")
        #expect(book.bestBid == BookLevel(price: Price(10_010), size: Quantity(7)))
        #expect(book.bestAsk == BookLevel(price: Price(10_015), size: Quantity(3)))
        #expect((book.bidCount, book.askCount) == (1, 2))
    }

    @Test("is crossed when its best bid is at or above its best ask")
    func crossed() {
        property { rng in
            var book = Book(priceScale: .zero, sizeScale: .zero)
            var naive = NaiveBook()
            for _ in 0..<rng.int(0...6) {
                let side = rng.pick(BookSide.allCases)
                let price = Int64(rng.int(-5...5))
                let size = Int64(rng.int(0...2))
                book.set(side, Price(price), Quantity(size))
                _ = naive.set(side, price, size)
                try #require(book.isCrossed == naive.isCrossed)
            }
        }
    }

    @Test("is the same however its levels came")
    func equality() {
        property { rng in
            let changes = (0..<rng.int(0...30)).map { _ in
                BookLevelChange(
                    side: rng.pick(BookSide.allCases), price: Price(Int64(rng.int(0...9))),
                    size: Quantity(Int64(rng.int(0...3))))
            }
            var one = Book(priceScale: .zero, sizeScale: .zero)
            for change in changes { one.apply(change) }
            var together = Book(priceScale: .zero, sizeScale: .zero)
            let before = together
            together.apply(changes.span)
            try #require(together == one && before.bids.isEmpty && before.asks.isEmpty)
            var other = Book(priceScale: .zero, sizeScale: .zero)
            let (bids, asks) = one.top(.max)
            other.replace(bids: bids.shuffled(using: &rng), asks: asks.shuffled(using: &rng))
            try #require(one == other)
            for change in changes { other.apply(change) }
            try #require(one == other, "a repeated change must change nothing")
        }
    }

    @Test("keeps its values when its scales grow finer")
    func refining() throws {
        var book = try BookText("bids 100.1×2 | asks 100.2×1").book
        try book.refine(price: try #require(Scale(3)), size: try #require(Scale(1)))
        #expect(BookText(book).description == "bids 100.100×2.0 | asks 100.200×1.0")
        try book.refine(price: .zero, size: .zero)
        #expect(BookText(book).description == "bids 100.100×2.0 | asks 100.200×1.0")
        try book.refine(price: .zero, size: try #require(Scale(2)))
        #expect(BookText(book).description == "bids 100.100×2.00 | asks 100.200×1.00")
    }

    @Test("multiplies every level, or none when one does not fit")
    func refiningModel() {
        property(cases: 1_000) { rng in
            let (price, size) = (rng.scale(), rng.scale())
            var book = Book(priceScale: price, sizeScale: size)
            for _ in 0..<rng.int(0...6) {
                let level = (max(rng.int64() >> 20, -.max), max(rng.int64() >> 20, -.max))
                book.set(rng.pick(BookSide.allCases), Price(level.0), Quantity(level.1))
            }
            let before = book
            let (finerPrice, finerSize) = (max(price, rng.scale()), max(size, rng.scale()))
            let expected = refined(before, price: finerPrice, size: finerSize)
            let result = Result { () throws(BookError) in try book.refine(price: finerPrice, size: finerSize)
            }
            switch (result, expected) {
            case (.success, .some(let levels)):
                let now = book.top(.max)
                try #require(now.bids == levels.bids && now.asks == levels.asks)
                try #require((book.priceScale, book.sizeScale) == (finerPrice, finerSize))
            case (.failure(let error), .none):
                try #require(error == .scaleOverflow(price: finerPrice, size: finerSize))
                try #require(book == before)
            default:
                throw PropertyFailure("\(result) where \(expected == nil ? "overflow" : "success") is right")
            }
        }
    }

    @Test("keeps its scales and the best levels of each side when it is cut")
    func cutting() throws {
        var book = try BookText("bids 3×1 2×1 1×1 | asks 4×1 5×1").book
        book.truncate(to: 2)
        #expect(BookText(book).description == "bids 3×1 2×1 | asks 4×1 5×1")
        #expect(book.top(1).bids == book.bids.top(1))
        #expect(book.top(1).asks.count == 1)
        book.clear()
        #expect(BookText(book).description == "bids | asks")
        #expect(book.bestBid == nil && book.bestAsk == nil && !book.isCrossed)
    }

    private func refined(_ book: Book, price: Scale, size: Scale) -> (bids: [BookLevel], asks: [BookLevel])? {
        let priceFactor = Int128(price.power / book.priceScale.power)
        let sizeFactor = Int128(size.power / book.sizeScale.power)
        func refined(_ levels: [BookLevel]) -> [BookLevel]? {
            let finer = levels.map { level -> BookLevel? in
                guard let price = Int64(exactly: Int128(level.price.rawValue) * priceFactor),
                    let size = Int64(exactly: Int128(level.size.rawValue) * sizeFactor)
                else { return nil }
                return BookLevel(price: Price(price), size: Quantity(size))
            }
            return finer.contains(nil) ? nil : finer.compactMap { $0 }
        }
        let (bids, asks) = book.top(.max)
        guard let bids = refined(bids), let asks = refined(asks) else { return nil }
        return (bids, asks)
    }
}

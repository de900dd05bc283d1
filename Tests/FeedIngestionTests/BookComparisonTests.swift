import Instruments
import MarketData
import Support
import Testing

@testable import FeedIngestion

@Suite("Audit of a book")
struct BookComparisonTests {
    private func compare(_ ours: String, _ theirs: String, isWhole: Bool = true) throws -> BookComparison {
        BookComparison(ours: try BookText(ours).book, theirs: try BookText(theirs).book, isWhole: isWhole)
    }

    private func differences(_ ours: String, _ theirs: String, isWhole: Bool = true) throws -> [String] {
        var audit = BookAudit()
        _ = audit.add(try compare(ours, theirs, isWhole: isWhole))
        return audit.differences.map(\.description)
    }

    @Test("finds a missing level, a superfluous one and a wrong size, on both sides, from the best")
    func finds() throws {
        let ours = "bids 100×1 99×2 97×4 | asks 101×1 103×3"
        let theirs = "bids 100×1 99×3 98×5 97×4 | asks 101×2 102×7 103×3"
        #expect(
            try differences(ours, theirs) == [
                "bid 99 ours 2 theirs 3", "bid 98 ours none theirs 5", "ask 101 ours 1 theirs 2",
                "ask 102 ours none theirs 7",
            ])
        #expect(try compare(ours, theirs).compared == 7)
    }

    @Test("compares numbers, not how many decimal places they are written with")
    func scales() throws {
        #expect(try differences("bids 100.10×2.0 | asks", "bids 100.1×2 | asks") == [])
    }

    @Test("knows nothing of levels deeper than the venue's answer or our own book")
    func partial() throws {
        let ours = "bids 100×1 99×2 98×3 | asks 101×1"
        let theirs = "bids 100×1 99×2 | asks 101×1 102×5"
        #expect(try differences(ours, theirs, isWhole: false) == [])
        #expect(try differences(ours, theirs).count == 2)
        let wrong = "bids 99×2 | asks 101×1 102×5"
        #expect(try differences(ours, wrong, isWhole: false) == ["bid 100 ours 1 theirs none"])
    }

    @Test("takes changes under way for what they are: only what stays different counts")
    func rounds() throws {
        var audit = BookAudit()
        // The size at 99 is changing; the level at 98 is missing for good.
        let needsSecond = audit.add(try compare("bids 100×1 99×2", "bids 100×1 99×3 98×5"))
        let needsThird = audit.add(try compare("bids 100×1 99×3", "bids 100×1 99×4 98×5"))
        let needsFourth = audit.add(try compare("bids 100×1 99×4", "bids 100×1 99×4 98×5"))
        #expect(needsSecond && needsThird && !needsFourth)
        #expect(audit.differences.map(\.description) == ["bid 98 ours none theirs 5"])
    }

    @Test("needs one round for equal books")
    func equal() throws {
        var audit = BookAudit()
        let needsSecond = audit.add(try compare("bids 100×1 | asks 101×2", "bids 100×1 | asks 101×2"))
        #expect(!needsSecond)
        #expect(audit.differences.isEmpty)
        #expect(audit.compared == 2)
    }

    @Test("finds any one difference in any book")
    func anyDifference() {
        property { rng in
            var ours = Book(priceScale: .zero, sizeScale: .zero)
            for _ in 0..<rng.int(1...30) {
                ours.set(
                    rng.pick(BookSide.allCases), Price(Int64(rng.int(1...40))),
                    Quantity(Int64(rng.int(1...9))))
            }
            let same = BookComparison(ours: ours, theirs: ours, isWhole: rng.chance(50))
            try #require(same.differences.isEmpty)
            var theirs = ours
            let side = rng.pick(BookSide.allCases)
            let price = Price(Int64(rng.int(1...40)))
            let size = Quantity(Int64(rng.int(0...9)))
            theirs.set(side, price, size)
            let isSame = theirs == ours
            try #require(
                BookComparison(ours: ours, theirs: theirs, isWhole: true).differences.count
                    == (isSame ? 0 : 1))
        }
    }
}

import Instruments
import MarketData
import MarketState
import Support
import Testing

@Suite("Board of all markets")
struct MarketBoardTests {
    private static let venue = Venue(rawValue: "okx")

    private static func ticker(_ symbol: String, _ units: Int64) -> MarketTicker {
        MarketTicker(symbol: symbol, last: DecimalNumber(units: units, scale: .zero))
    }

    private static func part(_ number: Int, of count: Int, _ rows: [(String, Int64)]) -> MarketTickerPart {
        MarketTickerPart(
            venue: venue, number: number, count: count, receivedTime: .zero,
            tickers: rows.map { ticker($0.0, $0.1) })
    }

    private static func id(_ symbol: String) -> InstrumentID { InstrumentID(venue: venue, symbol: symbol) }

    @Test("says what changed, and knows the newest word of each market")
    func changes() {
        var board = MarketBoard()
        #expect(board.take(Self.part(0, of: 2, [("A", 1), ("B", 2)])) == [Self.id("A"), Self.id("B")])
        #expect(board.take(Self.part(1, of: 2, [("C", 3)])) == [Self.id("C")])
        #expect(board.take(Self.part(0, of: 2, [("A", 1), ("B", 5)])) == [Self.id("B")])
        #expect(board[Self.id("B")]?.ticker.last.units == 5 && board[Self.id("C")]?.ticker.last.units == 3)
        #expect(board.count == 3 && board[Self.id("D")] == nil)
        var stale = Self.part(1, of: 2, [("C", 3)])
        stale.stale = "silent"
        #expect(board.take(stale) == [Self.id("C")])
        #expect(board[Self.id("C")]?.stale == "silent" && board[Self.id("A")]?.stale == "")
    }

    @Test("refuses what is beyond its bounds")
    func bounds() {
        var board = MarketBoard()
        #expect(board.take(Self.part(2, of: 2, [])) == nil)
        #expect(board.take(Self.part(0, of: MarketBoard.partLimit + 1, [])) == nil)
        let many = (0...MarketBoard.rowLimit).map { ("S\($0)", Int64(1)) }
        #expect(board.take(Self.part(0, of: 1, many)) == nil && board.count == 0)
        for number in 0..<MarketBoard.venueLimit {
            let part = MarketTickerPart(
                venue: Venue(rawValue: "v\(number)"), number: 0, count: 1, receivedTime: .zero, tickers: [])
            #expect(board.take(part) == [])
        }
        #expect(board.take(Self.part(0, of: 1, [("A", 1)])) == nil)
    }

    @Test("is the same as looking through all newest parts", arguments: 0..<200)
    func property(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var board = MarketBoard()
        var newest: [Int: [(String, Int64)]] = [:]
        for _ in 0..<30 {
            let count = Int.random(in: 1...3, using: &random)
            let number = Int.random(in: 0..<count, using: &random)
            // A market is in one part only, wherever it stands there.
            let rows = (0..<Int.random(in: 0...5, using: &random)).map { place in
                let name = place + Int.random(in: 0...2, using: &random)
                return ("\(number)-\(name)", Int64.random(in: 1...3, using: &random))
            }
            var seen: Set<String> = []
            let unique = rows.filter { seen.insert($0.0).inserted }
            newest[number] = unique
            newest = newest.filter { $0.key < count }
            _ = board.take(Self.part(number, of: count, unique))
            let wanted = newest.values.flatMap { $0 }
            #expect(board.count == wanted.count)
            for (symbol, units) in wanted { #expect(board[Self.id(symbol)]?.ticker.last.units == units) }
        }
    }
}

import Instruments
import MarketData
import Testing

@testable import FeedIngestion
@testable import Venues

@Suite("Table of a venue's markets")
struct TickerTableTests {
    private static func time(_ second: Int64) -> Timestamp { Timestamp(nanoseconds: second * 1_000_000_000) }

    private static func rows(_ prices: [(String, Int64)], at second: Int64? = nil) -> TickerRows {
        var rows = TickerRows()
        rows.tickers = prices.map { symbol, units in
            var ticker = MarketTicker(symbol: symbol, last: DecimalNumber(units: units, scale: .zero))
            ticker.venueTime = second.map(time)
            return ticker
        }
        return rows
    }

    private static func table() -> TickerTable {
        TickerTable(Venue(rawValue: "okx"), patience: 30_000_000_000)
    }

    private static func symbols(_ part: MarketTickerPart?) -> [String] { part?.tickers.map(\.symbol) ?? [] }

    @Test("tells what changed, at once and once")
    func changes() {
        var table = Self.table()
        #expect(table.takeDue(at: Self.time(100)).isEmpty)
        table.take(Self.rows([("A", 1), ("B", 2)]), of: 0, at: Self.time(100))
        let first = table.takeDue(at: Self.time(101))
        #expect(first.count == 1 && Self.symbols(first.first) == ["A", "B"])
        #expect(first.first?.number == 0 && first.first?.count == 1 && first.first?.stale == "")
        table.take(Self.rows([("A", 1), ("B", 2)]), of: 0, at: Self.time(101))
        #expect(table.takeDue(at: Self.time(102)).isEmpty)
        table.take(Self.rows([("B", 3)]), of: nil, at: Self.time(102))
        let second = table.takeDue(at: Self.time(103))
        #expect(second.first?.tickers.map(\.last.units) == [1, 3])
        #expect(second.first?.receivedTime == Self.time(102))
    }

    @Test("parts are of a size, and only those that changed are told")
    func parts() {
        var table = Self.table()
        let many = (0..<TickerTable.partSize * 2 + 1).map { ("S\($0)", Int64(1)) }
        table.take(Self.rows(many), of: 0, at: Self.time(1))
        let parts = table.takeDue(at: Self.time(2))
        #expect(parts.map(\.tickers.count) == [TickerTable.partSize, TickerTable.partSize, 1])
        #expect(parts.map(\.number) == [0, 1, 2] && parts.allSatisfy { $0.count == 3 })
        table.take(Self.rows([("S\(TickerTable.partSize)", 2)]), of: nil, at: Self.time(2))
        #expect(table.takeDue(at: Self.time(3)).map(\.number) == [1])
    }

    @Test("a market that a whole page no longer names is gone; that of another page stays")
    func delisted() {
        var table = Self.table()
        table.take(Self.rows([("A", 1), ("B", 2)]), of: 0, at: Self.time(1))
        table.take(Self.rows([("C", 3)]), of: 1, at: Self.time(1))
        _ = table.takeDue(at: Self.time(2))
        var broken = Self.rows([("B", 2)])
        broken.isWhole = false
        table.take(broken, of: 0, at: Self.time(2))
        table.take(TickerRows(), of: 0, at: Self.time(2))
        #expect(table.count == 3 && table.takeDue(at: Self.time(3)).isEmpty)
        table.take(Self.rows([("B", 2)]), of: 0, at: Self.time(3))
        #expect(Self.symbols(table.takeDue(at: Self.time(4)).first) == ["B", "C"])
        // Its place is given to the next.
        table.take(Self.rows([("D", 4)]), of: nil, at: Self.time(4))
        #expect(Self.symbols(table.takeDue(at: Self.time(5)).first) == ["D", "B", "C"] && table.count == 3)
    }

    @Test("a page that is older than what was pushed takes nothing back")
    func order() {
        var table = Self.table()
        table.take(Self.rows([("A", 5)], at: 50), of: nil, at: Self.time(50))
        table.take(Self.rows([("A", 4)], at: 49), of: 0, at: Self.time(51))
        #expect(table.takeDue(at: Self.time(52)).first?.tickers.first?.last.units == 5)
        table.take(Self.rows([("A", 6)], at: 51), of: 0, at: Self.time(53))
        #expect(table.takeDue(at: Self.time(54)).first?.tickers.first?.last.units == 6)
    }

    @Test("says that it stands still while the venue is heard, and that it is not of now when it is not")
    func silence() {
        var table = Self.table()
        table.take(Self.rows([("A", 1)]), of: 0, at: Self.time(100))
        #expect(table.takeDue(at: Self.time(100)).count == 1)
        table.take(Self.rows([("A", 1)]), of: 0, at: Self.time(105))
        #expect(table.takeDue(at: Self.time(109)).isEmpty)
        let again = table.takeDue(at: Self.time(110))
        #expect(again.count == 1 && again.first?.receivedTime == Self.time(105) && again.first?.stale == "")
        #expect(table.takeDue(at: Self.time(135)).isEmpty)
        let stale = table.takeDue(at: Self.time(136))
        #expect(stale.first?.stale == "okx has not told of its markets since 1970-01-01T00:01:45Z")
        #expect(table.takeDue(at: Self.time(500)).isEmpty)
        table.take(Self.rows([("A", 1)]), of: 0, at: Self.time(501))
        #expect(table.takeDue(at: Self.time(501)).first?.stale == "")
    }

    @Test("tells all of it to a broker that knows nothing, and again what was refused")
    func owing() {
        var table = Self.table()
        table.take(Self.rows([("A", 1)]), of: 0, at: Self.time(1))
        _ = table.takeDue(at: Self.time(1))
        table.owe()
        #expect(table.takeDue(at: Self.time(2)).count == 1)
        table.owe(0)
        table.owe(7)
        #expect(table.takeDue(at: Self.time(3)).count == 1 && table.takeDue(at: Self.time(3)).isEmpty)
    }

    @Test("has a bound")
    func bound() {
        var table = Self.table()
        let many = (0...TickerTable.limit).map { ("S\($0)", Int64(1)) }
        table.take(Self.rows(many), of: 0, at: Self.time(1))
        #expect(table.count == TickerTable.limit && table.refused == 1)
    }
}

import Instruments
import MarketData
import Support
import Testing

@testable import OperatorCommands

@Suite("Trades page")
struct TradesPageTests {
    private static let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")

    private static func trade(_ id: String, _ side: Side, _ price: Int64, _ size: Int64, _ clock: String)
        throws -> Trade
    {
        let time = try #require(Timestamp(iso8601: "2021-07-22T\(clock)Z"))
        return Trade(
            id: id, side: side, price: Price(price), size: Quantity(size), priceScale: try #require(Scale(1)),
            sizeScale: .zero, venueTime: time, receivedTime: time)
    }

    private static func view() throws -> TradesView {
        var view = TradesView(instrument: id, connection: .live, limit: 3)
        view.add(try trade("a", .buy, 321_750, 1_000, "22:35:59.790"), arrived: nil)
        view.add(
            try trade("c", .sell, 321_805, 50, "22:36:01.000"), arrived: Timestamp(nanoseconds: 1_000_000_000)
        )
        view.add(try trade("b", .buy, 321_800, 7, "22:36:00.000"), arrived: nil)
        return view
    }

    @Test("shows the newest first, with side and time", arguments: [80, 40])
    func page(columns: Int) throws {
        let now = try #require(Timestamp(iso8601: "2021-07-22T22:36:05Z"))
        let lines = TradesPage(view: try Self.view(), now: now, columns: columns, rows: nil).lines
        let title = "bitmex:XBTUSD" + String(repeating: " ", count: columns - 25) + "22:36:05 UTC"
        #expect(
            lines.map(\.text) == [
                title, "● live", "",
                "time      side    price  size",
                "22:36:01  sell  32180.5    50",
                "22:36:00  buy   32180.0     7",
                "22:35:59  buy   32175.0  1000",
            ])
    }

    @Test("lets a new trade stand out for 200 ms")
    func freshness() throws {
        let view = try Self.view()
        let arrived = Timestamp(nanoseconds: 1_000_000_000)
        func style(_ later: Int64) -> TextStyle? {
            let page = TradesPage(view: view, now: arrived.adding(nanoseconds: later), columns: 80, rows: nil)
            return page.lines[4].spans.first?.style
        }
        #expect(style(0) == .freshSell)
        #expect(style(199_999_999) == .freshSell)
        #expect(style(200_000_000) == .plain)
        #expect(view.isFresh(at: arrived.adding(nanoseconds: 100_000_000)))
        #expect(!view.isFresh(at: arrived.adding(nanoseconds: 200_000_000)))
    }

    @Test("keeps no trade twice and no more than its limit")
    func bounds() throws {
        var view = try Self.view()
        view.add(try Self.trade("b", .buy, 321_800, 7, "22:36:00.000"), arrived: nil)
        #expect(view.rows.map(\.trade.id) == ["c", "b", "a"])
        view.add(try Self.trade("d", .buy, 321_800, 7, "22:36:02.000"), arrived: nil)
        #expect(view.rows.map(\.trade.id) == ["d", "c", "b"])
        // Older than all that are kept.
        view.add(try Self.trade("e", .buy, 321_800, 7, "22:30:00.000"), arrived: nil)
        #expect(view.rows.map(\.trade.id) == ["d", "c", "b"])
    }

    @Test("puts the later one of two trades of one instant first")
    func ties() throws {
        var view = TradesView(instrument: Self.id, limit: 5)
        for id in ["1", "2", "3"] { view.add(try Self.trade(id, .buy, 1, 1, "22:36:00.000"), arrived: nil) }
        #expect(view.rows.map(\.trade.id) == ["3", "2", "1"])
        // What was stored before they came was there before them, and what came stays as new as it is.
        view.add(try Self.trade("4", .buy, 1, 1, "22:36:00.000"), arrived: .zero)
        view.put(try ["2", "x", "1"].map { try Self.trade($0, .buy, 1, 1, "22:36:00.000") })
        #expect(view.rows.map(\.trade.id) == ["4", "3", "2", "x", "1"] && view.rows[0].arrived == .zero)
    }
}

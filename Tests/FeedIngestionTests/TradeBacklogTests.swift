import Instruments
import MarketData
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Trade backlog")
struct TradeBacklogTests {
    private func trades(_ ids: ClosedRange<Int>, of symbol: String = "A") -> [QueuedTrade] {
        ids.map {
            QueuedTrade(
                instrument: InstrumentID(venue: .bitmex, symbol: symbol),
                trade: .sample("\(symbol)\($0)", at: Int64($0)))
        }
    }

    private func ids(_ trades: [QueuedTrade]) -> [String] { trades.map(\.trade.id) }

    @Test("gives trades back in order, as many as are asked for")
    func order() {
        var backlog = TradeBacklog(maximum: 10)
        #expect(backlog.append(trades(1...5)) == 0)
        #expect(ids(backlog.take(2)) == ["A1", "A2"])
        #expect(backlog.append(trades(6...6)) == 0)
        #expect(ids(backlog.take(10)) == ["A3", "A4", "A5", "A6"])
        #expect(backlog.isEmpty)
        #expect(backlog.highWater == 5)
    }

    @Test("refuses the newest past its bound, and remembers after which trade of each instrument")
    func overflow() {
        var backlog = TradeBacklog(maximum: 4)
        #expect(backlog.append(trades(1...3)) == 0)
        #expect(backlog.append(trades(1...2, of: "B")) == 1)
        #expect(backlog.append(trades(4...5) + trades(1...1, of: "C")) == 3)
        #expect(backlog.refused == 4)
        let holes = backlog.takeHoles()
        #expect(holes.map(\.instrument.symbol) == ["A", "B", "C"])
        #expect(holes.map(\.after?.id) == ["A3", "B1", nil])
        #expect(backlog.takeHoles() == [])
        #expect(ids(backlog.take(10)) == ["A1", "A2", "A3", "B1"])
    }

    @Test("goes on refusing behind a hole until it is told to resume, so that nothing is stored behind it")
    func resuming() {
        var backlog = TradeBacklog(maximum: 2)
        #expect(backlog.append(trades(1...3)) == 1)
        _ = backlog.take(10)
        #expect(backlog.append(trades(4...4) + trades(1...1, of: "B")) == 1)
        backlog.resume(InstrumentID(venue: .bitmex, symbol: "A"))
        #expect(backlog.append(trades(5...5)) == 0)
        #expect(ids(backlog.take(10)) == ["B1", "A5"])
    }

    @Test("counts what waits by venue")
    func byVenue() {
        var backlog = TradeBacklog(maximum: 2)
        _ = backlog.append(trades(1...3))
        #expect(backlog.count(of: .bitmex) == 2)
        #expect(backlog.count(of: .kraken) == 0)
        _ = backlog.take(1)
        #expect(backlog.count(of: .bitmex) == 1)
    }

    @Test("stays small while it is used for long")
    func memory() {
        var backlog = TradeBacklog(maximum: 10_000)
        for round in 0..<20 {
            _ = backlog.append(trades(round * 1_000...round * 1_000 + 999))
            #expect(ids(backlog.take(2_000)).first == "A\(round * 1_000)")
            #expect(backlog.isEmpty)
        }
    }
}

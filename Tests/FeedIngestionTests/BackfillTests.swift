import Instruments
import MarketData
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Backfill of trades")
struct BackfillTests {
    private let index = InstrumentIndex(rawValue: 0)

    private func mark(_ id: String, _ seconds: Int64) -> TradeMark {
        TradeMark(id: id, venueTime: Timestamp(nanoseconds: seconds * 1_000_000_000))
    }

    /// Of one instrument, of which a trade is stored or nothing is known.
    private func backfill(stored: TradeMark? = nil, heldLimit: Int = 100) -> Backfill {
        var backfill = Backfill(isStoring: true, heldLimit: heldLimit)
        backfill.grow(to: 1)
        if let stored { backfill.know(stored: stored, of: index) }
        return backfill
    }

    private func due(_ backfill: inout Backfill, at seconds: Int64 = 0) -> [String] {
        backfill.takeDue(at: Timestamp(nanoseconds: seconds * 1_000_000_000)).map(\.after.id)
    }

    /// Takes a trade; returns what may be stored then.
    private func take(
        _ id: String, _ seconds: Int64, isAnswer: Bool = false, _ backfill: inout Backfill
    ) -> [String] {
        var ready: [QueuedTrade] = []
        let trade = QueuedTrade(
            instrument: InstrumentID(venue: .bitmex, symbol: "A"),
            trade: .sample(id, at: seconds, isBackfill: isAnswer))
        backfill.take(trade, of: index, isAnswer: isAnswer, into: &ready)
        return ready.map(\.trade.id)
    }

    private func release(_ backfill: inout Backfill) -> [String] {
        var ready: [QueuedTrade] = []
        backfill.release(index, into: &ready)
        return ready.map(\.trade.id)
    }

    @Test("asks after the stored trade until a page reaches the first live one")
    func pages() {
        var backfill = backfill(stored: mark("a", 10))
        #expect(due(&backfill) == ["a"])
        #expect(due(&backfill) == [])
        _ = take("x", 50, &backfill)
        #expect(backfill.answered(index, newest: mark("b", 20)) == .ask(after: mark("b", 20)))
        #expect(due(&backfill) == ["b"])
        #expect(backfill.answered(index, newest: mark("y", 51)) == .done)
        #expect(due(&backfill) == [])
        #expect(backfill.openCount == 0)
    }

    @Test("lets newer trades wait until what is missing before them is there")
    func holding() {
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        #expect(take("x", 50, &backfill) == [])
        #expect(take("b", 20, isAnswer: true, &backfill) == ["b"])
        _ = backfill.answered(index, newest: mark("b", 20))
        #expect(release(&backfill) == [])
        #expect(backfill.wholeUpTo == [mark("b", 20)])
        #expect(take("x", 50, isAnswer: true, &backfill) == ["x"])
        _ = backfill.answered(index, newest: mark("x", 50))
        #expect(release(&backfill) == ["x"])
        #expect(take("y", 51, &backfill) == ["y"])
        #expect(backfill.wholeUpTo == [mark("y", 51)])
    }

    @Test("lets every trade wait until it is known what is stored")
    func unknown() {
        var backfill = backfill()
        #expect(take("x", 50, &backfill) == [])
        #expect(release(&backfill) == [])
        backfill.know(stored: nil, of: index)
        #expect(release(&backfill) == ["x"])
        #expect(due(&backfill) == [])
    }

    @Test("lets nothing wait where nothing is stored, and fetches what was missed all the same")
    func notStoring() {
        var backfill = Backfill(isStoring: false, heldLimit: 10)
        backfill.grow(to: 1)
        #expect(take("a", 10, &backfill) == ["a"])
        backfill.reconnected(index)
        #expect(due(&backfill) == ["a"])
        #expect(take("b", 20, &backfill) == ["b"])
    }

    @Test("lets everything go when too much waits")
    func heldLimit() {
        var backfill = backfill(stored: mark("a", 10), heldLimit: 2)
        #expect(take("x", 50, &backfill) == [])
        #expect(take("y", 51, &backfill) == [])
        #expect(take("z", 52, &backfill) == ["x", "y", "z"])
        #expect(backfill.heldCount == 0)
        #expect(backfill.openCount == 1)
        #expect(backfill.takeEarlyReleases().map(\.gap?.after) == [mark("a", 10)])
        #expect(backfill.takeEarlyReleases().isEmpty)
    }

    @Test("ends with a page that brings nothing new")
    func nothingNew() {
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        #expect(backfill.answered(index, newest: mark("b", 20)) == .ask(after: mark("b", 20)))
        _ = due(&backfill)
        #expect(backfill.answered(index, newest: mark("b", 20)) == .done)
    }

    @Test(
        "ends with an empty page, or one that is older than what was asked for", arguments: [nil, Int64(9)])
    func noPage(seconds: Int64?) {
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        #expect(backfill.answered(index, newest: seconds.map { mark("z", $0) }) == .done)
        #expect(backfill.openCount == 0)
    }

    private func unproven(_ backfill: inout Backfill, _ trades: [TradeMark], at seconds: Int64) -> TapeGap? {
        backfill.unproven(index, trades, at: Timestamp(nanoseconds: seconds * 1_000_000_000))
    }

    @Test("believes an empty answer of a short silence only, and says so once")
    func silence() {
        var short = backfill(stored: mark("a", 10))
        _ = due(&short)
        #expect(unproven(&short, [], at: 70) == nil)
        var long = backfill(stored: mark("a", 10))
        _ = due(&long)
        #expect(unproven(&long, [], at: 71) == TapeGap(after: mark("a", 10)))
        #expect(unproven(&long, [], at: 72) == nil)
        // The first live trade is known: what is missing ends there.
        var ended = backfill(stored: mark("a", 10))
        _ = due(&ended)
        _ = take("x", 900, &ended)
        #expect(unproven(&ended, [], at: 900) == TapeGap(after: mark("a", 10), until: mark("x", 900)))
    }

    @Test("believes an answer that begins with the trade before the gap, or next to it, and no other")
    func proof() {
        for (trades, isProof) in [
            ([mark("a", 10)], true), ([mark("a", 10), mark("b", 900)], true), ([mark("b", 60)], true),
            ([mark("b", 900)], false), ([mark("0", 9)], false), ([mark("0", 9), mark("b", 900)], false),
        ] {
            var backfill = backfill(stored: mark("a", 10))
            _ = due(&backfill)
            let gap = unproven(&backfill, trades, at: 1_000)
            #expect((gap == nil) == isProof, "\(trades)")
            if let gap { #expect(gap.after == mark("a", 10)) }
        }
    }

    @Test("ends with a page that reaches the first live trade, whatever rows without an execution it has")
    func emptyRow() throws {
        var configuration = VenueConfiguration(BitMEX.description)
        configuration.subscriptions = [("XBTUSD", [.trade])]
        var session = configuration.makeSession()
        var output = VenueOutput()
        let asked = session.request(for: "https://venue/api/v1/trade?symbol=XBTUSD")
        let request = try #require(asked)
        let rows = [("a", 10, "1"), ("empty", 15, "0"), ("b", 20, "1"), ("x", 50, "1")].map {
            id, second, price in
            #"{"timestamp":"1970-01-01T00:00:\#(second).000Z","symbol":"XBTUSD","side":"Buy","size":1,"#
                + #""price":\#(price),"trdMatchID":"\#(id)"}"#
        }
        Array("[\(rows.joined(separator: ","))]".utf8).withUnsafeBytes {
            session.responded(to: request, status: 200, body: $0, at: .zero, into: &output)
        }
        let marks = output.events.compactMap { event -> TradeMark? in
            guard case .trade(_, let trade) = event else { return nil }
            return TradeMark(id: trade.id, venueTime: trade.venueTime)
        }
        #expect(marks == [mark("a", 10), mark("b", 20), mark("x", 50)])
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        _ = take("x", 50, &backfill)
        #expect(unproven(&backfill, marks, at: 60) == nil)
        #expect(backfill.answered(index, newest: marks.last) == .done)
        #expect(backfill.openCount == 0)
        #expect(release(&backfill) == ["x"])
    }

    @Test("asks again after a reconnection, from the newest trade known")
    func reconnection() {
        var backfill = backfill()
        backfill.know(stored: nil, of: index)
        backfill.reconnected(index)
        #expect(due(&backfill) == [])
        _ = take("a", 10, &backfill)
        _ = take("b", 11, &backfill)
        backfill.reconnected(index)
        #expect(due(&backfill) == ["b"])
        _ = take("c", 15, &backfill)
        #expect(backfill.answered(index, newest: mark("c", 15)) == .done)
        #expect(release(&backfill) == ["c"])
    }

    @Test("begins an open gap earlier when more is missing, and never later")
    func widening() {
        var backfill = backfill(stored: mark("b", 20))
        backfill.refused(after: mark("a", 10), of: index)
        backfill.refused(after: mark("c", 30), of: index)
        #expect(due(&backfill) == ["a"])
    }

    @Test("an open gap that a second disconnection widens ends with the trades after that one")
    func secondDisconnection() {
        var backfill = backfill(stored: mark("a", 10))
        #expect(due(&backfill) == ["a"])
        _ = take("x", 50, &backfill)
        backfill.reconnected(index)
        // The page reaches the first live trade of the former connection: that is not the end any more.
        #expect(backfill.answered(index, newest: mark("x", 50)) == .ask(after: mark("a", 10)))
        #expect(due(&backfill) == ["a"])
        _ = take("z", 90, &backfill)
        #expect(backfill.answered(index, newest: mark("x", 50)) == .ask(after: mark("x", 50)))
        #expect(due(&backfill) == ["x"])
        #expect(backfill.answered(index, newest: mark("z", 90)) == .done)
        #expect(release(&backfill) == ["x", "z"])
    }

    @Test("an answer to a question from before a gap began earlier does not close it")
    func answerFromBefore() {
        var backfill = backfill(stored: mark("b", 20))
        _ = due(&backfill)
        backfill.refused(after: mark("a", 10), of: index)
        #expect(backfill.answered(index, newest: nil) == .ask(after: mark("a", 10)))
        #expect(due(&backfill) == ["a"])
    }

    @Test("a trade from far ahead is not the newest one that everything is measured by")
    func fromTheFuture() {
        var backfill = backfill()
        backfill.know(stored: nil, of: index)
        _ = take("a", 10, &backfill)
        _ = take("b", 4_000, &backfill)
        #expect(backfill.wholeUpTo == [mark("a", 10)])
    }

    @Test("does not take a late trade for the newest")
    func disorder() {
        var backfill = backfill()
        backfill.know(stored: nil, of: index)
        _ = take("b", 20, &backfill)
        _ = take("a", 10, &backfill)
        #expect(backfill.wholeUpTo == [mark("b", 20)])
    }

    @Test("asks again later when nobody answered, and lets newer trades wait meanwhile")
    func failure() {
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        backfill.failed(index, askAgainAt: Timestamp(nanoseconds: 30_000_000_000))
        #expect(take("x", 50, &backfill) == [])
        #expect(due(&backfill, at: 29) == [])
        #expect(due(&backfill, at: 30) == ["a"])
    }

    @Test("gives up what nobody can answer, and lets the trades behind it go")
    func givingUp() {
        var backfill = backfill(stored: mark("a", 10))
        _ = due(&backfill)
        _ = take("x", 50, &backfill)
        #expect(backfill.giveUp(index)?.after == mark("a", 10))
        #expect(release(&backfill) == ["x"])
        #expect(backfill.openCount == 0)
    }

    @Test("gives up after a hundred pages, and says where")
    func tooLong() {
        var gap = TapeGap(after: mark("0", 0))
        for page in 1..<TapeGap.maximumPages {
            #expect(
                gap.answered(newest: mark("\(page)", Int64(page)))
                    == .ask(after: mark("\(page)", Int64(page))))
        }
        let step = gap.answered(newest: mark("last", 100))
        #expect(step == .tooLong(gap))
        #expect(gap.after == mark("last", 100))
    }
}

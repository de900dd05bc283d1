import Instruments
import Testing
import Venues

@testable import FeedIngestion

@Suite("Backfill of trades")
struct BackfillTests {
    private let index = InstrumentIndex(rawValue: 0)

    private func mark(_ id: String, _ seconds: Int64) -> TradeMark {
        TradeMark(id: id, venueTime: Timestamp(nanoseconds: seconds * 1_000_000_000))
    }

    private func backfill() -> Backfill {
        var backfill = Backfill()
        backfill.grow(to: 1)
        return backfill
    }

    private func due(_ backfill: inout Backfill) -> [String] { backfill.takeDue().map(\.after.id) }

    @Test("asks after the stored trade until a page reaches the first live one")
    func pages() {
        var backfill = backfill()
        backfill.open(index, after: mark("a", 10))
        #expect(due(&backfill) == ["a"])
        #expect(due(&backfill) == [])
        backfill.meet(live: mark("x", 50), index)
        #expect(backfill.answered(index, newest: mark("b", 20)) == .ask(after: mark("b", 20)))
        #expect(due(&backfill) == ["b"])
        #expect(backfill.answered(index, newest: mark("y", 51)) == .done)
        #expect(due(&backfill) == [])
        #expect(backfill.openCount == 0)
    }

    @Test("ends with a page that brings nothing new")
    func nothingNew() {
        var backfill = backfill()
        backfill.open(index, after: mark("a", 10))
        _ = backfill.takeDue()
        #expect(backfill.answered(index, newest: mark("b", 20)) == .ask(after: mark("b", 20)))
        _ = backfill.takeDue()
        #expect(backfill.answered(index, newest: mark("b", 20)) == .done)
    }

    @Test(
        "ends with an empty page, or one that is older than what was asked for", arguments: [nil, Int64(9)])
    func noPage(seconds: Int64?) {
        var backfill = backfill()
        backfill.open(index, after: mark("a", 10))
        _ = backfill.takeDue()
        #expect(backfill.answered(index, newest: seconds.map { mark("z", $0) }) == .done)
        #expect(backfill.openCount == 0)
    }

    @Test("asks again after a reconnection, from the newest trade known")
    func reconnection() {
        var backfill = backfill()
        backfill.reconnected(index)
        #expect(due(&backfill) == [])
        backfill.meet(live: mark("a", 10), index)
        backfill.meet(live: mark("b", 11), index)
        backfill.reconnected(index)
        #expect(due(&backfill) == ["b"])
        backfill.meet(live: mark("c", 15), index)
        #expect(backfill.answered(index, newest: mark("c", 15)) == .done)
    }

    @Test("begins an open gap earlier when more is missing, and never later")
    func widening() {
        var backfill = backfill()
        backfill.open(index, after: mark("b", 20))
        backfill.reopen(index, after: mark("a", 10))
        backfill.open(index, after: mark("c", 30))
        #expect(due(&backfill) == ["a"])
    }

    @Test("does not take a late trade for the newest")
    func disorder() {
        var backfill = backfill()
        backfill.meet(live: mark("b", 20), index)
        backfill.meet(live: mark("a", 10), index)
        #expect(backfill.newest == [mark("b", 20)])
    }

    @Test("gives up after a hundred pages, and says where")
    func tooLong() {
        var gap = TapeGap(after: mark("0", 0))
        for page in 1..<TapeGap.maximumPages {
            #expect(
                gap.answered(newest: mark("\(page)", Int64(page)))
                    == .ask(after: mark("\(page)", Int64(page))))
        }
        #expect(gap.answered(newest: mark("last", 100)) == .tooLong(after: mark("last", 100)))
    }

    @Test("gives up what nobody answers, and may open it again")
    func givingUp() {
        var backfill = backfill()
        backfill.open(index, after: mark("a", 10))
        _ = backfill.takeDue()
        #expect(backfill.giveUp(index) == mark("a", 10))
        #expect(backfill.openCount == 0)
        backfill.open(index, after: mark("a", 10))
        #expect(due(&backfill) == ["a"])
    }
}

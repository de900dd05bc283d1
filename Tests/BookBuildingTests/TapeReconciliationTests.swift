import Instruments
import MarketData
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("Live trades against the tape")
struct TapeReconciliationTests {
    @Test("agrees with what is stored in the order of arrival")
    func inOrder() {
        var tape = TapeReconciliation(limit: 100)
        for (index, name) in "abcde".enumerated() { tape.accept(trade(name, Int64(index))) }
        #expect(tape.mark(mark("c", 2, 3)) == .agreed)
        #expect(tape.pending.map(\.id) == ["d", "e"])
        #expect(tape.firstPending == time(3))
        #expect(tape.mark(mark("e", 4, 2)) == .agreed)
        #expect(tape.pending.isEmpty && !tape.needsReading)
    }

    @Test("agrees with a backfill that is stored before the live trades that came first")
    func backfill() {
        var tape = TapeReconciliation(limit: 100)
        for (name, seconds) in [("x", 10), ("y", 11), ("a", 1), ("b", 2)] {
            tape.accept(trade(Character(name), Int64(seconds)))
        }
        #expect(tape.mark(mark("b", 2, 2)) == .agreed)
        #expect(tape.mark(mark("y", 11, 2)) == .agreed)
    }

    @Test(
        "wants the tape read when something is missing or too much",
        arguments: [
            // b is missing; the last is unknown; there is nothing; there is one too few.
            ("acd", "c", 2, 3), ("abc", "d", 3, 3), ("", "a", 0, 1), ("ab", "b", 1, 3),
        ] as [(String, Character, Int64, UInt64)])
    func disagrees(came: String, last: Character, at seconds: Int64, inserted: UInt64) {
        var tape = TapeReconciliation(limit: 100)
        for name in came { tape.accept(trade(name, Int64(name.asciiValue ?? 97) - 97)) }
        #expect(tape.mark(mark(last, seconds, inserted)) == .disagreed)
        #expect(tape.needsReading)
    }

    @Test("wants the tape read after a batch of which the first attempt was stored unheard")
    func retriedBatch() {
        var tape = TapeReconciliation(limit: 100)
        tape.accept(trade("a", 0))
        #expect(tape.mark(mark("a", 0, 1)) == .agreed)
        #expect(tape.mark(mark("a", 0, 0)) == .ignored)
        tape.accept(trade("b", 1))
        #expect(tape.mark(mark("b", 1, 0)) == .disagreed)
    }

    @Test("cannot agree after something that could not be taken in, until the tape was read")
    func missed() {
        var tape = TapeReconciliation(limit: 100)
        tape.miss()
        tape.accept(trade("a", 0))
        #expect(tape.mark(mark("a", 0, 1)) == .disagreed)
        tape.beginReading()
        #expect(tape.settle([trade("a", 0)], newest: time(0)) == 0)
        #expect(!tape.needsReading && tape.pending.isEmpty)
    }

    @Test("passes over marks of what the reading held, and judges later ones")
    func marksDuringReading() {
        var tape = TapeReconciliation(limit: 100)
        tape.beginReading()
        for (index, name) in "abcd".enumerated() { tape.accept(trade(name, Int64(index))) }
        #expect(tape.mark(mark("b", 1, 2)) == .postponed)
        #expect(tape.mark(mark("c", 2, 1)) == .postponed)
        #expect(tape.settle([trade("a", 0), trade("b", 1)], newest: time(1)) == 0)
        #expect(tape.pending.map(\.id) == ["c", "d"])
        tape.resume()
        #expect(tape.pending.map(\.id) == ["d"])
        #expect(!tape.needsReading)
    }

    @Test("forgets a live trade that the feed never stored")
    func neverStored() {
        var tape = TapeReconciliation(limit: 100)
        for (index, name) in "abc".enumerated() { tape.accept(trade(name, Int64(index))) }
        #expect(tape.mark(mark("c", 2, 2)) == .agreed)
        #expect(tape.pending.map(\.id) == ["a"])
        tape.beginReading()
        #expect(tape.settle([trade("b", 1), trade("c", 2)], newest: time(2)) == 1)
        #expect(tape.pending.isEmpty)
    }
}

extension Trade {
    fileprivate static func tape(_ id: String, _ seconds: Int64) -> Trade {
        Trade(
            id: id, side: .buy, price: Price(100), size: Quantity(1), priceScale: .zero, sizeScale: .zero,
            venueTime: time(seconds), receivedTime: .zero)
    }
}

private func time(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }

private func trade(_ name: Character, _ seconds: Int64) -> Trade { .tape(String(name), seconds) }

private func mark(_ name: Character, _ seconds: Int64, _ inserted: UInt64) -> TradesStored {
    TradesStored(lastTradeID: String(name), lastVenueTime: time(seconds), inserted: inserted)
}

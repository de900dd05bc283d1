import Instruments
import MarketData
import Support
import Testing

@testable import BookBuilding

@Suite("Book set")
struct BookSetTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private let other = InstrumentID(venue: .bitmex, symbol: "XBTUSD")

    @Test("tells the top when a best price or the state changes, and not otherwise")
    func tops() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100.1×2 100.0×5 | asks 100.2×1")
        #expect(fixture.tops() == ["syncing", "live 100.1×2 100.2×1"])
        try fixture.delta("bids 100.0×7", 2)
        #expect(fixture.tops() == [])
        try fixture.delta("bids 100.1×0", 3)
        #expect(fixture.tops() == ["live 100.0×7 100.2×1"])
        fixture.change(.suspect, .crossed, 4)
        #expect(fixture.tops() == ["suspect 100.0×7 100.2×1"])
        fixture.change(.syncing, .sequenceGap, 5)
        #expect(fixture.tops() == ["syncing"])
    }

    @Test("tells the whole book once an interval, while it changes")
    func wholeBooks() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        fixture.tick(after: 0)
        #expect(fixture.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
        try fixture.delta("bids 99×3", 2)
        fixture.tick(after: 0.5)
        #expect(fixture.wholes() == [])
        try fixture.delta("asks 102×4", 3)
        fixture.tick(after: 0.5)
        #expect(fixture.wholes() == ["live seq 3 | bids 100×2 99×3 | asks 101×1 102×4"])
        fixture.tick(after: 5)
        #expect(fixture.wholes() == [])
    }

    @Test("tells the whole book at once when somebody wants it, but never an empty one")
    func wanted() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.want(fixture.index, at: fixture.now)
        #expect(fixture.wholes() == [])
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        fixture.tick(after: 0)
        #expect(fixture.wholes().count == 1)
        fixture.set.want(fixture.index, at: fixture.now)
        #expect(fixture.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
        fixture.change(.syncing, .disconnected, 2)
        fixture.tick(after: 2)
        fixture.set.want(fixture.index, at: fixture.now)
        #expect(fixture.wholes() == [])
    }

    @Test("asks the broker at once after a loss, then ever more slowly until the book is there")
    func asking() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        try fixture.delta("bids 99×3", 3)
        #expect(fixture.requests() == 1)
        try fixture.delta("bids 98×3", 4)
        #expect(fixture.requests() == 0)
        var asked: [Int] = []
        for tenth in 1...400 {
            fixture.tick(after: 0.1)
            if fixture.requests() > 0 { asked.append(tenth) }
        }
        #expect(asked == [10, 30, 70, 150, 300])
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1")
        #expect(fixture.set[fixture.index].replica.state == .live)
        fixture.tick(after: 60)
        #expect(fixture.requests() == 0)
    }

    @Test("does not ask about one book while the answer about all is under way")
    func patience() throws {
        var fixture = try BookSetFixture(id)
        try fixture.delta("bids 99×3", 3)
        #expect(fixture.requests() == 0)
        fixture.tick(after: 1)
        #expect(fixture.requests() == 1)
    }

    @Test("loses the book at the end of a stream when a heartbeat tells of a later message")
    func lostTail() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1")
        _ = fixture.tops()
        fixture.set.lost(fixture.index, expected: 5, at: fixture.now)
        #expect(fixture.tops() == ["syncing"])
        #expect(fixture.requests() == 1)
        try fixture.snapshot("seq 5 | bids 100×3 | asks 101×1")
        #expect(fixture.tops() == ["live 100×3 101×1"])
    }

    @Test("loses a book that came from the broker when a heartbeat names a later message")
    func lostBehindTheBroker() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1", isRetained: true)
        _ = fixture.tops()
        fixture.set.told(
            fixture.index, last: StreamPosition(producer: "feed", epoch: 1, sequence: 4), at: fixture.now)
        #expect(fixture.tops() == [])
        fixture.set.told(
            fixture.index, last: StreamPosition(producer: "feed", epoch: 1, sequence: 5), at: fixture.now)
        #expect(fixture.tops() == ["syncing"])
        #expect(fixture.requests() == 1)
    }

    @Test("shows a book again once its producer contradicts what was told in its name")
    func falselyTold() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1")
        _ = fixture.tops()
        func told(_ sequence: UInt64, epoch: UInt64 = 1) {
            let last = StreamPosition(producer: "feed", epoch: epoch, sequence: sequence)
            fixture.set.told(fixture.index, last: last, at: fixture.now)
        }
        told(1_000_004)
        #expect(fixture.tops() == ["syncing"] && fixture.requests() == 1)
        told(4)
        #expect(fixture.tops() == ["live 100×2 101×1"])
        // Another life, until the bus says that the true one goes on.
        told(3, epoch: 9)
        #expect(fixture.tops() == ["syncing"] && fixture.requests() == 1)
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1", isRetained: true)
        #expect(fixture.tops() == [])
        fixture.set.restarted("feed", epoch: 1, at: fixture.now)
        #expect(fixture.requests() == 1)
        try fixture.snapshot("seq 4 | bids 100×2 | asks 101×1", isRetained: true)
        #expect(fixture.tops() == ["live 100×2 101×1"])
    }

    @Test("lowers a live book while its producer is silent, and takes that back")
    func silence() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        fixture.set.heard("feed", epoch: 1, at: fixture.now)
        _ = fixture.tops()
        fixture.set.silent("feed", at: fixture.now)
        #expect(fixture.tops() == ["stale 100×2 101×1"])
        #expect(fixture.set[fixture.index].replica.reason == .busSilent)
        fixture.set.heard("feed", epoch: 0, at: fixture.now)
        #expect(fixture.tops() == ["live 100×2 101×1"])
        fixture.set.bus(isSilent: true, at: fixture.now)
        #expect(fixture.tops() == ["stale 100×2 101×1"])
        fixture.set.bus(isSilent: false, at: fixture.now)
        #expect(fixture.tops() == ["live 100×2 101×1"])
    }

    @Test("never raises what the producer lowered")
    func neverRaises() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        fixture.change(.suspect, .crossed, 2)
        fixture.set.silent("feed", at: fixture.now)
        #expect(fixture.set[fixture.index].replica.state == .suspect)
        fixture.set.heard("feed", epoch: 1, at: fixture.now)
        #expect(fixture.set[fixture.index].replica.state == .suspect)
    }

    @Test("doubts a producer that only the broker remembers until it is heard")
    func deadProducer() throws {
        var fixture = try BookSetFixture(id, isHeard: false)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1", isRetained: true)
        #expect(fixture.tops() == ["live 100×2 101×1"])
        fixture.tick(after: 2.9)
        #expect(fixture.tops() == [])
        fixture.tick(after: 0.1)
        #expect(fixture.tops() == ["stale 100×2 101×1"])
        fixture.set.heard("feed", epoch: 1, at: fixture.now)
        #expect(fixture.tops() == ["live 100×2 101×1"])
    }

    @Test("doubts the books of a past life until the new one has told them")
    func newLife() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 7 | bids 100×2 | asks 101×1")
        fixture.set.heard("feed", epoch: 1, at: fixture.now)
        _ = fixture.tops()
        fixture.set.restarted("feed", epoch: 2, at: fixture.now)
        #expect(fixture.tops() == ["stale 100×2 101×1"])
        fixture.change(.syncing, .snapshotPending, 1, epoch: 2)
        #expect(fixture.tops() == ["syncing"])
        try fixture.snapshot("seq 1 | bids 100×9 | asks 101×1", epoch: 2)
        #expect(fixture.tops() == ["live 100×9 101×1"])
    }

    @Test("asks about a book of a past life when the new life's messages are lost")
    func lossInNewLife() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 7 | bids 100×2 | asks 101×1")
        fixture.set.restarted("feed", epoch: 2, at: fixture.now)
        _ = fixture.requests()
        fixture.set.lost(fixture.index, expected: 1, at: fixture.now)
        #expect(fixture.requests() == 1)
        #expect(fixture.set[fixture.index].replica.state == .stale)
    }

    @Test("takes nothing of what it says itself, but what the broker kept of it after a loss")
    func ownSnapshots() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.answer(isPending: false)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        let own = SnapshotOrigin(isOwn: true, isRetained: false)
        let kept = SnapshotOrigin(isOwn: true, isRetained: true)
        let later = try BookText("seq 3 | bids 100×8 | asks 101×1").snapshot()
        fixture.receive(.snapshot(later, own))
        fixture.receive(.snapshot(later, kept))
        #expect(fixture.set[fixture.index].replica.position?.sequence == 1)
        try fixture.delta("bids 99×1", 4)
        #expect(fixture.set[fixture.index].replica.isWaitingForSnapshot)
        fixture.receive(.snapshot(later, own))
        #expect(fixture.set[fixture.index].replica.isWaitingForSnapshot)
        fixture.receive(.snapshot(later, kept))
        #expect(fixture.set[fixture.index].replica.state == .live)
        #expect(fixture.set[fixture.index].replica.position?.sequence == 4)
    }

    @Test("judges anew a book that another book-builder called silent")
    func loweredSnapshot() throws {
        var fixture = try BookSetFixture(id)
        fixture.set.heard("feed", epoch: 1, at: fixture.now)
        let lowered = try BookText("seq 3 | bids 100×8 | asks 101×1").snapshot(.stale, reason: .busSilent)
        fixture.receive(.snapshot(lowered, SnapshotOrigin(isOwn: false, isRetained: true)))
        #expect(fixture.tops() == ["syncing", "live 100×8 101×1"])
        fixture.set.silent("feed", at: fixture.now)
        #expect(fixture.tops() == ["stale 100×8 101×1"])
    }

    @Test("stores the last book of each minute of the venue's time")
    func archive() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1", at: 10)
        try fixture.delta("bids 100×3", 2, at: 59)
        #expect(fixture.archived() == [])
        try fixture.delta("bids 100×4", 3, at: 61)
        #expect(fixture.archived() == ["0: live seq 2 | bids 100×3 | asks 101×1"])
        fixture.tick(after: 59)
        #expect(fixture.archived() == [])
        fixture.tick(after: 1)
        #expect(fixture.archived() == ["1: live seq 3 | bids 100×4 | asks 101×1"])
        try fixture.delta("bids 100×5", 4, at: 62)
        fixture.set.finish(at: fixture.now)
        #expect(fixture.archived() == ["1: live seq 4 | bids 100×5 | asks 101×1"])
    }

    @Test("stores no book that is not live")
    func archiveOnlyLive() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1", at: 10)
        fixture.change(.stale, .disconnected, 2)
        try fixture.delta("bids 100×4", 3, at: 61)
        fixture.set.finish(at: fixture.now)
        #expect(fixture.archived() == [])
    }

    @Test("tells everything again to a broker that knows nothing")
    func newBroker() throws {
        var fixture = try BookSetFixture(id)
        try fixture.snapshot("seq 1 | bids 100×2 | asks 101×1")
        fixture.tick(after: 0)
        fixture.set.outputs = []
        fixture.set.tellAll(at: fixture.now)
        #expect(fixture.tops() == ["live 100×2 101×1"])
        #expect(fixture.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
    }

    @Test("keeps books apart, and refuses more than it may follow")
    func limit() {
        var set = BookSet(limit: 1, snapshotInterval: 1)
        let first = set.index(of: id, at: .zero)
        let second = set.index(of: other, at: .zero)
        let again = set.index(of: id, at: .zero)
        #expect(first != nil)
        #expect(second == nil)
        #expect(again == first)
        #expect(set.counts.refused == 1)
        #expect(set.find(other) == nil)
    }
}

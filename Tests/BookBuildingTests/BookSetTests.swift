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
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100.1×2 100.0×5 | asks 100.2×1")
        #expect(world.tops() == ["syncing", "live 100.1×2 100.2×1"])
        try world.delta("bids 100.0×7", 2)
        #expect(world.tops() == [])
        try world.delta("bids 100.1×0", 3)
        #expect(world.tops() == ["live 100.0×7 100.2×1"])
        world.change(.suspect, .crossed, 4)
        #expect(world.tops() == ["suspect 100.0×7 100.2×1"])
        world.change(.syncing, .sequenceGap, 5)
        #expect(world.tops() == ["syncing"])
    }

    @Test("tells the whole book once an interval, while it changes")
    func wholeBooks() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        world.tick(after: 0)
        #expect(world.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
        try world.delta("bids 99×3", 2)
        world.tick(after: 0.5)
        #expect(world.wholes() == [])
        try world.delta("asks 102×4", 3)
        world.tick(after: 0.5)
        #expect(world.wholes() == ["live seq 3 | bids 100×2 99×3 | asks 101×1 102×4"])
        world.tick(after: 5)
        #expect(world.wholes() == [])
    }

    @Test("tells the whole book at once when somebody wants it, but never an empty one")
    func wanted() throws {
        var world = try World(id)
        world.set.want(world.index, at: world.now)
        #expect(world.wholes() == [])
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        world.tick(after: 0)
        #expect(world.wholes().count == 1)
        world.set.want(world.index, at: world.now)
        #expect(world.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
        world.change(.syncing, .disconnected, 2)
        world.tick(after: 2)
        world.set.want(world.index, at: world.now)
        #expect(world.wholes() == [])
    }

    @Test("asks the broker at once after a loss, then ever more slowly until the book is there")
    func asking() throws {
        var world = try World(id)
        world.set.answer(isPending: false)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        try world.delta("bids 99×3", 3)
        #expect(world.requests() == 1)
        try world.delta("bids 98×3", 4)
        #expect(world.requests() == 0)
        var asked: [Int] = []
        for tenth in 1...400 {
            world.tick(after: 0.1)
            if world.requests() > 0 { asked.append(tenth) }
        }
        #expect(asked == [10, 30, 70, 150, 300])
        try world.snapshot("seq 4 | bids 100×2 | asks 101×1")
        #expect(world.set[world.index].replica.state == .live)
        world.tick(after: 60)
        #expect(world.requests() == 0)
    }

    @Test("does not ask about one book while the answer about all is under way")
    func patience() throws {
        var world = try World(id)
        try world.delta("bids 99×3", 3)
        #expect(world.requests() == 0)
        world.tick(after: 1)
        #expect(world.requests() == 1)
    }

    @Test("loses the book at the end of a stream when a heartbeat tells of a later message")
    func lostTail() throws {
        var world = try World(id)
        world.set.answer(isPending: false)
        try world.snapshot("seq 4 | bids 100×2 | asks 101×1")
        _ = world.tops()
        world.set.lost(world.index, expected: 5, at: world.now)
        #expect(world.tops() == ["syncing"])
        #expect(world.requests() == 1)
        try world.snapshot("seq 5 | bids 100×3 | asks 101×1")
        #expect(world.tops() == ["live 100×3 101×1"])
    }

    @Test("loses a book that came from the broker when a heartbeat names a later message")
    func lostBehindTheBroker() throws {
        var world = try World(id)
        world.set.answer(isPending: false)
        try world.snapshot("seq 4 | bids 100×2 | asks 101×1", isRetained: true)
        _ = world.tops()
        world.set.told(
            world.index, last: StreamPosition(producer: "feed", epoch: 1, sequence: 4), at: world.now)
        #expect(world.tops() == [])
        world.set.told(
            world.index, last: StreamPosition(producer: "feed", epoch: 1, sequence: 5), at: world.now)
        #expect(world.tops() == ["syncing"])
        #expect(world.requests() == 1)
    }

    @Test("lowers a live book while its producer is silent, and takes that back")
    func silence() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        world.set.heard("feed", epoch: 1, at: world.now)
        _ = world.tops()
        world.set.silent("feed", at: world.now)
        #expect(world.tops() == ["stale 100×2 101×1"])
        #expect(world.set[world.index].replica.reason == .busSilent)
        world.set.heard("feed", epoch: 0, at: world.now)
        #expect(world.tops() == ["live 100×2 101×1"])
        world.set.bus(isSilent: true, at: world.now)
        #expect(world.tops() == ["stale 100×2 101×1"])
        world.set.bus(isSilent: false, at: world.now)
        #expect(world.tops() == ["live 100×2 101×1"])
    }

    @Test("never raises what the producer lowered")
    func neverRaises() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        world.change(.suspect, .crossed, 2)
        world.set.silent("feed", at: world.now)
        #expect(world.set[world.index].replica.state == .suspect)
        world.set.heard("feed", epoch: 1, at: world.now)
        #expect(world.set[world.index].replica.state == .suspect)
    }

    @Test("doubts a producer that only the broker remembers until it is heard")
    func deadProducer() throws {
        var world = try World(id, isHeard: false)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1", isRetained: true)
        #expect(world.tops() == ["live 100×2 101×1"])
        world.tick(after: 2.9)
        #expect(world.tops() == [])
        world.tick(after: 0.1)
        #expect(world.tops() == ["stale 100×2 101×1"])
        world.set.heard("feed", epoch: 1, at: world.now)
        #expect(world.tops() == ["live 100×2 101×1"])
    }

    @Test("doubts the books of a past life until the new one has told them")
    func newLife() throws {
        var world = try World(id)
        try world.snapshot("seq 7 | bids 100×2 | asks 101×1")
        world.set.heard("feed", epoch: 1, at: world.now)
        _ = world.tops()
        world.set.restarted("feed", epoch: 2, at: world.now)
        #expect(world.tops() == ["stale 100×2 101×1"])
        world.change(.syncing, .snapshotPending, 1, epoch: 2)
        #expect(world.tops() == ["syncing"])
        try world.snapshot("seq 1 | bids 100×9 | asks 101×1", epoch: 2)
        #expect(world.tops() == ["live 100×9 101×1"])
    }

    @Test("asks about a book of a past life when the new life's messages are lost")
    func lossInNewLife() throws {
        var world = try World(id)
        world.set.answer(isPending: false)
        try world.snapshot("seq 7 | bids 100×2 | asks 101×1")
        world.set.restarted("feed", epoch: 2, at: world.now)
        _ = world.requests()
        world.set.lost(world.index, expected: 1, at: world.now)
        #expect(world.requests() == 1)
        #expect(world.set[world.index].replica.state == .stale)
    }

    @Test("takes nothing of what it says itself, but what the broker kept of it after a loss")
    func ownSnapshots() throws {
        var world = try World(id)
        world.set.answer(isPending: false)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        let own = SnapshotOrigin(isOwn: true, isRetained: false)
        let kept = SnapshotOrigin(isOwn: true, isRetained: true)
        let later = try BookText("seq 3 | bids 100×8 | asks 101×1").snapshot()
        world.receive(.snapshot(later, own))
        world.receive(.snapshot(later, kept))
        #expect(world.set[world.index].replica.position?.sequence == 1)
        try world.delta("bids 99×1", 4)
        #expect(world.set[world.index].replica.isWaitingForSnapshot)
        world.receive(.snapshot(later, own))
        #expect(world.set[world.index].replica.isWaitingForSnapshot)
        world.receive(.snapshot(later, kept))
        #expect(world.set[world.index].replica.state == .live)
        #expect(world.set[world.index].replica.position?.sequence == 4)
    }

    @Test("judges anew a book that another book-builder called silent")
    func loweredSnapshot() throws {
        var world = try World(id)
        world.set.heard("feed", epoch: 1, at: world.now)
        let lowered = try BookText("seq 3 | bids 100×8 | asks 101×1").snapshot(.stale, reason: .busSilent)
        world.receive(.snapshot(lowered, SnapshotOrigin(isOwn: false, isRetained: true)))
        #expect(world.tops() == ["syncing", "live 100×8 101×1"])
        world.set.silent("feed", at: world.now)
        #expect(world.tops() == ["stale 100×8 101×1"])
    }

    @Test("stores the last book of each minute of the venue's time")
    func archive() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1", at: 10)
        try world.delta("bids 100×3", 2, at: 59)
        #expect(world.archived() == [])
        try world.delta("bids 100×4", 3, at: 61)
        #expect(world.archived() == ["0: live seq 2 | bids 100×3 | asks 101×1"])
        world.tick(after: 59)
        #expect(world.archived() == [])
        world.tick(after: 1)
        #expect(world.archived() == ["1: live seq 3 | bids 100×4 | asks 101×1"])
        try world.delta("bids 100×5", 4, at: 62)
        world.set.finish(at: world.now)
        #expect(world.archived() == ["1: live seq 4 | bids 100×5 | asks 101×1"])
    }

    @Test("stores no book that is not live")
    func archiveOnlyLive() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1", at: 10)
        world.change(.stale, .disconnected, 2)
        try world.delta("bids 100×4", 3, at: 61)
        world.set.finish(at: world.now)
        #expect(world.archived() == [])
    }

    @Test("tells everything again to a broker that knows nothing")
    func newBroker() throws {
        var world = try World(id)
        try world.snapshot("seq 1 | bids 100×2 | asks 101×1")
        world.tick(after: 0)
        world.set.outputs = []
        world.set.tellAll(at: world.now)
        #expect(world.tops() == ["live 100×2 101×1"])
        #expect(world.wholes() == ["live seq 1 | bids 100×2 | asks 101×1"])
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

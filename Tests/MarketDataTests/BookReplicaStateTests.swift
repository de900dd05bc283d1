import Instruments
import MarketData
import Support
import Testing

@Suite("Book replica: states and numbers")
struct BookReplicaStateTests {
    @Test("keeps a state that is declared before the snapshot comes")
    func stateOfEmptiedBook() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.declare(.syncing, .connecting, at: 6) == .applied)
        #expect(try replica.declare(.stale, .disconnected, at: 7) == .buffered)
        #expect(replica.reason == .connecting)
        #expect(replica.apply(try BookText("seq 6").snapshot(.syncing, reason: .connecting)) == .buffered)
        #expect(try replica.take("seq 6 | bids 2×6") == .applied)
        #expect(replica.state == .stale)
        #expect(replica.reason == .disconnected)
        #expect(replica.text == "seq 7 | bids 2×6 | asks")
        #expect(replica.gaps == 0)
    }

    @Test("is emptied by a newer snapshot of an empty book")
    func syncingSnapshot() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(
            replica.apply(try BookText("seq 6 | bids 3×3").snapshot(.syncing, reason: .connecting))
                == .applied)
        #expect(replica.state == .syncing)
        #expect(replica.text == "seq 6 | bids | asks")
        #expect(try replica.take("seq 6 | bids 2×6") == .applied)
        #expect(replica.text == "seq 6 | bids 2×6 | asks")
    }

    @Test("is lost over a number that does not fit, until a snapshot has it")
    func outOfRange() throws {
        var replica = try BookReplica.live("seq 5 | bids 9000000000×1")
        #expect(try replica.follow("seq 6 | bids 1.0000000000×1") == .needsSnapshot)
        #expect(replica.state == .syncing)
        #expect(replica.reason == .numberOutOfRange)
        #expect(replica.text == "seq 5 | bids | asks")
        #expect(try replica.follow("seq 7 | bids 2×1") == .buffered)
        #expect(try replica.take("seq 5 | bids 9000000000×1") == .buffered)
        #expect(replica.state == .syncing)
        #expect(try replica.take("seq 6 | bids 1×1") == .applied)
        #expect(replica.text == "seq 7 | bids 2×1 1×1 | asks")
        #expect(replica.gaps == 1)
    }

    @Test("is lost over a change that does not fit the finer scale of the book")
    func changeOutOfRange() throws {
        var replica = try BookReplica.live("seq 5 | bids 1.0000000000×1")
        #expect(try replica.follow("seq 6 | bids 2×1 9000000000×1") == .needsSnapshot)
        #expect(replica.reason == .numberOutOfRange)
        #expect(replica.book.bestBid == nil)
    }

    @Test("takes deltas of finer and of coarser scales")
    func scales() throws {
        var replica = try BookReplica.live("seq 5 | bids 100.1×2")
        #expect(try replica.follow("seq 6 | bids 100.125×0.5") == .applied)
        #expect(replica.text == "seq 6 | bids 100.125×0.5 100.100×2.0 | asks")
        #expect(try replica.follow("seq 7 | bids 100×3") == .applied)
        #expect(replica.text == "seq 7 | bids 100.125×0.5 100.100×2.0 100.000×3.0 | asks")
    }

    @Test("may lower a live book and take it back, and raises nothing")
    func lowering() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        replica.lower(to: .stale, reason: .busSilent, detail: "3 s")
        #expect((replica.state, replica.reason) == (.stale, .busSilent))
        #expect(replica.detail == "3 s")
        #expect(replica.text == "seq 5 | bids 1×1 | asks")
        #expect(try replica.follow("seq 6 | bids 1×6") == .applied)
        #expect(replica.state == .stale)
        #expect(try replica.declare(.suspect, .crossed, at: 7) == .applied)
        #expect((replica.state, replica.reason) == (.suspect, .crossed))
        replica.lower(to: .live, reason: .verified, detail: "")
        #expect(replica.state == .suspect)
        replica.lower(to: .syncing, reason: .busSilent, detail: "")
        #expect(try replica.declare(.live, .verified, at: 8) == .applied)
        #expect((replica.state, replica.reason) == (.suspect, .busSilent))
        replica.restore()
        #expect((replica.state, replica.reason) == (.live, .verified))
    }

    @Test("stays lowered over a loss and a new snapshot")
    func loweringOverLoss() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        replica.lower(to: .stale, reason: .busSilent, detail: "")
        #expect(try replica.follow("seq 7 | bids 1×7") == .needsSnapshot)
        #expect((replica.state, replica.reason) == (.syncing, .busGap))
        #expect(try replica.take("seq 7 | bids 1×7") == .applied)
        #expect((replica.state, replica.reason) == (.stale, .busSilent))
    }

    @Test("is live again with the snapshot of one who lowered it and took that back")
    func loweredSnapshot() throws {
        var replica = BookReplica()
        let lowered = try BookText("seq 5 | bids 1×1").snapshot(.stale, reason: .busSilent)
        #expect(replica.apply(lowered) == .applied)
        #expect(try replica.follow("seq 6 | bids 1×6") == .applied)
        #expect(replica.state == .stale)
        #expect(try replica.take("seq 4 | bids 1×4") == .ignored)
        #expect(replica.state == .stale)
        #expect(try replica.take("seq 5 | bids 1×1") == .applied)
        #expect(replica.state == .live)
        #expect(replica.text == "seq 6 | bids 1×6 | asks")
        #expect(replica.apply(lowered) == .ignored)
        #expect(replica.state == .live)
    }

    @Test("does not let a snapshot raise what the stream declares")
    func declaredByStream() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.declare(.suspect, .crossed, at: 6) == .applied)
        #expect(try replica.take("seq 5 | bids 1×1") == .ignored)
        #expect(try replica.take("seq 6 | bids 1×1") == .ignored)
        #expect(replica.state == .suspect)
    }

    @Test("carries the times of what last changed it")
    func times() throws {
        var replica = BookReplica()
        let snapshot = try BookText("seq 5 | bids 1×1").snapshot(receivedTime: Timestamp(nanoseconds: 50))
        #expect(replica.apply(snapshot) == .applied)
        #expect(replica.receivedTime == Timestamp(nanoseconds: 50))
        var delta = try BookText("bids 1×2").delta(receivedTime: Timestamp(nanoseconds: 60))
        delta.venueTime = Timestamp(nanoseconds: 59)
        #expect(replica.apply(delta, at: .feed(6)) == .applied)
        #expect(replica.top().venueTime == Timestamp(nanoseconds: 59))
        #expect(replica.snapshot().receivedTime == Timestamp(nanoseconds: 60))
        #expect(replica.top().at == .feed(6))
        #expect(replica.snapshot().continues == .feed(6))
    }
}

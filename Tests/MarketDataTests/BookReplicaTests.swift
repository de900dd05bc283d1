import Instruments
import MarketData
import Support
import Testing

@Suite("Book replica")
struct BookReplicaTests {
    @Test("waits for a snapshot, then follows message by message")
    func following() throws {
        var replica = BookReplica()
        #expect(replica.state == .syncing)
        #expect(replica.reason == .snapshotPending)
        #expect(replica.isWaitingForSnapshot)
        #expect(replica.position == nil)
        #expect(try replica.take("seq 42 | bids 100.10×2 100.00×5 | asks 100.20×1") == .applied)
        #expect(replica.state == .live)
        #expect(replica.position == StreamPosition(producer: "feed", epoch: 1, sequence: 42))
        #expect(try replica.follow("seq 43 | bids 100.10×0 | asks 100.15×3") == .applied)
        #expect(replica.text == "seq 43 | bids 100.00×5 | asks 100.15×3 100.20×1")
        #expect(try replica.declare(.suspect, .crossed, at: 44) == .applied)
        #expect(replica.state == .suspect)
        #expect(replica.reason == .crossed)
        #expect(replica.text == "seq 44 | bids 100.00×5 | asks 100.15×3 100.20×1")
        #expect(replica.gaps == 0)
    }

    @Test("ignores what it has already")
    func old() throws {
        var replica = try BookReplica.live("seq 42 | bids 1×1")
        #expect(try replica.follow("seq 42 | bids 1×9") == .ignored)
        #expect(try replica.follow("seq 7 | bids 1×9") == .ignored)
        #expect(try replica.declare(.syncing, .sequenceGap, at: 42) == .ignored)
        #expect(try replica.take("seq 42 | bids 1×9") == .ignored)
        #expect(try replica.take("seq 41 | bids 1×9") == .ignored)
        #expect(replica.apply(try BookText("bids 1×9").snapshot()) == .ignored)
        #expect(replica.text == "seq 42 | bids 1×1 | asks")
    }

    @Test("shows nothing from a gap on, and asks once for a snapshot")
    func gap() throws {
        var replica = try BookReplica.live("seq 42 | bids 1×1")
        #expect(try replica.follow("seq 44 | bids 1×3") == .needsSnapshot)
        #expect(replica.state == .syncing)
        #expect(replica.reason == .busGap)
        #expect(replica.detail == "expected 43, received 44")
        #expect(replica.text == "seq 42 | bids | asks")
        #expect(replica.top().bid == nil)
        #expect(replica.snapshot().state == .syncing)
        #expect(replica.snapshot().bids.isEmpty)
        #expect(try replica.follow("seq 45 | bids 1×4") == .buffered)
        #expect(replica.gaps == 1)
        #expect(try replica.take("seq 43 | bids 1×2 | asks 9×9") == .applied)
        #expect(replica.text == "seq 45 | bids 1×4 | asks 9×9")
        #expect(replica.state == .live)
        #expect(replica.waitingCount == 0)
    }

    @Test("asks again after another loss, and when it is allowed to")
    func asking() throws {
        var replica = try BookReplica.live("seq 1 | bids 1×1")
        #expect(try replica.follow("seq 3 | bids 1×3") == .needsSnapshot)
        #expect(try replica.follow("seq 4 | bids 1×4") == .buffered)
        replica.allowAsking()
        #expect(try replica.follow("seq 5 | bids 1×5") == .needsSnapshot)
        #expect(try replica.take("seq 5 | bids 1×5") == .applied)
        #expect(try replica.follow("seq 9 | bids 1×9") == .needsSnapshot)
        #expect(replica.gaps == 2)
    }

    @Test("goes on without a snapshot when what was missing comes late")
    func late() throws {
        var replica = try BookReplica.live("seq 42 | bids 1×1")
        #expect(try replica.follow("seq 45 | bids 4×4") == .needsSnapshot)
        #expect(try replica.follow("seq 44 | bids 3×3") == .buffered)
        #expect(try replica.follow("seq 44 | bids 3×9") == .ignored)
        #expect(try replica.follow("seq 43 | bids 2×2") == .applied)
        #expect(replica.text == "seq 45 | bids 4×4 3×3 2×2 1×1 | asks")
        #expect(replica.state == .live)
    }

    @Test("joins the broker's answer, whatever live messages came in between")
    func interleaved() throws {
        var replica = BookReplica()
        #expect(try replica.follow("seq 13 | bids 13×1") == .needsSnapshot)
        #expect(try replica.take("seq 10 | bids 10×1") == .buffered)
        #expect(try replica.follow("seq 11 | bids 11×1") == .buffered)
        #expect(try replica.follow("seq 14 | bids 14×1") == .buffered)
        #expect(replica.state == .syncing)
        #expect(try replica.follow("seq 12 | bids 12×1") == .applied)
        #expect(replica.text == "seq 14 | bids 14×1 13×1 12×1 11×1 10×1 | asks")
        #expect(replica.state == .live)
    }

    @Test("is not live again with a snapshot that is older than a known loss")
    func tailLoss() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(replica.lose(through: 5, detail: "heartbeat") == .ignored)
        #expect(replica.state == .live)
        #expect(replica.lose(through: 8, detail: "heartbeat") == .needsSnapshot)
        #expect(replica.detail == "heartbeat")
        #expect(try replica.take("seq 7 | bids 1×7") == .buffered)
        #expect(replica.state == .syncing)
        #expect(replica.lose(through: 8, detail: "heartbeat") == .ignored)
        #expect(try replica.take("seq 8 | bids 1×8") == .applied)
        #expect(replica.text == "seq 8 | bids 1×8 | asks")
    }

    @Test("waits no more for what was told once and is not told any more")
    func falselyTold() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(replica.tell(last: .feed(5), detail: "heartbeat") == .ignored)
        #expect(replica.tell(last: .feed(1_000_005), detail: "heartbeat") == .needsSnapshot)
        #expect(replica.state == .syncing)
        #expect(try replica.follow("seq 6 | bids 1×6") == .buffered)
        #expect(replica.tell(last: .feed(7), detail: "heartbeat") == .buffered)
        #expect(try replica.follow("seq 7 | bids 1×7") == .applied)
        #expect(replica.text == "seq 7 | bids 1×7 | asks" && replica.state == .live)
        // What came is there, whatever is told.
        #expect(try replica.follow("seq 9 | bids 1×9") == .needsSnapshot)
        #expect(replica.tell(last: .feed(8), detail: "heartbeat") == .ignored)
        #expect(replica.state == .syncing)
    }

    @Test("follows a producer that began anew into a life that seems older than a false one")
    func falseLife() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        let false1 = StreamPosition(producer: "feed", epoch: 9, sequence: 3)
        #expect(replica.tell(last: false1, detail: "heartbeat") == .needsSnapshot)
        #expect(try replica.take("seq 5 | bids 1×1") == .ignored)
        #expect(replica.restarted("other", epoch: 1) == .ignored)
        #expect(replica.restarted("feed", epoch: 9) == .ignored)
        #expect(replica.restarted("feed", epoch: 1) == .needsSnapshot)
        #expect(replica.state == .syncing)
        #expect(try replica.take("seq 5 | bids 1×1") == .applied)
        #expect(replica.state == .live)
        #expect(replica.restarted("feed", epoch: 1) == .ignored)
    }

    @Test("takes another's book when the one that it waits for falls silent")
    func falseProducer() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        replica.forsake("feed")
        #expect(replica.state == .live)
        let foreign = StreamPosition(producer: "backup", epoch: 9, sequence: 3)
        #expect(replica.tell(last: foreign, detail: "heartbeat") == .needsSnapshot)
        #expect(try replica.take("seq 5 | bids 1×1") == .ignored)
        replica.forsake("feed")
        #expect(try replica.take("seq 5 | bids 1×1") == .ignored)
        replica.forsake("backup")
        #expect(replica.state == .syncing)
        #expect(try replica.take("seq 5 | bids 1×1") == .applied)
        #expect(replica.state == .live)
    }

    @Test("counts a loss that was told before the first snapshot")
    func earlyLoss() throws {
        var replica = BookReplica()
        #expect(replica.lose(through: 9, detail: "nothing to lose") == .ignored)
        #expect(replica.lose(through: .feed(9), detail: "heartbeat") == .needsSnapshot)
        #expect(try replica.take("seq 8 | bids 1×1") == .buffered)
        #expect(try replica.follow("seq 9 | bids 1×2") == .applied)
        #expect(replica.state == .live)
    }

    @Test("is emptied at once by syncing, and whole with the snapshot that continues it")
    func syncing() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.declare(.syncing, .sequenceGap, at: 9) == .applied)
        #expect(replica.state == .syncing)
        #expect(replica.reason == .sequenceGap)
        #expect(replica.text == "seq 9 | bids | asks")
        #expect(replica.isWaitingForSnapshot)
        #expect(try replica.take("seq 8 | bids 1×8") == .ignored)
        #expect(try replica.take("seq 9 | bids 1×9") == .applied)
        #expect(replica.state == .live)
        #expect(replica.gaps == 0)
    }

    @Test("keeps messages behind a syncing that comes late")
    func lateSyncing() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.follow("seq 8 | bids 2×8") == .needsSnapshot)
        #expect(try replica.follow("seq 9 | bids 2×9") == .buffered)
        #expect(try replica.declare(.syncing, .sequenceGap, at: 7) == .applied)
        #expect(replica.state == .syncing)
        #expect(try replica.take("seq 7 | bids 1×7") == .applied)
        #expect(replica.text == "seq 9 | bids 2×9 1×7 | asks")
        #expect(try replica.declare(.syncing, .sequenceGap, at: 7) == .ignored)
        #expect(replica.state == .live)
    }

    @Test("needs the snapshot that must come before a delta of an emptied book")
    func missedSnapshot() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.declare(.syncing, .sequenceGap, at: 6) == .applied)
        #expect(try replica.follow("seq 7 | bids 1×7") == .needsSnapshot)
        #expect(replica.reason == .busGap)
        #expect(replica.detail == "snapshot before 7 is missing")
        #expect(try replica.take("seq 6 | bids 2×6") == .applied)
        #expect(replica.text == "seq 7 | bids 2×6 1×7 | asks")
    }

    @Test("turns to a producer that started again, and never back")
    func restart() throws {
        var replica = try BookReplica.live("seq 100 | bids 1×1")
        #expect(try replica.follow("seq 2 | bids 1×2", epoch: 2) == .needsSnapshot)
        #expect(replica.state == .syncing)
        #expect(replica.text == "seq 0 | bids | asks")
        #expect(try replica.follow("seq 101 | bids 1×9") == .ignored)
        #expect(try replica.take("seq 200 | bids 1×9") == .ignored)
        #expect(try replica.declare(.syncing, .connecting, at: 300) == .ignored)
        #expect(replica.lose(through: .feed(300), detail: "heartbeat") == .ignored)
        #expect(replica.apply(try BookText("seq 1 | bids 5×1").snapshot(epoch: 2)) == .applied)
        #expect(replica.text == "seq 2 | bids 5×1 1×2 | asks")
        #expect(replica.state == .live)
    }

    @Test("takes a new producer's first message as the start, not as a loss")
    func restartWithSyncing() throws {
        var replica = try BookReplica.live("seq 100 | bids 1×1")
        #expect(try replica.declare(.syncing, .connecting, at: 1, epoch: 2) == .applied)
        #expect(replica.reason == .connecting)
        #expect(replica.text == "seq 1 | bids | asks")
        #expect(replica.apply(try BookText("seq 1 | bids 5×1").snapshot(epoch: 2)) == .applied)
        #expect(replica.gaps == 0)
        #expect(replica.state == .live)
    }

    @Test("follows one of two producers with the same epoch")
    func sameEpoch() throws {
        var replica = try BookReplica.live("seq 5 | bids 1×1")
        #expect(try replica.follow("seq 6 | bids 9×9", producer: "earlier") == .ignored)
        #expect(replica.state == .live)
        #expect(try replica.follow("seq 6 | bids 2×2", producer: "later") == .needsSnapshot)
        #expect(try replica.follow("seq 7 | bids 9×9") == .ignored)
        #expect(replica.apply(try BookText("seq 5 | bids 1×5").snapshot(producer: "later")) == .applied)
        #expect(replica.text == "seq 6 | bids 2×2 1×5 | asks")
    }

    @Test("holds at most its limit of waiting messages, and asks again when it forgets them")
    func bounded() throws {
        var replica = BookReplica(bufferLimit: 3)
        #expect(try replica.follow("seq 11 | bids 11×1") == .needsSnapshot)
        #expect(try replica.follow("seq 12 | bids 12×1") == .buffered)
        #expect(try replica.follow("seq 13 | bids 13×1") == .buffered)
        #expect(replica.waitingCount == 3)
        #expect(try replica.follow("seq 14 | bids 14×1") == .needsSnapshot)
        #expect(replica.waitingCount == 1)
        #expect(replica.bufferOverflows == 1)
        #expect(try replica.take("seq 10 | bids 10×1") == .buffered)
        #expect(replica.state == .syncing)
        // What follows the snapshot directly needs no room: an answer may be longer than the limit.
        for sequence in 11...12 {
            #expect(try replica.follow("seq \(sequence) | bids 1×\(sequence)") == .buffered)
        }
        #expect(try replica.follow("seq 13 | bids 1×13") == .applied)
        #expect(replica.text == "seq 14 | bids 14×1 10×1 1×13 | asks")
        #expect(replica.state == .live)
    }
}

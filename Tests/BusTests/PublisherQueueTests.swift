import Testing
import Threads

@testable import Bus

@Suite("Publisher's queue", .timeLimit(.minutes(10)))
struct PublisherQueueTests {
    private let topic = PublisherTopic(text: "t.", index: 0, of: PublisherLife("p", epoch: 1) { true })

    private func queue(batches: Int, bytes: Int = 1 << 20) throws -> PublisherQueue {
        PublisherQueue(maximumBatches: batches, maximumBytes: bytes, wakeup: try Wakeup())
    }

    private func batch(_ payload: [UInt8] = [1]) -> OutboundBatch {
        var batch = OutboundBatch()
        batch.append(payload, to: topic)
        return batch
    }

    @Test("refuses a batch beyond its bound, marks the topic and remembers the number for the heartbeat")
    func refuses() throws {
        let queue = try queue(batches: 1)
        var first = batch()
        #expect(queue.offer(&first) && first.isEmpty)
        var second = batch()
        #expect(!queue.offer(&second) && second.isEmpty)
        #expect(topic.takeLoss() && !topic.takeLoss())
        let drained = try #require(queue.takeAll(orSleep: true))
        #expect(drained.batches.count == 1)
        #expect(drained.refusedThrough == [topic: 2])
        #expect(queue.figures == (1, 1, 1))
        var third = batch()
        #expect(queue.offer(&third))
    }

    @Test("refuses by bytes, but takes a large batch alone")
    func bytes() throws {
        let queue = try queue(batches: 10, bytes: 100)
        var large = batch([UInt8](repeating: 0, count: 1_000))
        #expect(queue.offer(&large))
        var small = batch()
        #expect(!queue.offer(&small))
    }

    @Test("lets a publisher that waits go on when there is room, and ends the wait when it is closed")
    func waits() async throws {
        let queue = try queue(batches: 1)
        var first = batch()
        #expect(queue.offer(&first))
        async let second = queue.waitToOffer(batch())
        while queue.takeAll(orSleep: false) == nil { await Task.yield() }
        #expect(await second)
        async let third = queue.waitToOffer(batch())
        queue.close()
        _ = await third
        #expect(await !queue.waitToOffer(batch()))
    }

    @Test("hands over what waits after it is closed, then says that it is")
    func closed() throws {
        let queue = try queue(batches: 4)
        var first = batch()
        #expect(queue.offer(&first))
        queue.close()
        let drained = try #require(queue.takeAll(orSleep: true))
        #expect(drained.batches.count == 1 && drained.isClosed)
        let end = try #require(queue.takeAll(orSleep: true))
        #expect(end.batches.isEmpty && end.isClosed)
    }

    @Test("uses the memory of sent batches again")
    func recycles() throws {
        let queue = try queue(batches: 4)
        var first = batch([UInt8](repeating: 0, count: 10_000))
        #expect(queue.offer(&first))
        let drained = try #require(queue.takeAll(orSleep: true))
        for batch in drained.batches { queue.recycle(batch) }
        var second = batch()
        #expect(queue.offer(&second))
        #expect(second.isEmpty && second.bytes.capacity >= 10_000)
    }
}

import Bus
import Instruments
import MarketData
import Support
import Testing

@testable import BookBuilding

@Suite("What the bus had no room for", .timeLimit(.minutes(10)))
struct RefusedBatchTests {
    private let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    @Test("is told again within a second, also of a book that stands still")
    func refused() async throws {
        try await BuilderFixture.run { fixture in
            let speaker = try fixture.publisher("feed-ingestor")
            let feed = try TestFeed(id, speaker)
            var narrow = PublisherConfiguration(producer: "book-builder", addresses: fixture.addresses)
            narrow.maximumWaitingBatches = 1
            let publisher = try Publisher(
                context: fixture.context, configuration: narrow, logger: TestDatabase.logger)
            let subscriber = try Subscriber(
                context: fixture.context,
                configuration: SubscriberConfiguration(
                    name: "builder", addresses: fixture.addresses,
                    prefixes: ["book.delta.", "book.snapshot."]),
                logger: TestDatabase.logger)
            var core = BuilderCore(
                configuration: BookBuildingConfiguration(), publisher: publisher, archive: nil, candles: nil,
                reads: nil, mends: nil, requestState: { _ in })
            try await fixture.reading(["book.top."]) { tops in
                try await running([speaker, subscriber]) {
                    try await speaker.waitForBroker()
                    var batches = subscriber.batches.makeAsyncIterator()
                    func read(until size: Int64) async throws {
                        while core.set.find(id).flatMap({ core.set[$0].replica.book.bestBid?.size })
                            != Quantity(size)
                        {
                            guard let batch = await batches.next() else {
                                throw PropertyFailure("the subscriber ended")
                            }
                            core.take(batch, at: .zero)
                        }
                    }
                    while !core.isSynchronized {
                        guard let batch = await batches.next() else {
                            throw PropertyFailure("the subscriber ended")
                        }
                        core.take(batch, at: .zero)
                    }
                    try feed.image("bids 100×2 | asks 101×1")
                    try await read(until: 2)
                    try feed.change("bids 100×7")
                    try await read(until: 7)
                    #expect(core.refused > 0)
                    try await running([publisher]) {
                        try await publisher.waitForBroker()
                        // Ten ticks are a second; what is refused in one is told again in the next.
                        var before: UInt64
                        repeat {
                            try Task.checkCancellation()
                            await Task.yield()
                            before = core.refused
                            for _ in 0..<10 { core.tick(at: .zero) }
                        } while core.refused > before
                        try await tops.top("live 100×7 101×1")
                    }
                }
            }
        }
    }
}

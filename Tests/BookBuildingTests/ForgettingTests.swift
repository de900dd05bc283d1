import Bus
import Instruments
import MarketData
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("What a book-builder forgets")
struct ForgettingTests {
    private static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let ether = InstrumentID(venue: .kraken, symbol: "ETH/USD")
    private static let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    @Test("a topic's number that means another one is read as the other's")
    func numbers() async throws {
        try await BuilderFixture.run { fixture in
            var core = BuilderCore(
                configuration: BookBuildingConfiguration(), publisher: try fixture.publisher("book-builder"),
                archive: nil, candles: nil, reads: nil, mends: nil, requestState: { _ in })
            var feed = LoadBatches(producer: "feed", epoch: 1)
            core.take(feed.begin(), at: Self.now)
            feed.append(.bookDelta(Self.bitcoin, Self.delta), to: Topic.bookDelta(Self.bitcoin), at: Self.now)
            core.take(feed.finish(), at: Self.now)
            core.take(feed.forget(Topic.bookDelta(Self.bitcoin)), at: Self.now)
            feed.append(.bookDelta(Self.ether, Self.delta), to: Topic.bookDelta(Self.ether), at: Self.now)
            core.take(feed.finish(), at: Self.now)
            #expect(core.malformed == 0 && core.kinds.count == 1)
            #expect(core.set.find(Self.ether) != nil && core.set.find(Self.bitcoin) != nil)
        }
    }

    @Test("ten thousand producers that came and went leave a handful of places")
    func producers() {
        var presence = ProducerPresence()
        let kept = presence.index(of: "feed", at: Self.now)
        presence.silent(kept)
        for number in 0..<10_000 {
            let place = presence.index(of: "notifier-\(number)", at: Self.now)
            presence.heard(place, epoch: 1)
            presence.forget(["feed", "notifier-\(number)"], except: [kept])
        }
        #expect(presence.count == 2)
        // A book that follows one who is gone is doubted for as long as it does.
        #expect(presence.doubt(kept, epoch: 0, at: Self.now) == "nothing comes from feed")
        #expect(presence.index(of: "feed", at: Self.now) == kept)
    }

    private static let delta = BookDelta(
        priceScale: .zero, sizeScale: .zero,
        changes: [BookLevelChange(side: .bid, price: Price(1), size: Quantity(1))], venueTime: nil,
        receivedTime: now)
}

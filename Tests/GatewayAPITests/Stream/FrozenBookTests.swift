import Instruments
import MarketData
import Testing
import Wire

@testable import GatewayStream

@Suite("A followed book that heartbeats contradict")
struct FrozenBookTests {
    private let id = GatewayBus.bitcoin

    /// A replica that follows the book and has its snapshot, which continues number 5.
    private func live() throws -> MarketReplica {
        var market = MarketReplica()
        market.condition.synchronize()
        _ = market.want(.book(id), isHeld: false, at: GatewayBus.time, uptime: .zero)
        let snapshot = BookSnapshot(
            state: .live, reason: .verified, priceScale: .zero, sizeScale: .zero,
            bids: [BookLevel(price: Price(rawValue: 100), size: Quantity(rawValue: 3))], asks: [],
            continues: position(5), venueTime: nil, receivedTime: GatewayBus.time)
        market.take(.bookSnapshot(id, snapshot), at: position(1), heard: GatewayBus.time)
        try #require(market.books[id]?.replica.state == .live)
        return market
    }

    private func position(_ sequence: UInt64, epoch: UInt64 = 1) -> StreamPosition {
        StreamPosition(producer: "feed", epoch: epoch, sequence: sequence)
    }

    private func beat(_ last: UInt64, _ market: inout MarketReplica, epoch: UInt64 = 1) {
        var heartbeat = Bitpal_V1_Heartbeat()
        (heartbeat.topics, heartbeat.sequences) = (["trade.x.y.", Topic.bookDelta(id)], [900, last])
        market.take(.heartbeat(heartbeat), at: position(1, epoch: epoch), heard: GatewayBus.time)
    }

    @Test("is not live while changes exist that have not come, and asks for them")
    func frozen() throws {
        var market = try live()
        beat(5, &market)
        #expect(market.books[id]?.replica.state == .live && market.takeQuestions().isEmpty)
        beat(9, &market)
        #expect(market.books[id]?.replica.state == .syncing)
        #expect(market.books[id]?.replica.reason == .busGap)
        #expect(market.books[id]?.connection == .connecting)
        #expect(market.takeQuestions().contains(Topic.bookDelta(id)))
    }

    @Test("is live again once its producer tells no more of what was told falsely")
    func healed() throws {
        var market = try live()
        beat(1_000_005, &market)
        #expect(market.books[id]?.replica.state == .syncing)
        beat(5, &market)
        #expect(market.books[id]?.replica.state == .live)
        #expect(market.books[id]?.replica.book.bidCount == 1)
    }
}

import Instruments
import MarketData
import Support
import Testing
import Venues
import Wire

@testable import Bus
@testable import FeedIngestion

@Suite("Feed composer")
struct FeedComposerTests {
    @Test("says a whole book after the message that emptied the old one, at that message's number")
    func wholeBook() throws {
        var script = try FeedScript(["A"])
        script.state(.syncing, .snapshotPending)
        try script.whole("bids 100.5×2 | asks 101.0×1")
        try script.delta("bids 100.0×3")
        #expect(
            script.said() == [
                "A state 1: syncing snapshot-pending", "A live seq 1 | bids 100.5×2 | asks 101.0×1",
                "A delta 2: 100.0×3",
            ])
    }

    @Test("empties the book by itself where the session did not say so")
    func replacement() throws {
        var script = try FeedScript(["A"])
        try script.whole("bids 1×1")
        try script.delta("bids 2×1")
        try script.whole("bids 3×1")
        #expect(
            script.said() == [
                "A state 1: syncing snapshot-replaced", "A live seq 1 | bids 1×1 | asks", "A delta 2: 2×1",
                "A state 3: syncing snapshot-replaced", "A live seq 3 | bids 3×1 | asks",
            ])
    }

    @Test("says two whole books in a row with a message between them, so that none is taken for the other")
    func twice() throws {
        var script = try FeedScript(["A"])
        script.state(.syncing, .sequenceGap)
        try script.whole("bids 1×1")
        try script.whole("bids 2×1")
        #expect(
            script.said() == [
                "A state 1: syncing sequence-gap", "A live seq 1 | bids 1×1 | asks",
                "A state 2: syncing snapshot-replaced", "A live seq 2 | bids 2×1 | asks",
            ])
    }

    @Test("calls a crossed whole book suspect")
    func crossed() throws {
        var script = try FeedScript(["A"])
        script.state(.syncing, .connecting)
        try script.whole("bids 101×1 | asks 100×1")
        #expect(script.said().last == "A suspect seq 1 | bids 101×1 | asks 100×1")
    }

    @Test("says states of derivatives and liquidations, and the last states again to a new broker")
    func derivatives() throws {
        var script = try FeedScript(["A", "B"])
        let price = DecimalNumber(units: 5, scale: .zero)
        for (symbol, rate) in [(0, 1), (1, 2), (0, 3)] {
            var ticker = DerivativeTicker(receivedTime: .zero)
            ticker.fundingRate = DecimalNumber(units: Int64(rate), scale: .zero)
            script.output.events.append(.derivative(script.index(symbol), ticker))
        }
        script.output.events.append(
            .liquidation(
                script.index(1),
                Liquidation(side: .sell, price: price, size: price, venueTime: nil, receivedTime: .zero)))
        #expect(
            script.said() == [
                "derivative.bitmex.A.", "derivative.bitmex.B.", "derivative.bitmex.A.",
                "liquidation.bitmex.B.",
            ])
        script.composer.wantEverything()
        script.composer.payDebts(into: &script.batch) { _ in nil }
        let rates = script.messages().compactMap { message -> String? in
            guard case .derivative(let id, let ticker) = message.event else { return nil }
            return "\(id.symbol) \(ticker.fundingRate?.description ?? "-")"
        }
        #expect(rates == ["A 3", "B 2"])
    }

    @Test("numbers each instrument by itself")
    func twoInstruments() throws {
        var script = try FeedScript(["A", "B"])
        try script.whole("bids 1×1", of: 1)
        try script.whole("bids 2×1", of: 0)
        #expect(
            script.said() == [
                "B state 1: syncing snapshot-replaced", "B live seq 1 | bids 1×1 | asks",
                "A state 1: syncing snapshot-replaced", "A live seq 1 | bids 2×1 | asks",
            ])
    }

    @Test("hands trades out to be stored as it publishes them")
    func trades() throws {
        var script = try FeedScript(["A"])
        script.trade("t1")
        #expect(script.said() == ["A trade t1"])
        #expect(script.trades.map(\.queued.trade.id) == ["t1"])
        #expect(script.composer.counts.trades == 1)
    }

    @Test("repeats the present book at the present number when the broker wants it")
    func wanted() throws {
        var script = try FeedScript(["A"])
        try script.whole("bids 1×1")
        try script.delta("bids 2×1")
        _ = script.said()
        let now = try BookText("bids 2×1 1×1").book
        let isOurs = script.composer.wantSnapshot(topic: "book.snapshot.bitmex.A.")
        let isAnothers = script.composer.wantSnapshot(topic: "book.snapshot.bitmex.B.")
        #expect(isOurs && !isAnothers)
        script.composer.payDebts(into: &script.batch) { _ in now }
        #expect(script.taken() == ["A live seq 2 | bids 2×1 1×1 | asks"])
        script.composer.payDebts(into: &script.batch) { _ in now }
        #expect(script.taken() == [])
    }

    @Test("repeats an empty book while there is none, and nothing of a book that it never spoke of")
    func wantedWhileSyncing() throws {
        var script = try FeedScript(["A", "B"])
        script.state(.syncing, .sequenceGap)
        _ = script.said()
        script.composer.wantEverything()
        let leftOver = try BookText("bids 2×1").book
        script.composer.payDebts(into: &script.batch) { _ in leftOver }
        #expect(script.taken() == ["A syncing seq 1 | bids | asks"])
    }

    @Test("repeats a stale book as stale")
    func wantedWhileStale() throws {
        var script = try FeedScript(["A"])
        try script.whole("bids 1×1")
        script.state(.stale, .disconnected)
        _ = script.said()
        script.composer.wantEverything()
        let book = try BookText("bids 1×1").book
        script.composer.payDebts(into: &script.batch) { _ in book }
        #expect(script.taken() == ["A stale seq 2 | bids 1×1 | asks"])
    }

    @Test("says a snapshot unasked after many deltas")
    func manyDeltas() throws {
        var script = try FeedScript(["A"], snapshotEvery: 3)
        try script.whole("bids 1×1")
        try script.delta("bids 1×2")
        try script.delta("bids 1×3")
        _ = script.said()
        let book = try BookText("bids 1×4").book
        script.composer.payDebts(into: &script.batch) { _ in book }
        #expect(script.taken() == [])
        try script.delta("bids 1×4")
        _ = script.said()
        script.composer.payDebts(into: &script.batch) { _ in book }
        #expect(script.taken() == ["A live seq 4 | bids 1×4 | asks"])
    }

    @Test("says a snapshot after messages were refused")
    func refused() throws {
        var script = try FeedScript(["A"])
        try script.whole("bids 1×1")
        _ = script.said()
        script.composer.noticeLosses()
        let book = try BookText("bids 1×1").book
        script.composer.payDebts(into: &script.batch) { _ in book }
        #expect(script.taken() == [])
        try script.delta("bids 1×2")
        let batch = script.messages()
        script.composer.compose(script.output, script.registry, into: &script.batch, trades: &script.trades)
        script.output.removeAll()
        let delta = try #require(script.batch.messages.first?.topic)
        #expect(batch.isEmpty)
        script.batch.removeAll()
        delta.markLoss()
        script.composer.noticeLosses()
        script.composer.payDebts(into: &script.batch) { _ in book }
        #expect(script.taken() == ["A live seq 2 | bids 1×1 | asks"])
    }

    @Test("publishes nothing of a symbol that no topic can carry, and counts it")
    func endlessSymbol() throws {
        var script = try FeedScript([String(repeating: "x", count: 300), "A"])
        try script.whole("bids 1×1", of: 0)
        script.trade("t1", of: 0)
        script.trade("t2", of: 1)
        #expect(script.said() == ["A trade t2"])
        #expect(script.composer.counts.unpublishable == 1)
    }
}

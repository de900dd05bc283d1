import Bus
import Foundation
import Instruments
import MarketData
import Support
import Testing
import Wire

@testable import GatewayStream

@Suite("Market view", .timeLimit(.minutes(10)))
struct MarketViewTests {
    private static let bitcoin = GatewayBus.bitcoin
    private static let ether = InstrumentID(venue: Venue(rawValue: "bitmex"), symbol: "ETHUSD")

    static func trade(_ id: String, _ price: Int64, second: Int64 = 0) -> Trade {
        Trade(
            id: id, side: .buy, price: Price(rawValue: price), size: Quantity(rawValue: 2), priceScale: .zero,
            sizeScale: .zero, venueTime: GatewayBus.time.adding(nanoseconds: second * 1_000_000_000),
            receivedTime: GatewayBus.time)
    }

    @Test("tells of changes without end: no call is deeper than the one before")
    func depth() async throws {
        try await GatewayBus.run { bus async throws in
            let (depths, told) = AsyncStream.makeStream(of: Int.self)
            bus.view.observe { _, _ in told.yield(Thread.callStackReturnAddresses.count) }
            var index = Bitpal_V1_IndexPrice()
            index.pair = "BTC-USD"
            var seen: [Int] = []
            try bus.say(.indexPrice(index), on: Topic.index(base: "BTC", quote: "USD"))
            for await depth in depths {
                seen.append(depth)
                if seen.count == 60 { break }
                index.computedTimeUnixNanos += 1
                try bus.say(.indexPrice(index), on: Topic.index(base: "BTC", quote: "USD"))
            }
            #expect(try #require(seen.max()) < #require(seen.min()) + 20, "\(seen)")
        }
    }

    @Test("a message counts under its own topic alone, by which rights on the bus are given")
    func topics() async throws {
        try await GatewayBus.run { bus async throws in
            var index = Bitpal_V1_IndexPrice()
            (index.pair, index.price) = ("BTC-USD", "1")
            try bus.say(.indexPrice(index), on: Topic.index(base: "ETH", quote: "USD"))
            index.price = "100.25"
            try bus.say(.indexPrice(index), on: Topic.feedStatus(Self.bitcoin.venue))
            index.pair = "ETH-USD"
            try bus.say(.indexPrice(index), on: Topic.index(base: "ETH", quote: "USD"))
            await bus.until { bus.view.index("ETH-USD") != nil }
            #expect(bus.view.index("BTC-USD") == nil)
        }
    }

    @Test("knows tickers, depths, index prices and feeds as soon as they are said")
    func known() async throws {
        try await GatewayBus.run { bus async throws in
            let view = bus.view
            var day = Bitpal_V1_DayTicker()
            (day.priceScale, day.lastPrice, day.openPrice) = (1, 1_005, 1_000)
            (day.baseVolume, day.changePercent) = ("12.5", "0.5")
            try bus.say(.dayTicker(Self.bitcoin, day), on: Topic.dayTicker(Self.bitcoin))
            let top = BookTop(
                state: .live, reason: .verified, priceScale: .zero, sizeScale: .zero,
                bid: BookLevel(price: Price(rawValue: 100), size: Quantity(rawValue: 3)), ask: nil, at: nil,
                venueTime: nil, receivedTime: GatewayBus.time)
            try bus.say(.bookTop(Self.bitcoin, top), on: Topic.bookTop(Self.bitcoin))
            var depth = Bitpal_V1_BookDepth()
            (depth.state, depth.reason) = (.live, .verified)
            (depth.bidPrices, depth.bidSizes, depth.bidCount) = ([100, 99], [3, 4], 7)
            try bus.say(.bookDepth(Self.bitcoin, depth), on: Topic.bookDepth(Self.bitcoin))
            var index = Bitpal_V1_IndexPrice()
            (index.pair, index.price) = ("BTC-USD", "100.25")
            try bus.say(.indexPrice(index), on: Topic.index(base: "BTC", quote: "USD"))
            var state = DerivativeTicker(receivedTime: GatewayBus.time)
            state.fundingRate = try DecimalNumber(parsing: "0.0001")
            state.openInterest = DecimalNumber(units: 616, scale: .zero)
            state.openInterestUnit = .contracts
            try bus.say(.derivative(Self.bitcoin, state), on: Topic.derivative(Self.bitcoin))
            var feed = Bitpal_V1_FeedStatus()
            (feed.venue, feed.state, feed.booksLive) = ("bitmex", .live, 1)
            try bus.say(.feedStatus(feed), on: Topic.feedStatus(Self.bitcoin.venue))
            await bus.until {
                view.feed("bitmex") != nil && view.ticker(Self.bitcoin)?.top != nil
                    && view.ticker(Self.bitcoin)?.derivative != nil
            }

            let body = TickerBody(try #require(view.ticker(Self.bitcoin)), view.condition)
            #expect(body.last == "100.5" && body.bid == "100" && body.ask == nil && body.open == "100")
            #expect(body.volume == "12.5" && body.changePercent == "0.5" && body.bookState == "live")
            #expect(body.stale == nil)
            #expect(body.fundingRate == "0.0001" && body.markPrice == nil && body.nextFundingTime == nil)
            #expect(body.openInterest == "616" && body.openInterestUnit == "contracts")
            var doubted = view.condition
            doubted.lose("feed")
            let old = TickerBody(try #require(view.ticker(Self.bitcoin)), doubted)
            #expect(old.stale == "nothing is heard of feed" && old.bid == "100")
            #expect(old.bookState == "stale" && old.bookReason == "bus-silent")
            #expect(old.fundingRate == nil && old.openInterest == nil && old.derivativeTime == nil)
            let levels = DepthBody(try #require(view.depth(Self.bitcoin)).value)
            #expect(levels.bids == [["100", "3"], ["99", "4"]] && levels.state == "live")
            let price = IndexBody(try #require(view.index("BTC-USD")), view.condition)
            #expect(price.price == "100.25" && price.unavailable == nil)
            #expect(view.bookStates() == [Self.bitcoin.venue: [.live: 1]])
            #expect(view.ticker(Self.ether) == nil && view.tickers([Self.ether, Self.bitcoin])[0] == nil)
        }
    }

    @Test("fetches a whole book when it is asked for, keeps it live, and says which nobody speaks of")
    func books() async throws {
        try await GatewayBus.run { bus async throws in
            let delta = Topic.bookDelta(Self.bitcoin)
            let epoch = bus.publisher.epoch
            // The message that the snapshot continues, so that the broker knows the stream.
            let change = BookStateChange(
                state: .syncing, reason: .snapshotPending, receivedTime: GatewayBus.time)
            try bus.say(.bookStateChange(Self.bitcoin, change), on: delta)
            let whole = try BookText("seq 1 | bids 100×2 99×5 | asks 101×1").snapshot(epoch: epoch)
            try bus.say(.bookSnapshot(Self.bitcoin, whole), on: Topic.bookSnapshot(Self.bitcoin))
            var answer = await bus.view.book(Self.bitcoin)
            // What was published a moment ago may reach the broker after the question.
            while case .unknown = answer { answer = await bus.view.book(Self.bitcoin) }
            await bus.until { bus.view.bookNow(Self.bitcoin)?.replica.state == .live }
            let book = try #require(bus.view.bookNow(Self.bitcoin))
            #expect(book.replica.book.bestBid?.price.rawValue == 100 && book.connection == .live)
            #expect(BookBody(book, of: Self.bitcoin, bids: [], asks: []).sequence == 1)
            try bus.say(.bookDelta(Self.bitcoin, try BookText("bids 100×0").delta()), on: delta)
            var bid: Int64? = 100
            while bid == 100 {
                guard case .book(let book) = await bus.view.book(Self.bitcoin) else { break }
                bid = book.replica.book.bestBid?.price.rawValue
                await Task.yield()
            }
            #expect(bid == 99)
            guard case .unknown = await bus.view.book(Self.ether) else {
                Issue.record("a book that nobody speaks of was found")
                return
            }
        }
    }

    @Test("waits for a portfolio's value that knows its last change, while somebody values portfolios")
    func valuations() async throws {
        // Time stands still: only what comes ends the waiting.
        try await GatewayBus.run(clock: { GatewayBus.time }) { bus async throws in
            let view = bus.view
            func say(_ change: Int64) throws {
                var valuation = Bitpal_V1_PortfolioValuation()
                (valuation.portfolio, valuation.change) = ("p", change)
                try bus.say(.portfolioValuation(valuation), on: Topic.portfolioValuation("p"))
            }
            #expect(await view.valuation("p", since: 1) == nil, "nobody values")
            var status = Bitpal_V1_ServiceStatus()
            (status.service, status.instance) = ("portfolio-service", "1")
            let topic = Topic.serviceStatus(service: status.service, instance: status.instance)
            try bus.say(.serviceStatus(status), on: topic)
            await bus.until { !view.services().isEmpty }
            try await bus.say(until: { view.valuation("p") != nil }) { try say(1) }
            async let waited = view.valuation("p", since: 3)
            try say(2)
            await bus.until { view.valuation("p")?.value.change == 2 }
            try say(3)
            #expect(await waited?.change == 3)
        }
    }

    @Test("keeps the trades of what was asked for, in order and once")
    func trades() async throws {
        try await GatewayBus.run { bus async throws in
            #expect(bus.view.hold(.trades(Self.bitcoin)))
            #expect(try await bus.view.trades(Self.bitcoin).isEmpty)
            var number = 0
            try await bus.say(until: { bus.view.tradeRing(Self.bitcoin)?.trades.isEmpty == false }) {
                number += 1
                try bus.say(
                    .trade(Self.bitcoin, Self.trade("\(number)", 100)), on: Topic.trade(Self.bitcoin))
            }
            for id in ["a", "b", "a"] {
                try bus.say(.trade(Self.bitcoin, Self.trade(id, 101)), on: Topic.trade(Self.bitcoin))
            }
            await bus.until { bus.view.tradeRing(Self.bitcoin)?.trades.last?.id == "b" }
            try bus.say(.trade(Self.bitcoin, Self.trade("c", 102)), on: Topic.trade(Self.bitcoin))
            await bus.until { bus.view.tradeRing(Self.bitcoin)?.trades.last?.id == "c" }
            let ring = try #require(bus.view.tradeRing(Self.bitcoin))
            #expect(ring.trades.suffix(3).map(\.id) == ["a", "b", "c"])
            #expect(ring.trades(after: ring.number - 1).map(\.id) == ["c"])
        }
    }
}

@Suite("What is followed on demand")
struct OnDemandTopicsTests {
    private static func book(_ number: Int) -> OnDemandTopic {
        .book(InstrumentID(venue: Venue(rawValue: "v"), symbol: "S\(number)"))
    }

    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: seconds * 1_000_000_000)
    }

    @Test("ends what nobody wanted for five minutes, and never what somebody holds")
    func patience() {
        var things = OnDemandTopics()
        #expect(things.want(Self.book(1), isHeld: false, at: Self.time(0)) == .begun(ended: []))
        #expect(things.want(Self.book(2), isHeld: true, at: Self.time(0)) == .begun(ended: []))
        #expect(things.want(Self.book(1), isHeld: false, at: Self.time(10)) == .followed)
        #expect(things.expire(at: Self.time(310)) == [])
        #expect(things.expire(at: Self.time(311)) == [Self.book(1)])
        things.release(Self.book(2), at: Self.time(400))
        #expect(things.expire(at: Self.time(700)) == [])
        #expect(things.expire(at: Self.time(701)) == [Self.book(2)])
        #expect(things.count == 0)
    }

    @Test("makes room past the bound with what was wanted longest ago, and refuses when all is held")
    func bound() {
        var things = OnDemandTopics()
        for number in 0..<64 {
            _ = things.want(Self.book(number), isHeld: number > 0, at: Self.time(Int64(number)))
        }
        #expect(things.want(Self.book(64), isHeld: true, at: Self.time(64)) == .begun(ended: [Self.book(0)]))
        #expect(things.want(Self.book(65), isHeld: false, at: Self.time(65)) == .refused)
        #expect(things.count == 64)
        // Other kinds have a bound of their own.
        #expect(things.want(.valuation("p"), isHeld: false, at: Self.time(65)) == .begun(ended: []))
    }
}

@Suite("Newest trades")
struct TradeRingTests {
    @Test("puts stored trades before live ones, once, in the venue's order, and keeps a hundred")
    func fill() {
        var ring = TradeRing()
        ring.append(MarketViewTests.trade("live", 1, second: 500))
        ring.append(MarketViewTests.trade("live", 1, second: 500))
        #expect(ring.number == 1)
        let stored = (0..<200).map { MarketViewTests.trade("\(200 - $0)", 1, second: Int64(200 - $0)) }
        ring.fill([MarketViewTests.trade("live", 1, second: 500)] + stored)
        #expect(ring.trades.count == 100 && ring.trades.last?.id == "live")
        #expect(ring.trades.first?.id == "102" && ring.trades.dropLast().last?.id == "200")
        #expect(ring.trades(after: 0).map(\.id) == ["live"] && ring.trades(after: 1).isEmpty)
        #expect(ring.renewals == 1)
        ring.fill([MarketViewTests.trade("live", 1, second: 500)] + stored)
        #expect(ring.renewals == 1, "nothing new was stored")
    }

    @Test("puts what comes late where it belongs, and tells it as it came")
    func late() {
        var ring = TradeRing()
        for (id, second) in [("a", 1), ("c", 3), ("b", 2), ("d", 3)] {
            ring.append(MarketViewTests.trade(id, 1, second: Int64(second)))
        }
        #expect(ring.trades.map(\.id) == ["a", "b", "c", "d"])
        #expect(ring.trades(after: 1).map(\.id) == ["c", "b", "d"])
        // Of one instant what is stored was first.
        let stored = [("x", 3), ("c", 3), ("b", 2), ("a", 1)]
        ring.fill(stored.map { MarketViewTests.trade($0.0, 1, second: Int64($0.1)) })
        #expect(ring.trades.map(\.id) == ["a", "b", "c", "x", "d"] && ring.renewals == 1)
        // What was read ends within an instant: what is kept of it is older.
        ring.fill(["d", "x"].map { MarketViewTests.trade($0, 1, second: 3) })
        #expect(ring.trades.map(\.id) == ["a", "b", "c", "x", "d"] && ring.renewals == 1)
    }
}

import Instruments
import MarketData
import MarketStore
import Testing
import Wire

@testable import GatewayAPI
@testable import GatewayStream

/// What is told of a market that a venue tells of among all of its markets.
@Suite("Tickers of all markets at the gateway")
struct MarketTickerBodyTests {
    private static let venue = Venue(rawValue: "okx")
    private static let id = InstrumentID(venue: venue, symbol: "BTC-USDT")
    private static let position = StreamPosition(producer: "feed", epoch: 1, sequence: 1)
    private static let time = Timestamp(nanoseconds: 1_000_000_000)

    private static func part(stale: String = "") throws -> MarketTickerPart {
        var ticker = MarketTicker(symbol: id.symbol, last: try DecimalNumber(parsing: "61000.5"))
        ticker.bid = try DecimalNumber(parsing: "61000.4")
        ticker.open = try DecimalNumber(parsing: "60000")
        ticker.high = try DecimalNumber(parsing: "62000")
        ticker.baseVolume = try Amount(parsing: "12.5")
        ticker.quoteVolume = try Amount(parsing: "760000")
        var part = MarketTickerPart(
            venue: venue, number: 0, count: 1, receivedTime: time, tickers: [ticker])
        part.stale = stale
        return part
    }

    private static func replica(_ events: WireEvent...) -> MarketReplica {
        var replica = MarketReplica()
        for event in events { replica.take(event, at: position, heard: time) }
        return replica
    }

    private static func day(_ change: (inout Bitpal_V1_DayTicker) -> Void = { _ in }) -> WireEvent {
        var day = Bitpal_V1_DayTicker()
        (day.lastPrice, day.openPrice, day.highPrice, day.lowPrice) = (61_100, 61_050, 61_110, 61_040)
        (day.baseVolume, day.changePercent, day.change) = ("0.25", "0.0819", "50")
        (day.tradeCount, day.source, day.isIncomplete) = (3, "trades", true)
        change(&day)
        return .dayTicker(id, day)
    }

    private static func body(_ replica: MarketReplica, _ condition: BusConnectionState = .init()) throws
        -> TickerBody
    {
        TickerBody(try #require(replica.ticker(id)), condition)
    }

    @Test("prices a market that nobody follows, and marks it")
    func unfollowed() throws {
        let body = try Self.body(Self.replica(.marketTickers(try Self.part())))
        #expect(body.origin == "ticker" && body.source == "ticker" && body.stale == nil)
        #expect(body.last == "61000.5" && body.bid == "61000.4" && body.ask == nil)
        #expect(body.open == "60000" && body.high == "62000" && body.low == nil && body.volume == "12.5")
        #expect(body.change == "1000.5" && body.changePercent == "1.6675")
        #expect(body.dayChangePercent == "1.6675")
        #expect(body.incomplete == false && body.bookState == nil && body.trades == nil)
        #expect(body.receivedTime == Self.time.iso8601)
    }

    @Test("our own tape has the word of the price, and the venue that of the day until ours covers one")
    func newlyFollowed() throws {
        let young = try Self.body(Self.replica(.marketTickers(try Self.part()), Self.day()))
        #expect(young.last == "61100" && young.origin == "proven")
        #expect(young.source == "ticker" && young.incomplete == false && young.trades == nil)
        #expect(young.open == "60000" && young.change == "1100" && young.changePercent == "1.8333")
        let grown = try Self.body(
            Self.replica(.marketTickers(try Self.part()), Self.day { $0.isIncomplete = false }))
        #expect(grown.source == "trades" && grown.open == "61050" && grown.trades == 3)
        #expect(grown.volume == "0.25" && grown.changePercent == "0.0819")
        let alone = try Self.body(Self.replica(Self.day()))
        #expect(alone.incomplete == true && alone.source == "trades" && alone.origin == "proven")
    }

    @Test("what is not of now is told as such alone, and completes nothing that is")
    func stale() throws {
        let part = try Self.part(stale: "okx is silent")
        let alone = try Self.body(Self.replica(.marketTickers(part)))
        #expect(alone.stale == "okx is silent" && alone.last == "61000.5" && alone.origin == "ticker")
        let followed = try Self.body(Self.replica(.marketTickers(part), Self.day()))
        #expect(followed.stale == nil && followed.source == "trades" && followed.incomplete == true)
        var condition = BusConnectionState()
        condition.lose("feed")
        let doubted = try Self.body(Self.replica(.marketTickers(try Self.part())), condition)
        #expect(doubted.stale == "nothing is heard of feed")
    }

    @Test("the venue's best prices alone are its word, those of a live book are proven")
    func origins() throws {
        let ticker = Ticker(
            bidPrice: Price(rawValue: 5), priceScale: .zero, sizeScale: .zero, receivedTime: Self.time)
        #expect(try Self.body(Self.replica(.ticker(Self.id, ticker))).origin == "ticker")
        func top(_ state: BookState) -> WireEvent {
            .bookTop(
                Self.id,
                BookTop(
                    state: state, reason: .verified, priceScale: .zero, sizeScale: .zero,
                    bid: BookLevel(price: Price(rawValue: 6), size: Quantity(rawValue: 1)), ask: nil, at: nil,
                    venueTime: nil, receivedTime: Self.time))
        }
        #expect(try Self.body(Self.replica(.ticker(Self.id, ticker), top(.live))).origin == "proven")
        #expect(try Self.body(Self.replica(top(.suspect))).origin == "ticker")
    }

    @Test("says which markets changed")
    func changes() throws {
        var replica = Self.replica(.marketTickers(try Self.part()))
        #expect(replica.takeChanges() == [.ticker(Self.id)])
        replica.take(.marketTickers(try Self.part()), at: Self.position, heard: Self.time)
        #expect(replica.takeChanges().isEmpty)
        #expect(replica.ticker(InstrumentID(venue: Self.venue, symbol: "ETH-USDT")) == nil)
    }

    @Test("of several markets the proven one is better, then spot, then the one that turns over more")
    func ranks() throws {
        func market(
            _ name: String, _ kind: InstrumentKind = .spot, _ change: (inout TickerBody) -> Void
        ) throws -> CoinMarket {
            var body = try Self.body(Self.replica(.marketTickers(try Self.part())))
            change(&body)
            let instrument = Instrument(
                id: InstrumentID(venue: Self.venue, symbol: name), base: Asset(rawValue: "BTC"),
                quote: Asset(rawValue: "USDT"), kind: kind, priceScale: .zero, sizeScale: .zero)
            return CoinMarket(instrument, body)
        }
        let order = [
            try market("E", .perpetual) { $0.origin = "proven" }, try market("D") { $0.quoteVolume = "9" },
            try market("A") { $0.quoteVolume = "8" },
            try market("B", .perpetual) { $0.quoteVolume = "10" },
            try market("C") { $0.stale = "silent" },
        ]
        for (first, better) in order.enumerated() {
            for worse in order.dropFirst(first + 1) {
                #expect(CoinMarket.best([better, worse]) == better)
                #expect(CoinMarket.best([worse, better]) == better)
            }
        }
    }

    @Test("what a provider of aggregated prices says is never taken for a tape of ours")
    func aggregated() throws {
        let id = InstrumentID(venue: Venue(rawValue: "coingecko"), symbol: "PEPE-USD")
        var day = Bitpal_V1_DayTicker()
        (day.lastPrice, day.source) = (7, "aggregated by coingecko")
        let known = try #require(Self.replica(.dayTicker(id, day)).ticker(id))
        #expect(TickerBody(known, .init()).origin == "aggregated")
    }
}

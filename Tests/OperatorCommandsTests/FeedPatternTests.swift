import Instruments
import MarketData
import MarketStore
import Support
import Testing

@testable import OperatorCommands

@Suite("Many instruments to follow at once")
struct FeedPatternTests {
    @Test(
        "a star stands for any text",
        arguments: [
            ("*", "BTCUSDT", true), ("BTC*", "BTCUSDT", true), ("*USDT", "BTCUSDT", true),
            ("*usdt", "BTCUSDT", true), ("*USDT", "BTCUSDC", false), ("B*C*T", "BTCUSDT", true),
            ("B*X*T", "BTCUSDT", false), ("*/USDT", "BTC/USDT", true), ("BTC*", "WBTC", false),
            ("BTC*BTC", "BTC", false), ("A*B*B", "AB", false), ("**", "", true),
        ])
    func patterns(text: String, symbol: String, isMatch: Bool) {
        #expect(SymbolPattern(text).matches(symbol) == isMatch)
    }

    @Test("means base and quote, whichever way the venue writes them")
    func pairs() {
        func instrument(_ symbol: String, _ base: String, _ quote: String) -> Instrument {
            Instrument(
                id: InstrumentID(venue: .binance, symbol: symbol), base: Asset(rawValue: base),
                quote: Asset(rawValue: quote), kind: .spot, priceScale: .zero, sizeScale: .zero)
        }
        let pattern = SymbolPattern("*/USDT")
        #expect(pattern.matches(instrument("BTCUSDT", "BTC", "USDT")))
        #expect(!pattern.matches(instrument("USDTTRY", "USDT", "TRY")))
        #expect(SymbolPattern("*USDT").matches(instrument("BTCUSDT", "BTC", "USDT")))
    }

    @Test("the most traded come first, by what the venue says in the quote asset, or by volume and price")
    func volumes() throws {
        func ticker(_ symbol: String, _ last: Int64, base: Int64?, quote: Int64?) -> MarketTicker {
            var ticker = MarketTicker(symbol: symbol, last: DecimalNumber(units: last, scale: .zero))
            ticker.baseVolume = base.map { Amount(units: $0) }
            ticker.quoteVolume = quote.map { Amount(units: $0) }
            return ticker
        }
        let part = MarketTickerPart(
            venue: .binance, number: 0, count: 1, receivedTime: .zero,
            tickers: [
                ticker("A", 2, base: 5, quote: nil), ticker("B", 1, base: nil, quote: 30),
                ticker("C", 3, base: 100, quote: 20), ticker("D", 9, base: nil, quote: nil),
            ])
        let volumes = MarketVolumes([part])
        #expect(volumes.top(3, of: ["A", "B", "C", "D", "E"]) == ["B", "C", "A"])
        #expect(volumes.top(9, of: ["E", "D", "A"]) == ["A", "D", "E"])
        #expect(MarketVolumes([]).isEmpty)
    }

    @Test("what a venue does not list is refused with the nearest names, once its list is known")
    func listing() {
        let refused = FeedListing.fault(of: id("BTCUSTD"), listed: ["BTCUSDT", "ETHUSDT"])
        #expect(refused?.status == .notFound)
        #expect(refused?.description == "binance does not list BTCUSTD; did you mean BTCUSDT, ETHUSDT?")
        #expect(FeedListing.fault(of: id("BTCUSDT"), listed: ["BTCUSDT"]) == nil)
        #expect(FeedListing.fault(of: id("BTCUSTD"), listed: []) == nil)
    }

    private func id(_ symbol: String) -> InstrumentID { InstrumentID(venue: .binance, symbol: symbol) }

    private func row(_ symbol: String, by owner: String, at time: Int64) -> DatedSubscription {
        let wanted = Subscription(instrument: id(symbol), channels: ["book", "trade"], wantedBy: owner)
        return DatedSubscription(wanted, added: Timestamp(nanoseconds: time))
    }

    @Test("adds what the feed follows, in order of preference, and says what is refused and displaced")
    func limits() {
        let rows = [
            row("K", by: "configuration", at: 1), row("O", by: "operator", at: 2),
            row("W", by: "watchlist:1", at: 3), row("V", by: "watchlist:1", at: 4),
        ]
        let wish = FeedWish(["Z", "O", "Y", "W", "X"].map(id), ["book"], among: rows, limit: 4)
        #expect(wish.known == ["O"])
        #expect(wish.added == ["Z", "Y"])
        #expect(wish.refused == ["W", "X"])
        #expect(wish.displaced == ["W", "V"])
        let words = wish.words(.binance, limit: 4)
        #expect(words.first == "2 instruments of binance added, 1 wanted before")
        #expect(
            words.dropFirst().first?.hasPrefix("2 refused (W, X): feed-ingestor follows at most 4") == true)
        let all = FeedWish(["Z", "W"].map(id), ["book"], among: rows, limit: nil)
        #expect(all.added == ["Z", "W"] && all.refused.isEmpty && all.displaced.isEmpty)
    }

    @Test("wants a known one anew where more of it is wanted")
    func more() {
        let rows = [row("O", by: "operator", at: 1)]
        #expect(FeedWish([id("O")], ["book", "ticker"], among: rows, limit: 1).added == ["O"])
        #expect(FeedWish([id("O")], ["trade"], among: rows, limit: 1).known == ["O"])
    }
}

import Instruments
import MarketData
import Portfolio
import Testing

@testable import PortfolioKeeping

@Suite("Prices by tickers of all markets")
struct TickerQuotesTests {
    private static let pair = QuotePair(Asset(rawValue: "BTC"), Asset(rawValue: "USDT"))

    private static func instrument(
        _ venue: String, _ symbol: String, _ base: String, _ kind: InstrumentKind = .spot
    ) -> Instrument {
        Instrument(
            id: InstrumentID(venue: Venue(rawValue: venue), symbol: symbol), base: Asset(rawValue: base),
            quote: Asset(rawValue: "USDT"), kind: kind, priceScale: .zero, sizeScale: .zero)
    }

    private static func part(
        _ venue: String, _ symbol: String, _ price: Int64, turnover: Int64, stale: String = ""
    ) -> MarketTickerPart {
        var ticker = MarketTicker(symbol: symbol, last: DecimalNumber(units: price, scale: .zero))
        ticker.quoteVolume = Amount(units: turnover)
        var part = MarketTickerPart(
            venue: Venue(rawValue: venue), number: 0, count: 1, receivedTime: Timestamp(nanoseconds: 5),
            tickers: [ticker])
        part.stale = stale
        return part
    }

    private static func quotes() -> TickerQuotes {
        var quotes = TickerQuotes()
        let looked = quotes.look(
            at: [
                instrument("kraken", "XBT/USDT", "XBT"), instrument("okx", "BTC-USDT", "BTC"),
                instrument("okx", "BTC-USDT-SWAP", "BTC", .perpetual),
            ])
        #expect(looked == [pair])
        return quotes
    }

    @Test("the market that turns over most prices a pair, whoever told last")
    func turnover() {
        var quotes = Self.quotes()
        #expect(quotes.quote(of: Self.pair) { _ in nil } == nil)
        #expect(quotes.take(Self.part("kraken", "XBT/USDT", 10, turnover: 5), by: "f") == [Self.pair])
        #expect(quotes.take(Self.part("okx", "BTC-USDT", 11, turnover: 9), by: "f") == [Self.pair])
        #expect(quotes.take(Self.part("okx", "BTC-USDT-SWAP", 12, turnover: 99), by: "f") == [Self.pair])
        // Its part holds the contract alone now.
        #expect(quotes.quote(of: Self.pair) { _ in nil }?.price == Amount(units: 10))
        _ = quotes.take(Self.part("okx", "BTC-USDT", 11, turnover: 9), by: "f")
        let quote = quotes.quote(of: Self.pair) { _ in nil }
        #expect(quote?.price == Amount(units: 11) && quote?.source == "ticker okx:BTC-USDT")
        #expect(quote?.origin == .ticker && quote?.stale == nil && quote?.time.nanoseconds == 5)
    }

    @Test("one that is of now is better than one that turns over more")
    func stale() {
        var quotes = Self.quotes()
        _ = quotes.take(Self.part("okx", "BTC-USDT", 11, turnover: 9, stale: "silent"), by: "f")
        #expect(quotes.quote(of: Self.pair) { _ in nil }?.stale == "silent")
        _ = quotes.take(Self.part("kraken", "XBT/USDT", 10, turnover: 5), by: "g")
        #expect(quotes.quote(of: Self.pair) { _ in nil }?.price == Amount(units: 10))
        let doubted = quotes.quote(of: Self.pair) { $0 == "g" ? "g is gone" : nil }
        #expect(doubted?.stale != nil && quotes.producers == ["f", "g"])
    }

    @Test("what is not looked at any more has no price")
    func forgets() {
        var quotes = Self.quotes()
        _ = quotes.take(Self.part("okx", "BTC-USDT", 11, turnover: 9), by: "f")
        #expect(quotes.look(at: []) == [Self.pair])
        #expect(quotes.quote(of: Self.pair) { _ in nil } == nil && quotes.all.isEmpty)
    }
}

import Instruments
import MarketData
import Testing
import Wire

@Suite("Tickers of all markets on the wire")
struct MarketTickersTests {
    private static func number(_ text: String) throws -> DecimalNumber { try DecimalNumber(parsing: text) }

    private static func part() throws -> MarketTickerPart {
        var first = MarketTicker(symbol: "BTC/USD", last: try number("61000.5"))
        first.bid = try number("61000.4")
        first.ask = try number("61000.625")
        first.open = try number("60000")
        first.high = try number("61234.1")
        first.low = try number("59876.54321")
        first.baseVolume = try Amount(parsing: "1234.5")
        first.quoteVolume = try Amount(parsing: "123456789012345678901234567890.123456789")
        first.venueTime = Timestamp(nanoseconds: 7)
        var second = MarketTicker(symbol: "PEPE_USDT", last: try number("0.000000123456789012"))
        second.changePercent = try number("-8.91")
        var part = MarketTickerPart(
            venue: Venue(rawValue: "kraken"), number: 1, count: 3,
            receivedTime: Timestamp(nanoseconds: 9), tickers: [first, second])
        part.stale = "the venue says nothing"
        return part
    }

    private static func part(in event: WireEvent) -> MarketTickerPart? {
        if case .marketTickers(let part) = event { return part }
        return nil
    }

    private static let header = MessageHeader(
        producer: "p", epoch: 1, sequence: 1, publishedTime: Timestamp(nanoseconds: 1))

    @Test("comes back as it was said")
    func roundTrip() throws {
        let part = try Self.part()
        let (_, event) = try EnvelopeDecoder.decode(EventEncoder.encode(.marketTickers(part)))
        #expect(Self.part(in: event) == part)
    }

    @Test("a price that does not fit beside the last one is left out, never changed")
    func far() throws {
        var ticker = MarketTicker(symbol: "A", last: try Self.number("9000000000000000"))
        ticker.low = try Self.number("0.000000000000000001")
        ticker.high = try Self.number("9000000000000001")
        let part = MarketTickerPart(
            venue: Venue(rawValue: "kraken"), number: 0, count: 1, receivedTime: .zero, tickers: [ticker])
        let (_, event) = try EnvelopeDecoder.decode(EventEncoder.encode(.marketTickers(part)))
        let read = Self.part(in: event)?.tickers.first
        #expect(read?.last == ticker.last && read?.low == nil && read?.high == ticker.high)
    }

    @Test("what no venue may say is refused")
    func refusals() throws {
        let good = EventEncoder.envelope(.marketTickers(try Self.part()), header: Self.header)
        func refused(_ field: StaticString, _ change: (inout Bitpal_V1_MarketTickers) -> Void) {
            var envelope = good
            change(&envelope.marketTickers)
            #expect(throws: WireError.invalidField(field)) { try EnvelopeDecoder.decode(envelope) }
        }
        refused("venue") { $0.venue = "" }
        refused("part") { $0.part = 3 }
        refused("symbol") { $0.tickers[0].symbol = "" }
        refused("price_scale") { $0.tickers[0].priceScale = 19 }
        refused("last_price") { $0.tickers[0].lastPrice = 0 }
        refused("base_volume") { $0.tickers[0].baseVolume = "many" }
        refused("quote_volume") { $0.tickers[1].quoteVolume = "1.2.3" }
        refused("change_percent") { $0.tickers[1].changePercent = "%" }
    }

    @Test("has a topic of state for each part")
    func topic() {
        let topic = Topic.marketTickers(Venue(rawValue: "binance-usdm"), part: 12)
        #expect(topic == "market.tickers.binance-usdm.12.")
        #expect(Topic.isState(topic) && Topic.instrument(in: topic) == nil)
    }
}

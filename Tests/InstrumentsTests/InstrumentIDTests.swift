import Instruments
import Support
import Testing

@Suite("Instrument id")
struct InstrumentIDTests {
    @Test(
        "is split at the first colon",
        arguments: [
            ("kraken:BTC/USD", "kraken", "BTC/USD"), ("binance-usdm:BTCUSDT", "binance-usdm", "BTCUSDT"),
            ("a:b:c", "a", "b:c"), ("a::", "a", ":"), ("binance:币安人生USDT", "binance", "币安人生USDT"),
            ("x: ", "x", " "),
        ])
    func splitting(text: String, venue: String, symbol: String) throws {
        let id = try #require(InstrumentID(text))
        #expect(id.venue.rawValue == venue)
        #expect(id.symbol == symbol)
        #expect(id.description == text)
    }

    @Test("needs a venue and a symbol", arguments: ["", ":", "kraken", "kraken:", ":BTC/USD", "::x"])
    func incomplete(text: String) {
        #expect(InstrumentID(text) == nil)
    }

    @Test("is read back from its text, whatever the symbol")
    func roundTrip() {
        property { rng in
            let id = rng.instrumentID()
            let parsed = InstrumentID(id.description)
            try #require(parsed == id, "\(id)")
        }
    }

    @Test("is read back when the symbol begins with a mark that joins on to the colon")
    func joiningMark() {
        let id = InstrumentID(venue: .kraken, symbol: "\u{301}X")
        #expect(InstrumentID(id.description) == id)
    }

    @Test("is ordered by venue, then by symbol")
    func order() {
        let texts = ["kraken:B", "binance:C", "kraken:A", "binance:A"]
        #expect(texts.compactMap { InstrumentID($0) }.sorted().map(\.description) == texts.sorted())
    }
}

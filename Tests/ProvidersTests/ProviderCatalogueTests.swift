import Instruments
import MarketStore
import Testing

@testable import Providers

@Suite("The catalogue of providers")
struct ProviderCatalogueTests {
    @Test("those that are spoken to are those that instruments are known to be aggregated of")
    func names() {
        #expect(ProviderCatalogue.standard.map(\.venue) == Venue.aggregated)
        #expect(ProviderCatalogue.list == "coingecko, coinpaprika, coinlore, coindesk, cryptocompare")
        #expect(ProviderCatalogue.isAggregated(Venue(rawValue: "coinlore")))
        #expect(!Venue(rawValue: "kraken").isAggregated && !Venue(rawValue: "coinbase").isAggregated)
    }

    @Test("a question of a tag alone asks by the tag, one without by the time")
    func validators() {
        #expect(AnswerValidators().headers.isEmpty)
        #expect(AnswerValidators(tag: "\"a\"", modified: "x").headers == ["If-None-Match": "\"a\""])
        #expect(AnswerValidators(modified: "x").headers == ["If-Modified-Since": "x"])
    }
}

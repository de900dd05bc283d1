import Instruments
import Support
import Testing
import Venues

@Suite("The catalogue of venues")
struct VenueCatalogueTests {
    private let standard = VenueCatalogue.standard

    @Test("knows its venues by name, sorted")
    func venues() {
        #expect(standard.venues == standard.venues.sorted())
        #expect(standard.list == standard.venues.map(\.rawValue).joined(separator: ", "))
        #expect(standard.list.contains("bitmex, "))
    }

    @Test("lists settings in the order of its lines, each scope once")
    func scopes() {
        let scopes = standard.descriptions.map(\.scope)
        #expect(scopes.prefix(5) == ["bitmex", "kraken", "binance", "binanceUS", "binanceUSDM"])
        #expect(Set(scopes).count == scopes.count)
        #expect(standard.firstInstrument.description == "kraken:BTC/USD")
    }

    @Test("never takes up a venue that has closed by itself, and says since when")
    func closed() throws {
        let bitmex = BitMEX.description
        #expect(!bitmex.isUsual)
        #expect(
            bitmex.closure?.explanation(of: bitmex.venue)
                == "bitmex closed on 2026-09-23; only recordings and the simulator speak as it does")
        let closed = standard.descriptions.filter { $0.closure != nil }.map(\.venue.rawValue)
        #expect(closed == ["bitmex", "okcoin"])
    }

    @Test("refuses a venue that nothing describes, with the names of those that there are")
    func unknown() {
        let name = Venue(rawValue: "mtgox")
        #expect(standard[name] == nil)
        let error = #expect(throws: UnknownVenue.self) { try VenueConfiguration.replay(of: name) }
        #expect(error?.description == "unknown venue \"mtgox\"; known are \(standard.list)")
    }

    @Test("takes a newcomer by its description alone")
    func newcomer() throws {
        let catalogue = VenueCatalogue(standard.descriptions + [CounterVenue.description])
        let venue = CounterVenue.description.venue
        #expect(catalogue.venues == (standard.venues + [venue]).sorted())
        let description = try catalogue.description(of: venue)
        #expect(!catalogue.markPriceVenues.contains(venue))
        var configuration = VenueConfiguration(description)
        #expect(configuration.restURL == "https://api.counter.test" && configuration.venue == venue)
        let option = try #require(description.options.first)
        #expect(configuration[option] == "slow")
        configuration[option] = "fast"
        #expect(configuration[option] == "fast")
        #expect(configuration.makeSession().registry.venue == venue)
        #expect(VenueConfiguration(Kraken.description)[option] == nil)
    }
}

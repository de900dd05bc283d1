import Instruments
import Operations
import Providers
import Testing

@testable import Metadata

@Suite("Configuration of providers")
struct MetadataConfigurationTests {
    private static func configuration(
        _ values: [String: String] = [:], standIn: String = MarketsPage.publicAddress
    ) throws -> MetadataConfiguration {
        try MetadataConfiguration(
            settings: Settings.load(
                service: "book-builder", keys: MetadataConfiguration.keys, overrides: values),
            provider: standIn)
    }

    private static func names(_ configuration: MetadataConfiguration) -> [String] {
        configuration.prices.map(\.provider.venue.rawValue)
    }

    @Test("those that require a key are off without; the order is whoever configures's")
    func order() throws {
        #expect(try Self.names(Self.configuration()) == ["coingecko", "coinpaprika", "coinlore"])
        let own = try Self.configuration([
            "providers.order": "coindesk,coinlore,coingecko", "providers.coindesk.key": "d",
            "providers.coingecko.key": "g", "metadata.perMinute": "5",
        ])
        #expect(Self.names(own) == ["coindesk", "coinlore", "coingecko"])
        #expect(own.prices.map(\.key) == ["d", nil, "g"] && own.listKey == "g")
        #expect(own.prices.allSatisfy { $0.perMinute == 5 })
        for order in ["coingecko,coingecko", "coinbase"] {
            let error = #expect(throws: ConfigurationError.self) {
                try Self.configuration(["providers.order": order])
            }
            #expect("\(try #require(error))".contains("coinpaprika"))
        }
    }

    @Test("where somebody stands in, or nobody is to be asked, nobody outside is")
    func standIn() throws {
        let demo = try Self.configuration(standIn: "http://127.0.0.1:1/coingecko")
        #expect(Self.names(demo) == ["coingecko"])
        #expect(demo.prices.map(\.address) == ["http://127.0.0.1:1/coingecko"])
        #expect(try Self.names(Self.configuration(["metadata.address": "none"])).isEmpty)
        #expect(try Self.names(Self.configuration(["metadata.prices": "false"])).isEmpty)
    }
}

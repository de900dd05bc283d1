import Instruments
import Operations
import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Configuration of a feed-ingestor")
struct ConfigurationTests {
    private func load(_ values: [String: String] = [:], environment: [String: String] = [:]) throws
        -> FeedIngestionConfiguration
    {
        try FeedIngestionConfiguration(
            settings: Settings.load(
                service: "feed-ingestor", keys: FeedIngestionConfiguration.keys, environment: environment,
                overrides: values))
    }

    @Test("takes the pins of a venue's keys, and refuses what is none")
    func pins() throws {
        let pin = "YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="
        let venues = try load(["kraken.pin": pin]).venues
        #expect(venues.first { $0.venue == .kraken }?.pins == [pin])
        #expect(throws: ConfigurationError.self) { try load(["kraken.pin": "sha256//x"]) }
    }

    @Test("follows the well-known instruments of three venues that exist when nothing is configured")
    func defaults() throws {
        let configuration = try load()
        let symbols = configuration.venues.map { venue in
            ([venue.venue.rawValue] + venue.subscriptions.map(\.symbol)).joined(separator: " ")
        }
        #expect(
            symbols == [
                "kraken BTC/USD ETH/USD", "binance BTCUSDT ETHUSDT", "binance-usdm BTCUSDT",
            ])
        #expect(
            configuration.venues.allSatisfy {
                $0.subscriptions.allSatisfy { $0.channels == Set(VenueChannel.usual) }
            })
        #expect(configuration.venues[0].webSocketURL == "wss://ws.kraken.com")
        #expect(configuration.isStoring)
        #expect(configuration.auditedVenues == Set(VenueCatalogue.standard.venues))
    }

    @Test("prices all markets of each venue that tells of them, unless that is turned off")
    func tickers() throws {
        let usual = try load(["venues": "kraken,bitstamp"])
        #expect(usual.venues.map(\.pricesAllMarkets) == [true, true])
        #expect(VenueTickers(usual.venues[0]) != nil && VenueTickers(usual.venues[1]) == nil)
        let off = try load(["venues": "kraken", "kraken.tickers": "false"])
        #expect(!off.venues[0].pricesAllMarkets)
        #expect(throws: ConfigurationError.self) {
            try load(environment: ["BITPAL_FEED_INGESTOR_BITSTAMP_TICKERS": "false"])
        }
    }

    @Test("takes addresses, symbols and channels of each venue from its scope")
    func scopes() throws {
        let configuration = try load(
            [
                "venues": "binance-usdm,kraken", "binanceUSDM.symbols": "ETHUSDT",
                "binanceUSDM.channels": "book,trade",
                "binanceUSDM.webSocketURL": "ws://127.0.0.1:7430/binance-usdm/", "kraken.interface": "v1",
                "kraken.bookDepth": "100",
            ], environment: ["BITPAL_FEED_INGESTOR_KRAKEN_SYMBOLS": "XBT/USD"])
        let futures = configuration.venues[0]
        #expect(futures.webSocketURL == "ws://127.0.0.1:7430/binance-usdm")
        #expect(futures.subscriptions.map(\.symbol) == ["ETHUSDT"])
        #expect(futures.subscriptions.first?.channels == [.book, .trade])
        #expect(configuration.venues[1].krakenInterface == .v1)
        #expect(configuration.venues[1].bookDepth == 100)
        #expect(configuration.venues[1].subscriptions.map(\.symbol) == ["XBT/USD"])
    }

    @Test(
        "refuses what it cannot use, naming the key's place, the value and what is accepted",
        arguments: [
            ("venues", "mtgox", VenueCatalogue.standard.list), ("venues", "kraken,kraken", "each venue once"),
            ("kraken.webSocketURL", "https://x", "ws://"), ("kraken.restURL", "x", "http://"),
            ("kraken.channels", "book,smell", "ticker"), ("audit.venues", "mtgox", "kraken"),
            ("venues", "bitmex", "closed on 2026-09-23"),
        ])
    func refusals(key: String, value: String, accepted: String) throws {
        var line = ""
        do {
            _ = try load([key: value])
        } catch let error as ConfigurationError {
            line = error.description
        }
        #expect(line.contains(key))
        #expect(line.contains(accepted))
        #expect(!line.contains("\n"))
    }
}

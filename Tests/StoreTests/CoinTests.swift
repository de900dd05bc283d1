import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("Coins", .timeLimit(.minutes(10)))
struct CoinTests {
    private static func row(_ code: String, _ name: String, _ id: String, _ rank: Int32?) -> AssetRow {
        AssetRow(asset: Asset(rawValue: code), name: name, providerID: id, categories: [], rank: rank)
    }

    private static func instrument(
        _ venue: String, _ base: String, _ quote: String, _ kind: InstrumentKind = .spot
    ) -> Instrument {
        Instrument(
            id: InstrumentID(venue: Venue(rawValue: venue), symbol: "\(base)-\(quote)"),
            base: Asset(rawValue: base), quote: Asset(rawValue: quote), kind: kind, priceScale: .zero,
            sizeScale: .zero)
    }

    @Test("figures come back exactly; what the first list had is not new, what came later is")
    func figures() async throws {
        let (database, _) = try await Market.database()
        var bitcoin = Self.row("BTC", "Bitcoin", "bitcoin", 1)
        bitcoin.figures.price = try Amount(parsing: "70187.123456789012345678901234567890")
        bitcoin.figures.priceChange = try Amount(parsing: "-3.12502")
        bitcoin.figures.marketCap = try Amount(parsing: "1381651251183")
        bitcoin.figures.volume = try Amount(parsing: "20154184933")
        bitcoin.figures.circulatingSupply = try Amount(parsing: "19675987.25")
        bitcoin.figures.totalSupply = try Amount(parsing: "21000000")
        bitcoin.figures.maximumSupply = try Amount(parsing: "21000000")
        bitcoin.figures.allTimeHigh = try Amount(parsing: "73738")
        bitcoin.figures.allTimeHighTime = Market.time(5_000)
        let first = [bitcoin, Self.row("ETH", "Ethereum", "ethereum", 2)]
        try await database.transaction { session in try session.store(first, at: Market.time(1_000)) }
        #expect(try await database.assets().map(\.asset) == first)
        let new = Self.row("NEW", "New", "new", 3)
        let second = [first[1], new]
        try await database.transaction { session in try session.store(second, at: Market.time(2_000)) }
        let found = try await database.assets().map(\.asset)
        #expect(found.map(\.figures.listed) == [nil, nil, Market.time(2_000)])
        #expect(found[0] == bitcoin)
        await database.close()
    }

    @Test("requests of a month add up")
    func requests() async throws {
        let (database, _) = try await Market.database()
        let venue = Venue(rawValue: "coingecko")
        let counts = try await database.transaction { session in
            var counts = [try session.countRequests(0, to: venue, in: "2026-11")]
            counts.append(try session.countRequests(2, to: venue, in: "2026-11"))
            counts.append(try session.countRequests(3, to: venue, in: "2026-11"))
            counts.append(try session.countRequests(1, to: venue, in: "2026-12"))
            return counts
        }
        #expect(counts == [0, 2, 5, 1])
        await database.close()
    }

    @Test("a coin is found by key, code, other codes and name; a key means more than a code of another")
    func names() {
        let rows = [
            Self.row("BTC", "Bitcoin", "bitcoin", 1), Self.row("DOGE", "Dogecoin", "dogecoin", 8),
            Self.row("BITCOIN", "HarryPotterObamaSonic10Inu", "harry", 900),
        ]
        let instruments = [Self.instrument("bitmex", "XBT", "USD", .perpetual)]
        let catalogue = MarketCatalogue(instruments, rows, [])
        for text in ["bitcoin", "Bitcoin", "btc", "XBT", "xbt"] {
            #expect(catalogue.coin(text)?.providerID == "bitcoin", "\(text)")
        }
        #expect(catalogue.coin("xdg")?.asset.rawValue == "DOGE" && catalogue.coin("nope") == nil)
        #expect(catalogue.coin("harry")?.rank == 900)
        #expect(catalogue.instruments(of: rows[0]).map(\.base.rawValue) == ["XBT"])
    }

    @Test("aggregated venues are no exchanges of a coin")
    func exchanges() {
        let rows = [Self.row("PEP", "Pepe", "pepe", 30)]
        let instruments = [
            Self.instrument("coingecko", "PEP", "USD"), Self.instrument("gateio", "PEP", "USDT"),
        ]
        let catalogue = MarketCatalogue(instruments, rows, [])
        #expect(catalogue.venues(of: rows[0].asset).map(\.rawValue) == ["gateio"])
        #expect(catalogue.instruments(of: rows[0]).count == 2)
    }

    @Test("the best market is proven, of a venue, against dollars, spot, and traded most")
    func best() {
        func market(
            _ venue: String, _ quote: String, _ kind: InstrumentKind = .spot,
            _ origin: PriceOrigin? = .proven, stale: Bool = false, volume: Int64? = nil
        ) -> CoinMarket {
            CoinMarket(
                Self.instrument(venue, "BTC", quote, kind), origin: origin, isStale: stale,
                volume: volume.map { Amount(units: $0) })
        }
        func best(_ markets: CoinMarket...) -> String? {
            CoinMarket.best(markets)?.instrument.id.description
        }
        #expect(best() == nil)
        #expect(best(market("a", "USD", volume: 1), market("b", "USDT", volume: 2)) == "b:BTC-USDT")
        #expect(
            best(market("a", "USD", .spot, .ticker, volume: 9), market("b", "USD", volume: 1)) == "b:BTC-USD")
        #expect(
            best(market("a", "USD", stale: true, volume: 9), market("b", "USD", .spot, .ticker))
                == "b:BTC-USD")
        #expect(
            best(market("a", "USD", .perpetual, volume: 9), market("b", "USD", volume: 1)) == "b:BTC-USD")
        #expect(best(market("a", "EUR", volume: 9), market("b", "USD")) == "b:BTC-USD")
        // Of other money volumes say nothing, and the more popular one stays.
        #expect(best(market("a", "EUR", volume: 1), market("b", "JPY", volume: 999)) == "a:BTC-EUR")
        let silent = market("b", "USD", .spot, nil)
        #expect(best(silent, market("a", "USD", stale: true)) == "a:BTC-USD")
        #expect(best(market("coingecko", "USD", .spot, .aggregated), silent) == "b:BTC-USD")
        #expect(best(market("coingecko", "USD", .spot, .aggregated)) == "coingecko:BTC-USD")
    }

    @Test("what is traded of a coin is told of spot markets against dollars, else of contracts")
    func turnover() {
        func market(
            _ venue: String, _ quote: String, _ kind: InstrumentKind, _ volume: Int64?
        ) -> CoinMarket {
            CoinMarket(
                Self.instrument(venue, "BTC", quote, kind), origin: .ticker,
                volume: volume.map { Amount(units: $0) })
        }
        let contracts = market("a", "USDT", .perpetual, 900)
        let others = [market("a", "EUR", .spot, 70), market("coingecko", "USD", .spot, 5_000)]
        #expect(CoinMarket.turnover([]) == nil)
        #expect(CoinMarket.turnover(others + [market("c", "USD", .spot, nil)]) == nil)
        #expect(CoinMarket.turnover(others + [contracts]) == Amount(units: 900))
        let spot = [market("a", "USD", .spot, 20), market("b", "USDT", .spot, 3)]
        #expect(CoinMarket.turnover(others + spot + [contracts]) == Amount(units: 23))
    }

    @Test("knows what a scored instrument trades, under the code that coins have")
    func scored() throws {
        let instruments = [Self.instrument("a", "XBT", "USD"), Self.instrument("a", "ETH", "USD")]
        let row = TrendingRow(
            instrument: instruments[0].id, score: Numeric(units: 5, scale: 0),
            volumeScore: Numeric(units: 5, scale: 0), priceScore: Numeric(units: 0, scale: 0),
            volume: Numeric(units: 1, scale: 0), usualVolume: Numeric(units: 1, scale: 0),
            priceChange: Numeric(units: 0, scale: 4))
        let catalogue = MarketCatalogue(instruments, [], [row])
        #expect(catalogue.scores == [row] && catalogue.scoredHour == nil)
        #expect(catalogue.base(ofScored: instruments[0].id) == Asset(rawValue: "BTC"))
        #expect(catalogue.base(ofScored: instruments[1].id) == nil)
    }

    @Test("gainers rose, losers fell, the newest come first; what has no number has no place")
    func order() throws {
        func key(
            _ rank: Int32?, _ change: String?, _ listed: Int64?, _ volume: Int64?
        ) throws -> CoinOrder.Key {
            CoinOrder.Key(
                rank: rank, change: try change.map { try Amount(parsing: $0) },
                volume: volume.map { Amount(units: $0) }, listed: listed.map { Market.time($0) })
        }
        let keys = [
            try key(3, "1.5", nil, 7), try key(1, "-2", 10, nil), try key(nil, "12.25", 30, 9),
            try key(2, "0", nil, 8), try key(4, nil, 20, nil), try key(5, "-30.5", nil, 8),
            try key(6, "1.50", nil, 1),
        ]
        #expect(CoinOrder.rank.sorted(keys) == [1, 3, 0, 4, 5, 6, 2])
        #expect(CoinOrder.gainers.sorted(keys) == [2, 0, 6])
        #expect(CoinOrder.losers.sorted(keys) == [5, 1])
        #expect(CoinOrder.newest.sorted(keys) == [2, 4, 1])
        #expect(CoinOrder.volume.sorted(keys) == [2, 3, 5, 0, 6])
    }
}

import GatewayStream
import Instruments
import MarketStore
import Shapes

/// A coin, with what its best market or, without one, a provider says of it.
struct CoinBody: WireBody {
    static let shape = BodyShape<CoinBody>("Coin", "What is not known is left out.") {
        Field("id", \.row.providerID, "coin:ID is accepted where a price is asked for.", example: "bitcoin")
        Field("symbol", \.row.asset.rawValue, example: "BTC")
        Field("name", \.row.name, example: "Bitcoin")
        Field("icon", \.icon, "Where its picture is.", example: "/v1/icons/BTC")
        Field(ifPresent: "rank", \.row.rank, "By market capitalisation, from 1.", example: 1)
        Field(
            ifPresent: "market", \.market?.description, "The most liquid proven market.",
            example: "kraken:BTC/USD")
        Field(ifPresent: "price", \.price, as: .decimal, example: "61000.5")
        Field(
            ifPresent: "origin", \.origin?.rawValue,
            "What stands behind the price: our own tape or proven book, a venue's word, or that of others.",
            as: .words(PriceOrigin.allCases.map(\.rawValue)), example: "proven")
        Field(
            ifPresent: "aggregated", \.aggregated,
            "The price is a provider's mean over markets that nobody proved, in US dollars.", example: true)
        Field(
            ifPresent: "change_percent", \.change?.description, "Of 24 hours.", as: .decimal,
            example: "1.2")
        Field(
            ifPresent: "volume", \.volume?.description,
            "In US dollars, of 24 hours: a provider's, or what the venues here add up to where that is more.",
            as: .decimal, example: "20154184933")
        Field(
            ifPresent: "market_cap", \.row.figures.marketCap?.description, "In US dollars.", as: .decimal,
            example: "1381651251183")
        Field(
            ifPresent: "circulating_supply", \.row.figures.circulatingSupply?.description, as: .decimal,
            example: "19675987")
        Field(
            ifPresent: "total_supply", \.row.figures.totalSupply?.description, as: .decimal,
            example: "21000000")
        Field(
            ifPresent: "maximum_supply", \.row.figures.maximumSupply?.description, as: .decimal,
            example: "21000000")
        Field(
            ifPresent: "all_time_high", \.row.figures.allTimeHigh?.description, "In US dollars.",
            as: .decimal, example: "73738")
        Field(
            ifPresent: "all_time_high_time", \.row.figures.allTimeHighTime?.plain,
            as: .text("date-time"), example: "2024-03-14T07:10:36Z")
        Field(
            ifPresent: "listed", \.row.figures.listed?.plain,
            "When the list of coins first had it; left out for what it had from the beginning.",
            as: .text("date-time"), example: "2026-11-21T12:00:00Z")
        Field(
            ifPresent: "told", \.told?.plain, "When the list of coins was read.",
            as: .text("date-time"), example: "2026-11-21T12:00:00Z")
        Field("categories", \.row.categories, example: ["Layer 1 (L1)"])
        Field("exchanges", \.exchanges, "The venues that trade it.", example: [.venue])
    }

    let row: AssetRow
    let exchanges: [String]
    let market: InstrumentID?
    let price: String?
    let origin: PriceOrigin?
    let change: Amount?
    let volume: Amount?
    let told: Timestamp?

    /// Joins what is known of a coin; the provider's price stands in where no market has one.
    init(_ row: AssetRow, _ catalogue: MarketCatalogue, _ markets: [CoinMarket], _ ticker: TickerBody?) {
        self.row = row
        exchanges = catalogue.venues(of: row.asset).map(\.rawValue)
        told = catalogue.told
        market = CoinMarket.best(markets)?.instrument.id
        let live = ticker?.last ?? ticker?.bid
        price = live ?? row.figures.price?.description
        let known = ticker?.origin.flatMap(PriceOrigin.init(rawValue:))
        origin = price == nil ? nil : live == nil ? .aggregated : known
        let own = ticker?.dayChangePercent.flatMap { try? Amount(parsing: $0) }
        change = own ?? row.figures.priceChange
        volume = [row.figures.volume, CoinMarket.turnover(markets)].compactMap { $0 }.max()
    }

    private var aggregated: Bool? { origin == .aggregated ? true : nil }

    private var icon: String { CoinIcon.path(of: row.asset) }

    var order: CoinOrder.Key {
        CoinOrder.Key(rank: row.rank, change: change, volume: volume, listed: row.figures.listed)
    }
}

/// A coin with all of its markets.
struct CoinDetailBody: WireBody {
    static let shape = BodyShape<CoinDetailBody>("CoinDetail") {
        Field(all: \.coin)
        Field("markets", \.markets, "What trades it, the most popular first, at most 200.")
    }

    let coin: CoinBody
    let markets: [CoinMarketBody]
}

/// A market of a coin.
struct CoinMarketBody: WireBody {
    static let shape = BodyShape<CoinMarketBody>("CoinMarket") {
        Field("instrument", \.market.instrument.id, example: "kraken:BTC/USD")
        Field(
            "kind", \.market.instrument.kind.rawValue,
            as: .words(InstrumentKind.allCases.map(\.rawValue)), example: "spot")
        Field(
            "proven", \.market.isProven, "Whether its price is of now, and of our tape or a proven book.",
            example: true)
        Field(
            ifPresent: "quote_volume", \.market.volume?.description,
            "Of 24 hours; left out where nobody says.", as: .decimal, example: "75000000")
    }

    let market: CoinMarket
}

import GatewayStream
import Instruments
import MarketData
import MarketState
import MarketStore
import Shapes
import Store

/// An instrument as a search tells it: the keys of `bitpal search --json`, with its whole name and state.
struct InstrumentBody: WireBody {
    static let shape = BodyShape<InstrumentBody>("Instrument") {
        Field("base", \.base, "What is bought or sold.", example: "BTC")
        Field("categories", \.categories, "Of the base asset.", example: ["Layer 1 (L1)"])
        Field(
            "exchanges", \.exchanges, "The venues that trade the base asset.", example: [.venue])
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field("kind", \.kind, as: .words(InstrumentKind.allCases.map(\.rawValue)), example: "spot")
        Field(
            ifPresent: "name", \.name, "The base asset's; left out when nobody has told it.",
            example: "Bitcoin")
        Field("quote", \.quote, "What is paid with.", example: "USD")
        Field(ifPresent: "rank", \.rank, "The base asset's by market capitalisation, from 1.", example: 1)
        Field("score", \.score, "How well it matches; 0 where nothing was searched for.", example: 14000)
        Field(
            ifPresent: "state", \.state, "How far its book may be believed; left out when nobody follows it.",
            as: .words(BookState.allCases.map(\.name)), example: "live")
        Field("symbol", \.symbol, "As the venue writes it.", example: "BTC/USD")
        Field("venue", \.venue, example: .venue)
    }

    var instrument: String
    var venue: String
    var symbol: String
    var base: String
    var quote: String
    var kind: String
    var name: String?
    var rank: Int32?
    var categories: [String]
    var exchanges: [String]
    var state: String?
    var score: Int

    init(_ instrument: Instrument, _ catalogue: MarketCatalogue, state: String?, score: Int = 0) {
        let asset = catalogue.asset(of: instrument)
        self.instrument = instrument.id.description
        (venue, symbol) = (instrument.id.venue.rawValue, instrument.id.symbol)
        (base, quote) = (instrument.base.rawValue, instrument.quote.rawValue)
        kind = instrument.kind.rawValue
        (name, rank, categories) = (asset?.name, asset?.rank, asset?.categories ?? [])
        exchanges = catalogue.venues(of: instrument.base).map(\.rawValue)
        self.state = state
        self.score = score
    }
}

/// Everything about one instrument.
struct InstrumentDetailBody: WireBody {
    static let shape = BodyShape<InstrumentDetailBody>("InstrumentDetail", sorted: true) {
        Field(all: \.body)
        Field("price_scale", \.instrument.priceScale.places, "Decimal places of prices.", example: 1)
        Field("size_scale", \.instrument.sizeScale.places, "Decimal places of amounts.", example: 8)
        Field(
            "tick_size", { $0.instrument.tickSize?.normalized.description },
            "The smallest step of prices; null where that is not known.", as: .nullable(.decimal),
            example: "0.1")
        Field(
            "lot_size", { $0.instrument.lotSize?.normalized.description },
            "The smallest step of amounts; null where that is not known.", as: .nullable(.decimal),
            example: "0.00000001")
        Field(
            "contract_multiplier", { $0.instrument.contractMultiplier?.normalized.description },
            "Units of the underlying in one contract; null for spot, or where that is not known.",
            as: .nullable(.decimal))
        Field(
            "is_inverse", \.instrument.isInverse,
            "Whether profit is paid in the base asset, and a contract is worth so much of the quote asset.",
            example: false)
        Field("listings", \.listings, "Where else the same pair trades, at most 100.")
        Field("ticker", \.ticker, "What is known of it now; null where that is nothing.")
    }

    /// Where else the same pair trades.
    struct Listing: WireBody {
        static let shape = BodyShape<Listing>("Listing") {
            Field("instrument", \.id, example: "kraken:BTC/USD")
            Field(
                "kind", \.kind.rawValue, as: .words(InstrumentKind.allCases.map(\.rawValue)),
                example: "perpetual")
            Field("venue", \.id.venue.rawValue, example: .venue)
        }

        var id: InstrumentID
        var kind: InstrumentKind
    }

    var body: InstrumentBody
    var instrument: Instrument
    var listings: [Listing]
    var ticker: TickerBody?
}

/// What moves, with what the catalogue says of it.
struct TrendingItemBody: WireBody {
    static let shape = BodyShape<TrendingItemBody>(
        "Trending",
        """
        Before the first hour of a new installation is scored: what moved most within the day so far, with \
        volume and price_change of that day, and without hour and scores.
        """, sorted: true
    ) {
        Field(all: \.body)
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field(
            ifPresent: "name", \.name, "The base asset's; left out when nobody has told it.",
            example: "Bitcoin")
        Field(
            "exchanges", \.exchanges, "The venues that trade the base asset.", example: [.venue])
    }

    var body: TrendingBody
    var instrument: String
    var name: String?
    var exchanges: [String]

    init(_ body: TrendingBody, _ known: [InstrumentID: Instrument], _ catalogue: MarketCatalogue) {
        self.body = body
        instrument = "\(body.venue):\(body.symbol)"
        let found = InstrumentID(instrument).flatMap { known[$0] }
        name = found.flatMap { catalogue.asset(of: $0)?.name }
        exchanges = found.map { catalogue.venues(of: $0.base).map(\.rawValue) } ?? []
    }
}

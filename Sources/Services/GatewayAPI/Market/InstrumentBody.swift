import Instruments
import MarketState
import MarketStore
import Store

/// An instrument as a search tells it: the keys of `bitpal search --json`, with its whole name and state.
struct InstrumentBody: Encodable, Sendable, Hashable {
    var instrument: String
    var venue: String
    var symbol: String
    var base: String
    var quote: String
    var kind: String
    /// The base asset's name; `nil` when nobody has told it.
    var name: String?
    var rank: Int32?
    var categories: [String]
    /// The venues that trade the base asset.
    var exchanges: [String]
    /// How far its book may be believed; `nil` when nobody follows it.
    var state: String?
    /// How well it matches; 0 where nothing was searched for.
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
struct InstrumentDetailBody: Encodable {
    /// Where else the same pair trades.
    struct Listing: Encodable, Hashable {
        var instrument: String
        var venue: String
        var kind: String
    }

    private enum CodingKeys: String, CodingKey {
        case priceScale = "price_scale"
        case sizeScale = "size_scale"
        case tickSize = "tick_size"
        case lotSize = "lot_size"
        case contractMultiplier = "contract_multiplier"
        case isInverse = "is_inverse"
        case listings, ticker
    }

    var body: InstrumentBody
    var instrument: Instrument
    var listings: [Listing]
    var ticker: TickerBody?

    func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(instrument.priceScale.places, forKey: .priceScale)
        try members.encode(instrument.sizeScale.places, forKey: .sizeScale)
        try members.encode(instrument.tickSize?.normalized.description, forKey: .tickSize)
        try members.encode(instrument.lotSize?.normalized.description, forKey: .lotSize)
        try members.encode(instrument.contractMultiplier?.normalized.description, forKey: .contractMultiplier)
        try members.encode(instrument.isInverse, forKey: .isInverse)
        try members.encode(listings, forKey: .listings)
        try members.encode(ticker, forKey: .ticker)
    }
}

/// What moves, with what the catalogue says of it.
struct TrendingItemBody: Encodable, Hashable {
    private enum CodingKeys: CodingKey { case instrument, name, exchanges }

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

    func encode(to encoder: any Encoder) throws {
        try body.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(instrument, forKey: .instrument)
        try members.encodeIfPresent(name, forKey: .name)
        try members.encode(exchanges, forKey: .exchanges)
    }
}

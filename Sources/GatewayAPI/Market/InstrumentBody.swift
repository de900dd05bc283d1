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

/// What moves, as `bitpal trending --json` has it.
struct TrendingItemBody: Encodable, Hashable {
    var hour: String
    var instrument: String
    var venue: String
    var symbol: String
    var name: String?
    var score: String
    var volumeScore: String
    var priceScore: String
    var volume: String
    var usualVolume: String
    /// Part of the price before: 0.05 is five percent.
    var priceChange: String
    var exchanges: [String]

    private enum CodingKeys: String, CodingKey {
        case hour, instrument, venue, symbol, name, score
        case volumeScore = "volume_score"
        case priceScore = "price_score"
        case volume
        case usualVolume = "usual_volume"
        case priceChange = "price_change"
        case exchanges
    }

    init(_ hour: Timestamp, _ row: TrendingRow, _ instrument: Instrument?, _ catalogue: MarketCatalogue) {
        self.hour = hour.iso8601(fractionDigits: 0)
        self.instrument = row.instrument.description
        (venue, symbol) = (row.instrument.venue.rawValue, row.instrument.symbol)
        name = instrument.flatMap { catalogue.asset(of: $0)?.name }
        (score, volumeScore) = (row.score.description, row.volumeScore.description)
        (priceScore, volume) = (row.priceScore.description, row.volume.description)
        (usualVolume, priceChange) = (row.usualVolume.description, row.priceChange.description)
        exchanges = instrument.map { catalogue.venues(of: $0.base).map(\.rawValue) } ?? []
    }
}

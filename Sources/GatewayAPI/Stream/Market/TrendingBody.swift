import Instruments
import MarketStore
import Store

/// How much an instrument moves, as `bitpal trending --json` has it.
struct TrendingBody: Encodable, Sendable, Hashable {
    var hour: String
    var venue: String
    var symbol: String
    var score: String
    var volumeScore: String
    var priceScore: String
    var volume: String
    var usualVolume: String
    var priceChange: String

    private enum CodingKeys: String, CodingKey {
        case hour, venue, symbol, score
        case volumeScore = "volume_score"
        case priceScore = "price_score"
        case volume
        case usualVolume = "usual_volume"
        case priceChange = "price_change"
    }

    init(_ hour: Timestamp, _ row: TrendingRow) {
        self.hour = hour.iso8601(fractionDigits: 0)
        (venue, symbol) = (row.instrument.venue.rawValue, row.instrument.symbol)
        (score, volumeScore, priceScore) = (
            row.score.description, row.volumeScore.description, row.priceScore.description
        )
        (volume, usualVolume) = (row.volume.description, row.usualVolume.description)
        priceChange = row.priceChange.description
    }
}

extension CandleBody {
    /// A stored candle; its volume in the quote asset is not known without the instrument's terms.
    init(_ row: CandleRow, of instrument: InstrumentID) {
        func text(_ price: Price) -> String { price.decimal(row.priceScale).normalized.description }
        func plain(_ number: Store.Numeric) -> String {
            (try? Amount(parsing: number.description))?.description ?? number.description
        }
        venue = instrument.venue.rawValue
        symbol = instrument.symbol
        interval = row.kind.name
        start = row.start.iso8601(fractionDigits: 0)
        (open, high, low, close) = (text(row.open), text(row.high), text(row.low), text(row.close))
        volume = plain(row.volume)
        quoteVolume = nil
        trades = UInt64(clamping: row.tradeCount)
        closed = row.flags.contains(.closed)
        complete = closed && !row.flags.contains(.incomplete)
        (amended, fromVenue) = (row.flags.contains(.amended), row.flags.contains(.fromVenue))
    }
}

package import Instruments
import MarketState
package import MarketStore
package import Shapes
import Store

/// How much an instrument moves, as `bitpal trending --json` has it.
///
/// A new installation has no score before its first hour is looked at: what moved most within the day, as far
/// as it was heard, stands in until then, without what nobody knows.
package struct TrendingBody: WireBody, Sendable, Hashable {
    package static let shape = BodyShape<TrendingBody>("TrendingScore") {
        Field(
            ifPresent: "hour", \.hour, "The hour that was scored.", as: .time,
            example: "2026-11-21T11:00:00Z")
        Field(
            ifPresent: "price_change", \.priceChange, "Part of the price before: 0.05 is five percent.",
            as: .decimal, example: "0.012")
        Field(ifPresent: "price_score", \.priceScore, as: .decimal, example: "92.4")
        Field(
            ifPresent: "score", \.score, "What it is sorted by, higher first.", as: .decimal,
            example: "412.5")
        Field("symbol", \.symbol, example: "BTC/USD")
        Field(
            ifPresent: "usual_volume", \.usualVolume, "What it usually is.", as: .decimal, example: "800.1")
        Field("venue", \.venue, example: .venue)
        Field(
            ifPresent: "volume", \.volume, "In the base asset, of 24 hours.", as: .decimal, example: "1234.5")
        Field(ifPresent: "volume_score", \.volumeScore, as: .decimal, example: "320.1")
    }

    var hour: String?
    package var venue: String
    package var symbol: String
    var score: String?
    var volumeScore: String?
    var priceScore: String?
    var volume: String?
    var usualVolume: String?
    /// Part of the price before: 0.05 is five percent.
    var priceChange: String?

    package init(_ hour: Timestamp, _ row: TrendingRow) {
        self.hour = hour.iso8601(fractionDigits: 0)
        (venue, symbol) = (row.instrument.venue.rawValue, row.instrument.symbol)
        (score, volumeScore, priceScore) = (
            row.score.description, row.volumeScore.description, row.priceScore.description
        )
        (volume, usualVolume) = (row.volume.description, row.usualVolume.description)
        priceChange = row.priceChange.description
    }

    private init(_ ticker: TickerBody, change: Amount?) {
        (venue, symbol, volume) = (ticker.venue, ticker.symbol, ticker.volume)
        priceChange = change?.description
    }

    /// What moved most within the day so far, up or down; then what did not move, by name.
    package static func moving(_ tickers: [TickerBody], limit: Int) -> [TrendingBody] {
        let bodies = tickers.filter { $0.last != nil || $0.bid != nil }.map { ticker in
            let change = ticker.changePercent.flatMap { try? Amount(parsing: $0) }
            return (change: change.map { $0 * Amount(units: 1, places: 2) }, ticker: ticker)
        }
        let sorted = bodies.sorted { left, right in
            let (first, second) = (left.change?.magnitude ?? .zero, right.change?.magnitude ?? .zero)
            return first == second ? left.ticker.instrument < right.ticker.instrument : first > second
        }
        return sorted.prefix(limit).map { TrendingBody($0.ticker, change: $0.change) }
    }
}

extension MarketView {
    /// The tickers of now, as they are told.
    package var tickerBodies: [TickerBody] {
        let condition = condition
        return tickers().map { TickerBody($0, condition) }
    }
}

extension CandleBody {
    /// A stored candle; its volume in the quote asset is not known without the instrument's terms.
    init(_ row: CandleRow, of instrument: InstrumentID) {
        func text(_ price: Price) -> String { price.decimal(row.priceScale).normalized.description }
        venue = instrument.venue.rawValue
        symbol = instrument.symbol
        interval = row.interval.rawValue
        start = row.start.iso8601(fractionDigits: 0)
        (open, high, low, close) = (text(row.open), text(row.high), text(row.low), text(row.close))
        volume = row.volumeText
        quoteVolume = nil
        trades = UInt64(clamping: row.tradeCount)
        closed = row.flags.contains(.closed)
        complete = closed && !row.flags.contains(.incomplete)
        (amended, fromVenue) = (row.flags.contains(.amended), row.flags.contains(.fromVenue))
    }
}

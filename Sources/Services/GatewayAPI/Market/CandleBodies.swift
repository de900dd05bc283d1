import GatewayFrame
import GatewayStream
import Instruments
import MarketState
import MarketStore
import Shapes

/// A candle of a list; whose it is stands beside the list.
struct ListedCandleBody: WireBody, Hashable, Sendable {
    static let shape = BodyShape<ListedCandleBody>("Candle") {
        Field(
            "amended", \.amended, "Whether trades that came later changed it after it was closed.",
            example: false)
        Field("close", \.close, as: .decimal, example: "61000.5")
        Field("closed", \.closed, "Whether its time is over.", example: true)
        Field(
            "complete", \.complete,
            "Whether its time is over and no trade of it is known to be missing.", example: true)
        Field("high", \.high, as: .decimal, example: "61010")
        Field("low", \.low, as: .decimal, example: "60990")
        Field("open", \.open, as: .decimal, example: "61000")
        Field(
            ifPresent: "quote_volume", \.quoteVolume,
            "The volume in the quote asset; left out where the terms of the instrument do not say it.",
            as: .decimal, example: "762500")
        Field("start", \.start, as: .time, example: "2026-11-21T12:00:00Z")
        Field("trades", \.trades, example: 240)
        Field(
            "volume", \.volume,
            "Of the base asset, or contracts where the instrument has a contract multiplier.", as: .decimal,
            example: "12.5")
    }

    var start: String
    var open: String
    var high: String
    var low: String
    var close: String
    var volume: String
    var quoteVolume: String?
    var trades: Int64
    var closed: Bool
    var complete: Bool
    var amended: Bool

    init(_ row: CandleRow, _ terms: ContractTerms) {
        func text(_ price: Price) -> String { price.decimal(row.priceScale).normalized.description }
        start = row.start.iso8601(fractionDigits: 0)
        (open, high, low, close) = (text(row.open), text(row.high), text(row.low), text(row.close))
        (volume, quoteVolume) = (row.volumeText, row.quoteVolume(terms))
        (trades, closed) = (row.tradeCount, row.flags.contains(.closed))
        (complete, amended) = (row.isComplete, row.flags.contains(.amended))
    }

    /// A candle as the stream tells it.
    init(_ said: CandleBody) {
        (start, open, high, low, close) = (said.start, said.open, said.high, said.low, said.close)
        (volume, quoteVolume, trades) = (said.volume, said.quoteVolume, Int64(clamping: said.trades))
        (closed, complete, amended) = (said.closed, said.complete, said.amended)
    }
}

/// A chart's candles, oldest first.
struct CandlesBody: WireBody {
    static let shape = BodyShape<CandlesBody>("Candles") {
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field("interval", \.interval.rawValue, "How long each is.", as: .intervals, example: "1m")
        Field("items", \.items, "Oldest first.")
        Field("next", \.next, "What cursor gives the ones before.")
    }

    var instrument: InstrumentID
    var interval: CandleInterval
    var items: [ListedCandleBody]
    var next: String?

    /// Puts the open candle behind the stored ones, if it is newer than they are and of the span.
    mutating func add(_ open: CandleBody, after rows: [CandleRow], _ question: CandleListQuery) {
        guard let start = Timestamp(iso8601: open.start), start >= question.from ?? start else { return }
        // Both are of whole seconds in the same form.
        guard items.last.map({ $0.start < open.start || ($0.start == open.start && !$0.closed) }) ?? true
        else { return }
        if items.last?.start == open.start { items.removeLast() }
        items.append(ListedCandleBody(open))
        // A chart has as many as its span; of shorter candles there may be more.
        guard question.range == nil, items.count > question.limit else { return }
        items.removeFirst()
        next = Cursor.text("candles", "\((rows.count > 1 ? rows[1].start : start).nanoseconds)")
    }
}

/// An indicator's values, oldest first.
struct IndicatorBody: WireBody {
    static let shape = BodyShape<IndicatorBody>("Indicator") {
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field("interval", \.interval.rawValue, "How long each candle is.", as: .intervals, example: "1h")
        Field(
            "items", \.items,
            "Oldest first: start, and the value of each of its lines; null before there are enough candles.",
            example: [["start": "2026-11-21T12:00:00Z", "value": "60950.1234"]])
        Field("name", \.name, "Which it is.", example: "ema")
        Field("next", \.next, "Always null: it comes whole.")
    }

    var instrument: InstrumentID
    var interval: CandleInterval
    var name: String
    var items: [[String: String?]]
    let next: String? = nil
}

extension Schema {
    /// How long a candle may be.
    fileprivate static let intervals = Schema.words(CandleInterval.allCases.map(\.rawValue))
}

import Instruments
import MarketState
import MarketStore
import Shapes
import Store

/// Candles of one instrument, oldest first, as they are printed.
struct CandleChart: Sendable {
    /// Candles without trades that are made at most.
    private static let flatLimit = 100_000

    let instrument: Instrument
    let interval: CandleInterval
    var rows: [CandleRow]

    /// Leaves out the candles without trades.
    mutating func dropFlat() { rows.removeAll { $0.flags.contains(.flat) } }

    /// Puts a candle without trades wherever one is missing after the first and before `end`.
    mutating func fill(until end: Timestamp) {
        let limit = rows.count + Self.flatLimit
        var filled: [CandleRow] = []
        for row in rows {
            Self.fill(&filled, until: row.start, interval, limit: limit)
            filled.append(row)
        }
        Self.fill(&filled, until: end, interval, limit: limit)
        rows = filled
    }

    private static func fill(
        _ rows: inout [CandleRow], until end: Timestamp, _ interval: CandleInterval, limit: Int
    ) {
        while let last = rows.last, rows.count < limit, interval.end(from: last.start) < end {
            let start = interval.end(from: last.start)
            rows.append(
                CandleRow(
                    interval: last.interval, start: start, openTime: start, closeTime: start,
                    open: last.close,
                    high: last.close, low: last.close, close: last.close, priceScale: last.priceScale,
                    sizeScale: last.sizeScale, tradeCount: 0, volume: .zero, takerBuyVolume: .zero,
                    notional: .zero, flags: [.flat, .closed]))
        }
    }

    // MARK: - Printing

    /// Prints every candle, as lines of JSON or as a table.
    func print(isJSON: Bool) throws {
        guard isJSON else {
            let terminal = Terminal()
            return try terminal.print(lines(columns: terminal.isInteractive ? terminal.size.columns : .max))
        }
        try StandardOutput.say(lines: lines)
    }

    private var lines: [CandleLine] {
        rows.map { CandleLine(candle: $0, instrument: instrument, interval: interval) }
    }

    func lines(columns: Int) -> [StyledLine] {
        let heading = StyledLine("\(instrument.id)  \(interval.rawValue)", .strong)
        guard !rows.isEmpty else {
            return [heading, StyledLine("no candles stored in this span; --backfill fetches them", .faint)]
        }
        return [heading] + CandleLine.table(lines).lines(columns: columns)
    }
}

/// A stored candle, as it is printed.
private struct CandleLine: PrintedRow {
    static let row = RowShape<CandleLine>("Candle") {
        Field(all: { InstrumentFields($0.instrument.id) })
        Field("interval", \.interval.rawValue, "How long it is.", example: "1m")
        Field("start", { $0.candle.start.iso8601(fractionDigits: 0) }, as: .time).column(as: "start (UTC)")
        Field("open", { $0.text($0.candle.open) }, as: .decimal, example: "61000").column(.right)
        Field("high", { $0.text($0.candle.high) }, as: .decimal, example: "61010").column(.right)
        Field("low", { $0.text($0.candle.low) }, as: .decimal, example: "60990").column(.right)
        Field("close", { $0.text($0.candle.close) }, as: .decimal, example: "61000.5").column(.right)
        Field(
            "volume", \.candle.volumeText, "Of the base asset, or contracts.", as: .decimal, example: "12.5"
        ).column(.right)
        Field(
            "quote_volume", { $0.candle.quoteVolume(ContractTerms($0.instrument)) },
            "In the quote asset; null where the terms of the instrument do not say it.",
            as: .nullable(.decimal), example: "762500"
        ).column(.right, orElse: "-")
        Field("trades", \.candle.tradeCount, example: 240).column(.right)
        Field(
            "complete", \.candle.isComplete,
            "Whether its time is over and no trade of it is known to be missing.", example: true)
        Field("amended", { $0.candle.flags.contains(.amended) }, "Whether it changed after it was closed.")
        Field("from_venue", { $0.candle.flags.contains(.fromVenue) }, "Whether the venue made it.")
        Column("") { TextTable.Cell($0.words, .faint) }
    }

    let candle: CandleRow
    let instrument: Instrument
    let interval: CandleInterval

    private func text(_ price: Price) -> String { price.decimal(candle.priceScale).normalized.description }

    private var words: String {
        var words: [String] = []
        if !candle.flags.contains(.closed) { words.append("open") }
        if candle.flags.contains(.incomplete) { words.append("incomplete") }
        if candle.flags.contains(.amended) { words.append("amended") }
        if candle.flags.contains(.fromVenue) { words.append("of the venue") }
        if candle.flags.contains(.flat) { words.append("no trades") }
        return words.joined(separator: ", ")
    }
}

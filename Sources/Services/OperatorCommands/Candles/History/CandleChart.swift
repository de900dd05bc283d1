import Instruments
import JSON
import MarketState
import MarketStore
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
        let output = StandardOutput()
        var line = JSONWriter()
        for row in rows {
            line.removeAll()
            write(row, to: &line)
            try output.write(line.bytes)
        }
        try output.flush()
    }

    func write(_ row: CandleRow, to line: inout JSONWriter) {
        line.beginObject()
        line.key("venue")
        line.string(instrument.id.venue.rawValue)
        line.key("symbol")
        line.string(instrument.id.symbol)
        line.key("interval")
        line.string(interval.rawValue)
        line.key("start")
        line.string(row.start.iso8601(fractionDigits: 0))
        for (name, price) in [("open", row.open), ("high", row.high), ("low", row.low), ("close", row.close)]
        {
            line.key(name)
            line.string(price.decimal(row.priceScale).normalized.description)
        }
        line.key("volume")
        line.string(row.volumeText)
        line.key("quote_volume")
        line.string(row.quoteVolume(ContractTerms(instrument)))
        line.key("trades")
        line.integer(row.tradeCount)
        line.key("complete")
        line.bool(row.isComplete)
        line.key("amended")
        line.bool(row.flags.contains(.amended))
        line.key("from_venue")
        line.bool(row.flags.contains(.fromVenue))
        line.endObject()
        line.endLine()
    }

    func lines(columns: Int) -> [StyledLine] {
        let heading = StyledLine("\(instrument.id)  \(interval.rawValue)", .strong)
        guard !rows.isEmpty else {
            return [heading, StyledLine("no candles stored in this span; --backfill fetches them", .faint)]
        }
        var table = TextTable([
            ("start (UTC)", .left), ("open", .right), ("high", .right), ("low", .right), ("close", .right),
            ("volume", .right), ("quote volume", .right), ("trades", .right), ("", .left),
        ])
        for row in rows {
            let prices = [row.open, row.high, row.low, row.close].map {
                TextTable.Cell($0.decimal(row.priceScale).normalized.description)
            }
            table.append(
                [TextTable.Cell(row.start.iso8601(fractionDigits: 0))] + prices + [
                    TextTable.Cell(row.volumeText),
                    TextTable.Cell(row.quoteVolume(ContractTerms(instrument)) ?? "-"),
                    TextTable.Cell(String(row.tradeCount)), TextTable.Cell(Self.words(row), .faint),
                ])
        }
        return [heading] + table.lines(columns: columns)
    }

    private static func words(_ row: CandleRow) -> String {
        var words: [String] = []
        if !row.flags.contains(.closed) { words.append("open") }
        if row.flags.contains(.incomplete) { words.append("incomplete") }
        if row.flags.contains(.amended) { words.append("amended") }
        if row.flags.contains(.fromVenue) { words.append("of the venue") }
        if row.flags.contains(.flat) { words.append("no trades") }
        return words.joined(separator: ", ")
    }
}

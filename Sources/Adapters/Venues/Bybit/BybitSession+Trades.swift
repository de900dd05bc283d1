import Instruments
import MarketData

/// A row of a tape, in the words of any route.
private struct BybitTradeRow {
    var symbol = JSONText(start: 0, count: 0, hasEscapes: false)
    var side: Side?
    var price: DecimalNumber?
    var size: DecimalNumber?
    var id: String?
    var venueTime: Timestamp?

    /// Reads a row of `publicTrade` (`T, s, S, v, p, i`), of V2's `trade` (`symbol, side, size, price,
    /// trade_time_ms, trade_id`), or of the REST route (`execId, symbol, price, size, side, time`).
    init(_ scanner: inout JSONScanner) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "s") || scanner.equals(key, "symbol") {
                symbol = try scanner.text()
            } else if scanner.equals(key, "S") || scanner.equals(key, "side") {
                let text = try scanner.text()
                side = scanner.equals(text, "Buy") ? .buy : scanner.equals(text, "Sell") ? .sell : nil
            } else if scanner.equals(key, "p") || scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "v") || scanner.equals(key, "size") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "i") || scanner.equals(key, "execId")
                || scanner.equals(key, "trade_id")
            {
                id = scanner.string(try scanner.scalarText())
            } else if scanner.equals(key, "T") || scanner.equals(key, "time")
                || scanner.equals(key, "trade_time_ms")
            {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else {
                try scanner.skip()
            }
        }
    }
}

extension BybitSession {
    /// Rows of a tape, earliest first.
    mutating func readTrades(
        _ scanner: inout JSONScanner, on connection: Int, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            let row = try BybitTradeRow(&scanner)
            let index = instrument(scanner.bytes(row.symbol), on: connection)
            try say(row, of: index, isBackfill: isBackfill, at: time, into: &output)
        }
    }

    /// The REST route's list, newest first, said in the other order.
    mutating func readTradesAnswer(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var rows: [BybitTradeRow] = []
        try scanner.array { scanner throws(ScanError) in rows.append(try BybitTradeRow(&scanner)) }
        for row in rows.reversed() { try say(row, of: index, isBackfill: true, at: time, into: &output) }
    }

    private mutating func say(
        _ row: BybitTradeRow, of index: InstrumentIndex?, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let side = row.side, let price = row.price, let size = row.size, let id = row.id, !id.isEmpty,
            let venueTime = row.venueTime
        else { throw .malformed }
        guard let index, core.wants(.trade, index) else {
            output.counters.unexpected &+= 1
            return
        }
        // Before the scales, which a row without an execution must not make finer.
        guard output.accepts(price, size, of: index, id: id) else { return }
        let (scaledPrice, scaledSize) = try core.scale(price, size, index)
        let scales = core.scales(of: index)
        output.events.append(
            .trade(
                index,
                Trade(
                    id: id, side: side, price: scaledPrice, size: scaledSize, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: venueTime, receivedTime: time,
                    isBackfill: isBackfill)))
    }
}

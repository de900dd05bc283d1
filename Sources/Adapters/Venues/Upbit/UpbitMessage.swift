import Instruments
import MarketData

/// A message of any type, with the names of either format: `DEFAULT` spells out what `SIMPLE` abbreviates.
///
/// Source: Upbit, "WebSocket, Orderbook", "Trade", "Ticker" and "Candle", and a recording.
struct UpbitMessage {
    var type: JSONText?
    var code: JSONText?
    /// When the venue said it.
    var venueTime: Timestamp?
    /// When a trade happened, where that is another time.
    var tradeTime: Timestamp?
    /// When a candle begins.
    var start: Timestamp?
    var levels: [RawLevel]?
    var side: Side?
    var id: String?
    /// Of a trade, of the latest one, or a candle's last.
    var price: DecimalNumber?
    var size: DecimalNumber?
    var open: DecimalNumber?
    var high: DecimalNumber?
    var low: DecimalNumber?
    var candleVolume: DecimalNumber?
    /// Whether it tells what was before the subscription.
    var isSnapshot = false
    /// The name of an error.
    var error: String?
}

extension UpbitMessage {
    /// Reads an object; the scanner stands behind it.
    static func read(_ scanner: inout JSONScanner) throws(ScanError) -> UpbitMessage {
        var message = UpbitMessage()
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.takeNull() { return }
            if try message.readHead(&scanner, key) { return }
            if try message.readNumber(&scanner, key) { return }
            try scanner.skip()
        }
        return message
    }

    private mutating func readHead(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "type") || scanner.equals(key, "ty") {
            type = try scanner.text()
        } else if scanner.equals(key, "code") || scanner.equals(key, "cd") || scanner.equals(key, "market") {
            code = try scanner.text()
        } else if scanner.equals(key, "timestamp") || scanner.equals(key, "tms") {
            venueTime = Timestamp(milliseconds: try scanner.integer())
        } else if scanner.equals(key, "trade_timestamp") || scanner.equals(key, "ttms") {
            tradeTime = Timestamp(milliseconds: try scanner.integer())
        } else if scanner.equals(key, "orderbook_units") || scanner.equals(key, "obu") {
            levels = try Self.units(&scanner)
        } else if scanner.equals(key, "ask_bid") || scanner.equals(key, "ab") {
            let text = try scanner.text()
            side = scanner.equals(text, "BID") ? .buy : scanner.equals(text, "ASK") ? .sell : nil
        } else if scanner.equals(key, "sequential_id") || scanner.equals(key, "sid") {
            id = scanner.string(try scanner.scalarText())
        } else if scanner.equals(key, "stream_type") || scanner.equals(key, "st") {
            isSnapshot = scanner.equals(try scanner.text(), "SNAPSHOT")
        } else if scanner.equals(key, "candle_date_time_utc") || scanner.equals(key, "cdttmu") {
            start = scanner.plainTime(try scanner.text())
        } else if scanner.equals(key, "error") {
            error = try HistoryText.field("name", in: &scanner) ?? ""
        } else {
            return false
        }
        return true
    }

    private mutating func readNumber(
        _ scanner: inout JSONScanner, _ key: JSONText
    ) throws(ScanError) -> Bool {
        if scanner.equals(key, "trade_price") || scanner.equals(key, "tp") {
            price = try scanner.anyDecimal()
        } else if scanner.equals(key, "trade_volume") || scanner.equals(key, "tv") {
            size = try scanner.anyDecimal()
        } else if scanner.equals(key, "opening_price") || scanner.equals(key, "op") {
            open = try scanner.anyDecimal()
        } else if scanner.equals(key, "high_price") || scanner.equals(key, "hp") {
            high = try scanner.anyDecimal()
        } else if scanner.equals(key, "low_price") || scanner.equals(key, "lp") {
            low = try scanner.anyDecimal()
        } else if scanner.equals(key, "candle_acc_trade_volume") || scanner.equals(key, "catv") {
            candleVolume = try scanner.anyDecimal()
        } else {
            return false
        }
        return true
    }

    /// Pairs of an ask and a bid; where one side is shorter its price and size are 0.
    private static func units(_ scanner: inout JSONScanner) throws(ScanError) -> [RawLevel] {
        var levels: [RawLevel] = []
        try scanner.array { scanner throws(ScanError) in
            var ask: (price: DecimalNumber?, size: DecimalNumber?)
            var bid: (price: DecimalNumber?, size: DecimalNumber?)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "ask_price") || scanner.equals(key, "ap") {
                    ask.price = try scanner.anyDecimal()
                } else if scanner.equals(key, "ask_size") || scanner.equals(key, "as") {
                    ask.size = try scanner.anyDecimal()
                } else if scanner.equals(key, "bid_price") || scanner.equals(key, "bp") {
                    bid.price = try scanner.anyDecimal()
                } else if scanner.equals(key, "bid_size") || scanner.equals(key, "bs") {
                    bid.size = try scanner.anyDecimal()
                } else {
                    try scanner.skip()
                }
            }
            for (side, level) in [(BookSide.ask, ask), (.bid, bid)] {
                guard let price = level.price, let size = level.size, price.units != 0, size.units != 0 else {
                    continue
                }
                levels.append(RawLevel(side: side, price: price, size: size))
            }
        }
        return levels
    }
}

import Instruments
import JSON
import MarketState

/// Source: BitMEX, "API explorer, /trade/bucketed", read 2026-11.
extension BitMEXDialect {
    func candleQuestion(_ address: RequestAddress, symbols: [String]) -> Question {
        guard let symbol = address["symbol"], symbols.contains(symbol) else {
            return .settled(RESTAnswer(status: 200, "[]"))
        }
        let sizes: [String: CandleInterval] = ["1m": .minute, "5m": .fiveMinutes, "1h": .hour, "1d": .day]
        guard let interval = sizes[address["binSize"] ?? "1m"] else {
            return .settled(
                RESTAnswer(
                    status: 400,
                    #"{"error":{"message":"binSize is one of 1m, 5m, 1h, 1d.","name":"ValidationError"}}"#))
        }
        let count = Int(min(max(address.integer("count") ?? 100, 1), 1_000))
        var query = CandleQuery(symbol: symbol, interval: interval, limit: count)
        query.isReversed = address["reverse"] == "true"
        query.takesNewest = query.isReversed
        for (name, path) in [("startTime", \CandleQuery.start), ("endTime", \CandleQuery.end)] {
            guard let text = address[name] else { continue }
            guard let time = BitMEXDialect.time(text) else { return .settled(badRequest(name)) }
            // A bucket's time is its end.
            query[keyPath: path] = time.adding(nanoseconds: -interval.nanoseconds)
        }
        return .candles(query)
    }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        var wanted = candles.filter { $0.flags.contains(.closed) && query.contains($0.start) }
        if query.isReversed { wanted.reverse() }
        return JSONWriter.rows { writer in
            for candle in wanted.prefix(query.limit) {
                let sums = candle.sums
                writer.object { writer in
                    writer.text("timestamp", candle.end.iso8601(fractionDigits: 3))
                    writer.text("symbol", query.symbol)
                    for (name, price) in [
                        ("open", sums.open), ("high", sums.high), ("low", sums.low), ("close", sums.close),
                    ] {
                        writer.key(name)
                        writer.number(sums.decimal(price: price).normalized.description)
                    }
                    writer.pair("trades", sums.count)
                    writer.key("volume")
                    writer.number(sums.decimal(size: sums.volume).normalized.description)
                }
            }
        }
    }
}

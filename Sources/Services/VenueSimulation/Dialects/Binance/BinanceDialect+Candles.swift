import Instruments
import JSON
import MarketState

/// Source: Binance, "Spot API, Market data endpoints" and "USDⓈ-M futures", read 2026-11.
extension BinanceDialect {
    func candleQuestion(_ address: RequestAddress, _ symbol: String, limit: Int) -> Question {
        guard let interval = CandleInterval(rawValue: address["interval"] ?? ""),
            interval != .second || hasSecondCandles
        else {
            return .settled(RESTAnswer(status: 400, #"{"code":-1120,"msg":"Invalid interval."}"#))
        }
        var query = CandleQuery(
            symbol: symbol, interval: interval,
            start: address.integer("startTime").flatMap { Timestamp(milliseconds: $0) },
            end: address.integer("endTime").flatMap { Timestamp(milliseconds: $0) }, limit: limit)
        query.takesNewest = query.start == nil
        return .candles(query)
    }

    /// The venue also gives the candle that is open; here it is left out, since a client that goes by the
    /// time of day would take one of an old recording for final.
    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        var rows = recorded.filter { query.contains($0.key) }.mapValues(\.row)
        for candle in candles where candle.flags.contains(.closed) && query.contains(candle.start) {
            if rows[candle.start] == nil { rows[candle.start] = row(candle) }
        }
        let sorted = rows.sorted { $0.key < $1.key }
        let page = query.takesNewest ? sorted.suffix(query.limit) : sorted.prefix(query.limit)
        return JSONWriter.rows(page.map(\.value))
    }

    private func row(_ candle: Candle) -> [UInt8] {
        let sums = candle.sums
        let close = milliseconds(candle.end) - 1
        let prices = [sums.open, sums.high, sums.low, sums.close]
            .map { "\"\(sums.decimal(price: $0))\"" }.joined(separator: ",")
        let bought = sums.decimal(size: sums.takerBuyVolume)
        return Array(
            """
            [\(milliseconds(candle.start)),\(prices),"\(sums.decimal(size: sums.volume))",\(close),\
            "\(sums.notionalValue.normalized)",\(sums.count),"\(bought)","0","0"]
            """.utf8)
    }

    /// `kline` with `k.x`: the columns of the route under the names of the stream.
    func recordedCandle(_ frame: [UInt8]) -> RecordedCandle? {
        guard let message = JSONValue(message: frame), let kline = (message["data"] ?? message)["k"],
            kline["x"]?.flag == true, let symbol = kline["s"]?.text,
            let interval = kline["i"]?.text.flatMap({ CandleInterval(rawValue: $0) }),
            let start = kline["t"]?.integer.flatMap({ Timestamp(milliseconds: $0) })
        else { return nil }
        let names = ["t", "o", "h", "l", "c", "v", "T", "q", "n", "V", "Q", "B"]
        let values = names.compactMap { kline[$0] }
        guard values.count == names.count else { return nil }
        let row = JSONWriter.rows { writer in
            for value in values { writer.value(value) }
        }
        return RecordedCandle(symbol: symbol, interval: interval, start: start, row: row)
    }
}

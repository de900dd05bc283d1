import Instruments
import MarketState

/// Source: Kraken, "Spot REST API, Get OHLC data", read 2026-11.
extension KrakenREST {
    static func candleQuestion(_ address: RequestAddress, _ symbol: String) -> Question {
        let minutes = address.integer("interval") ?? 1
        // Weeks of Kraken begin on Thursday: they are not made here.
        guard
            let interval = CandleInterval.allCases.first(where: {
                $0 != .week && $0.seconds == minutes.multipliedReportingOverflow(by: 60).partialValue
            })
        else { return .settled(RESTAnswer(status: 200, #"{"error":["EGeneral:Invalid arguments"]}"#)) }
        var query = CandleQuery(symbol: symbol, interval: interval, limit: 720)
        // What begins at `since` is left out.
        query.start = address.integer("since").flatMap { Timestamp(milliseconds: $0 &* 1_000) }?
            .adding(nanoseconds: 1)
        return .candles(query)
    }

    /// The newest rows that were asked for, and the one that is open in any case.
    static func candles(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        let wanted = candles.filter { query.contains($0.start) || !$0.flags.contains(.closed) }
        var text = JSONBytes("{\"error\":[],\"result\":{")
        text.string(name(query.symbol))
        text.raw(":[")
        let page = wanted.suffix(query.limit + 1)
        for candle in page {
            let sums = candle.sums
            let prices = [sums.open, sums.high, sums.low, sums.close].map { sums.decimal(price: $0) }
            let average = Scale(Int(sums.pricePlaces)).flatMap { scale in
                sums.averagePrice?.price(at: scale, roundedTo: scale)
            }
            text.separator()
            text.raw("[\(candle.start.nanoseconds / 1_000_000_000)")
            for price in prices { text.raw(",\"\(price)\"") }
            text.raw(",\"\(average?.description ?? "0")\",\"\(sums.decimal(size: sums.volume))\"")
            text.raw(",\(sums.count)]")
        }
        // The last row that is final.
        let last = page.last { $0.flags.contains(.closed) }?.start ?? query.start ?? .zero
        text.raw("],\"last\":\(last.nanoseconds / 1_000_000_000)}}")
        return text.bytes
    }
}

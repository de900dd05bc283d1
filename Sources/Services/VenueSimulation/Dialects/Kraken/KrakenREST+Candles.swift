import Instruments
import JSON
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
        var query = CandleQuery(symbol: symbol, interval: interval, limit: 720, takesNewest: true)
        // What begins at `since` is left out.
        query.start = address.integer("since").flatMap { Timestamp(milliseconds: $0 &* 1_000) }?
            .adding(nanoseconds: 1)
        return .candles(query)
    }

    /// The newest rows that were asked for, and the one that is open in any case.
    static func candles(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] {
        let wanted = candles.filter { query.contains($0.start) || !$0.flags.contains(.closed) }
        let page = wanted.suffix(query.limit + 1)
        // The last row that is final.
        let last = page.last { $0.flags.contains(.closed) }?.start ?? query.start ?? .zero
        return answer { writer in
            writer.array(name(query.symbol)) { writer in
                for candle in page { writer.array { write(candle, to: &$0) } }
            }
            writer.pair("last", last.nanoseconds / 1_000_000_000)
        }
    }

    private static func write(_ candle: Candle, to writer: inout JSONWriter) {
        let sums = candle.sums
        writer.integer(candle.start.nanoseconds / 1_000_000_000)
        for price in [sums.open, sums.high, sums.low, sums.close] {
            writer.string(sums.decimal(price: price).description)
        }
        let average = Scale(Int(sums.pricePlaces)).flatMap { scale in
            sums.averagePrice?.price(at: scale, roundedTo: scale)
        }
        writer.string(average?.description ?? "0")
        writer.string(sums.decimal(size: sums.volume).description)
        writer.integer(sums.count)
    }
}

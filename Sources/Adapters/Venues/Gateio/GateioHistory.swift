import Instruments
import MarketData

/// Gate's candlesticks.
///
/// Sources, not confirmed: Gate, "API v4, Market candlesticks" of spot (at most 1,000 rows; not more than
/// 10,000 candles back) and "Futures market K-line" (at most 2,000); "Rate limits": 200 requests in 10 s.
enum GateioHistory {
    static func route(_ market: GateioMarket) -> HistoryRoute {
        HistoryRoute(
            lengths: HistoryRoute.usualLengths, pageSize: 900,
            pace: HistoryPace(capacity: 10, refillEvery: 200_000_000, cost: 1),
            address: { url(market, $0) }, read: read, complaint: complaint)
    }

    private static func url(_ market: GateioMarket, _ question: HistoryQuery) -> String {
        let from = question.from.nanoseconds / 1_000_000_000
        // Both ends are included; a limit may not be named beside them.
        let to = question.to.nanoseconds / 1_000_000_000 - 1
        return "\(market.path)candlesticks?\(market.symbolName)=\(URLText.escape(question.symbol))"
            + "&interval=\(name(question.seconds))&from=\(from)&to=\(to)"
    }

    private static func name(_ seconds: Int64) -> String {
        switch seconds {
        case 86_400...: "\(seconds / 86_400)d"
        case 3_600...: "\(seconds / 3_600)h"
        default: "\(seconds / 60)m"
        }
    }

    /// Reads rows: lists on spot, objects on futures.
    private static func read(
        _ scanner: inout JSONScanner, seconds: Int64
    ) throws(ScanError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        try scanner.array { scanner throws(ScanError) in
            let isList = try scanner.peek() == 0x5B
            candles.append(isList ? try readList(&scanner) : try readObject(&scanner))
        }
        try scanner.expectEnd()
        return candles
    }

    /// Start, volume in the quote asset, close, high, low, open, volume in the base asset.
    private static func readList(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var prices: [DecimalNumber] = []
        var (volume, notional) = (Amount.zero, Amount.zero)
        try scanner.row(7) { scanner, place throws(ScanError) in
            switch place {
            case 0: start = try scanner.gateioTime()
            case 1: notional = try scanner.volume()
            case 2...5: prices.append(try scanner.rawDecimal())
            case 6: volume = try scanner.volume()
            default: try scanner.skip()
            }
        }
        guard let start, prices.count == 4 else { throw .malformed }
        // The venue does not count the trades of a candle.
        return HistoryCandle(
            start: start, open: prices[3], high: prices[1], low: prices[2], close: prices[0], volume: volume,
            notional: notional, takerBuyVolume: nil, tradeCount: 0)
    }

    /// `t, v, c, h, l, o`, where `v` counts contracts.
    private static func readObject(_ scanner: inout JSONScanner) throws(ScanError) -> HistoryCandle {
        var start: Timestamp?
        var (open, high, low, close): (DecimalNumber?, DecimalNumber?, DecimalNumber?, DecimalNumber?)
        var volume = Amount.zero
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x74: start = try scanner.gateioTime()  // t
            case 0x76: volume = try scanner.volume()  // v
            case 0x6F: open = try scanner.rawDecimal()
            case 0x68: high = try scanner.rawDecimal()
            case 0x6C: low = try scanner.rawDecimal()  // l
            case 0x63: close = try scanner.rawDecimal()
            default: try scanner.skip()
            }
        }
        guard let start, let open, let high, let low, let close else { throw .malformed }
        return HistoryCandle(
            start: start, open: open, high: high, low: low, close: close, volume: volume, notional: nil,
            takerBuyVolume: nil, tradeCount: 0)
    }

    /// Reads `label` and `message`.
    private static func complaint(_ scanner: inout JSONScanner) throws(ScanError) -> String? {
        try HistoryText.field("message", in: &scanner)
    }
}

import Foundation
import Instruments
import MarketState
import Recordings
import Support
import Testing

@testable import OperatorCommands

/// Candles of recorded trades beside the venue's own, and beside an aggregation that shares no code.
@Suite("Candles of recordings", .enabled(if: RecordingsFolder.isAvailable))
struct VenueCandleTests {
    private struct Row: Decodable {
        var symbol: String
        var start: String?
        var interval: String?
        var closed: Bool?
        var o, h, l, c, v: String?
        var n: String?
        var price, amount, ts: String?
        var received_at: String?
    }

    private static let names = [
        "binance_20211012", "binanceus_20211012", "binancefutures_20210722", "binanceusdm_btcusdt_20240808",
        "bitget_20220407",
        "bitmex_20210722", "kraken_v1_20210417", "krakenfutures_20210722", "gemini_20210624",
        "huobi_20210417", "kucoin_20210425",
        "gateio_20210422", "okx_20220513", "upbit_20210417", "bitfinex_20210417", "bybit_v2_20210417",
    ]

    private static func rows(_ path: String) throws -> [Row] {
        let file = try TextFile(path: path)
        var rows: [Row] = []
        while let line = try file.next() {
            // Gate.io's candles have other keys.
            if let row = try? JSONDecoder().decode(Row.self, from: Data(line)) { rows.append(row) }
        }
        return rows
    }

    private static func decimal(_ text: String?) -> Decimal? { text.flatMap { Decimal(string: $0) } }

    @Test("equal the venue's own wherever the recording holds the whole interval")
    func venueCandles() throws {
        var compared = 0
        for name in Self.names {
            guard let trades = RecordingsFolder.expected(name, "trades.jsonl.gz"),
                let candles = RecordingsFolder.expected(name, "candles.jsonl.gz")
            else { continue }
            let report = try CandleReport(path: trades, interval: .minute)
            var own: [String: CandleSums<Int128>] = [:]
            report.forEach { own["\($0.symbol ?? "") \($1.nanoseconds / 1_000_000)"] = $2 }
            let times = try Self.rows(trades).compactMap { Double($0.received_at ?? "") }
            let (first, last) = (times.min() ?? 0, times.max() ?? 0)
            for row in try Self.rows(candles) where row.closed == true && row.interval == "1m" {
                guard let start = row.start.flatMap(Double.init), start / 1_000 >= first,
                    start / 1_000 + 60 <= last
                else { continue }
                let sums = try #require(own["\(row.symbol) \(row.start ?? "")"])
                #expect(Self.decimal(sums.decimal(price: sums.open).description) == Self.decimal(row.o))
                #expect(Self.decimal(sums.decimal(price: sums.high).description) == Self.decimal(row.h))
                #expect(Self.decimal(sums.decimal(price: sums.low).description) == Self.decimal(row.l))
                #expect(Self.decimal(sums.decimal(price: sums.close).description) == Self.decimal(row.c))
                #expect(Self.decimal(sums.decimal(size: sums.volume).description) == Self.decimal(row.v))
                #expect(row.n == nil || row.n == String(sums.count))
                compared += 1
            }
        }
        print("compared \(compared) venue candles that a recording wholly covers")
    }

    /// Bitget opens a candle at the close of the one before, so that its high and low may be that price;
    /// its trades come newest first.
    @Test("equal Bitget's own wherever its images of trades and candles hold the whole interval")
    func bitget() throws {
        guard let trades = RecordingsFolder.expected("bitget_20220407", "trades.jsonl.gz"),
            let candles = RecordingsFolder.expected("bitget_20220407", "candles.jsonl.gz")
        else { return }
        var times: [String: (first: Double, last: Double)] = [:]
        for row in try Self.rows(trades) {
            let time = Double(row.ts ?? "") ?? 0
            let known = times[row.symbol] ?? (time, time)
            times[row.symbol] = (min(known.first, time), max(known.last, time))
        }
        var own: [String: CandleSums<Int128>] = [:]
        try CandleReport(path: trades, interval: .minute).forEach {
            own["\($0.symbol ?? "") \($1.nanoseconds / 1_000_000)"] = $2
        }
        // The last image of a candle is the final one.
        var last: [String: Row] = [:]
        for row in try Self.rows(candles) { last["\(row.symbol) \(row.start ?? "")"] = row }
        var compared = 0
        for (key, row) in last {
            guard let sums = own[key], let start = row.start.flatMap(Double.init),
                let time = times[row.symbol],
                start > time.first, start + 60_000 <= time.last
            else { continue }
            let open = try #require(Self.decimal(row.o))
            let high = try #require(Self.decimal(sums.decimal(price: sums.high).description))
            let low = try #require(Self.decimal(sums.decimal(price: sums.low).description))
            #expect(max(high, open) == Self.decimal(row.h) && min(low, open) == Self.decimal(row.l), "\(key)")
            #expect(
                Self.decimal(sums.decimal(size: sums.volume).description) == Self.decimal(row.v), "\(key)")
            compared += 1
        }
        #expect(compared > 0)
        print("compared \(compared) candles of Bitget")
    }

    @Test("equal an aggregation in Foundation's decimals, field by field", arguments: names)
    func independent(name: String) throws {
        guard let path = RecordingsFolder.expected(name, "trades.jsonl.gz") else { return }
        var groups: [String: [(price: Decimal, size: Decimal)]] = [:]
        for row in try Self.rows(path) {
            let time = try #require(Array((row.ts ?? "").utf8).withUnsafeBytes(TradeTime.parse))
            let key = "\(row.symbol) \(time.nanoseconds / 60_000_000_000)"
            let price = try #require(Self.decimal(row.price))
            groups[key, default: []].append((price, try #require(Self.decimal(row.amount))))
        }
        let report = try CandleReport(path: path, interval: .minute)
        #expect(report.duplicates == 0)
        var seen = 0
        report.forEach { subject, start, sums in
            let group = groups["\(subject.symbol ?? "") \(start.nanoseconds / 60_000_000_000)"] ?? []
            let value = group.reduce(Decimal(0)) { $0 + $1.price * $1.size }
            #expect(Self.decimal(sums.notionalValue.description) == value)
            let volume = group.reduce(Decimal(0)) { $0 + $1.size }
            #expect(Self.decimal(sums.decimal(size: sums.volume).description) == volume)
            #expect(Self.decimal(sums.decimal(price: sums.high).description) == group.map(\.price).max())
            #expect(Self.decimal(sums.decimal(price: sums.low).description) == group.map(\.price).min())
            #expect(sums.count == Int64(group.count))
            seen += 1
        }
        #expect(seen == groups.count)
    }
}

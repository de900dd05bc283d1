import Foundation
import Instruments
import Logging
import MarketData
import MarketState
import MarketStore
import Store
import Support

/// What PostgreSQL stores and answers, on a cluster of its own with every commit on the disk.
enum StoreBench {
    private static let instrumentCount = 100
    /// 2021-07-22T00:00:00Z.
    private static let midnight: Int64 = 1_626_912_000_000_000_000
    private static let hour: Int64 = 3_600_000_000_000
    private static let hours = 8_760
    private static let logger = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    static func run() async throws -> [Measurement] {
        try await DurableStore.use("bitpal-bench") { configuration in
            var configuration = configuration
            configuration.statementTimeout = .seconds(300)
            try await MarketSchema.migrator.migrate(configuration, logger: logger)
            return try await Database.use(configuration, logger: logger) { database in
                try await database.store(instruments, at: .zero)
                return try await trades(database) + charts(database)
            }
        }
    }

    private static let instruments = (0..<instrumentCount).map { number in
        Instrument(
            id: InstrumentID(venue: .kraken, symbol: "S\(number)/USD"), base: Asset(rawValue: "S\(number)"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero)
    }

    // MARK: - Trades

    /// Rows a second of the statement that feed-ingestor uses, by as many writers as there are cores, beside
    /// COPY of the same rows into a table without an index, a constraint or a partition.
    private static func trades(_ database: Database) async throws -> [Measurement] {
        let writers = ProcessInfo.processInfo.activeProcessorCount
        try await database.withSession { session in
            try session.script("CREATE TABLE plain_trade (LIKE market.trade)")
        }
        var stored: [Double] = []
        var copied: [Double] = []
        for run in 0..<3 {
            stored.append(
                try await rate(writers) { writer, part in
                    let batch = batch(run: run, writer: writer, part: part)
                    return try await database.insert(batch).reduce(0) { $0 + $1.inserted }
                })
            copied.append(
                try await rate(writers) { writer, part in
                    let first = number(run: run, writer: writer, part: part)
                    return try await database.withSession { session in
                        try session.copy((first..<first + batchSize).lazy.map(PlainTrade.init))
                    }
                })
        }
        let ceiling = copied.sorted()[1]
        let rate = stored.sorted()[1]
        return [
            Measurement(
                "trades stored, \(writers) writers, batches of \(batchSize)", "rows/s", rate,
                goal: "200000 rows/s", meets: rate >= 200_000, baseline: "plain COPY", baselineValue: ceiling)
        ]
    }

    private static let batchSize = 5_000
    private static let batches = 40

    /// Rows a second of so many tasks, each with its own batches.
    private static func rate(
        _ writers: Int, _ store: @escaping @Sendable (Int, Int) async throws -> Int
    ) async throws -> Double {
        let started = seconds()
        let rows = try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    var rows = 0
                    for part in 0..<batches { rows += try await store(writer, part) }
                    return rows
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(rows) / (seconds() - started)
    }

    /// The number of a batch's first trade; no two batches share one.
    private static func number(run: Int, writer: Int, part: Int) -> Int {
        ((run * 64 + writer) * batches + part) * batchSize
    }

    private static func batch(run: Int, writer: Int, part: Int) -> TradeBatch {
        var batch = TradeBatch()
        let first = number(run: run, writer: writer, part: part)
        for id in first..<first + batchSize {
            batch.append(trade(id), of: instruments[id % instrumentCount].id)
        }
        return batch
    }

    private static func trade(_ id: Int) -> Trade {
        let time = Timestamp(nanoseconds: midnight + Int64(id) * 5_000)
        return Trade(
            id: "\(4_000_000_000 + id)", side: id % 2 == 0 ? .buy : .sell,
            price: Price(3_200_000 + Int64(id % 997)), size: Quantity(1_000 + Int64(id % 7_919)),
            priceScale: .zero, sizeScale: .zero, venueTime: time, receivedTime: time)
    }

    /// The same row as COPY takes it.
    private struct PlainTrade: CopyRow {
        static let copySQL = """
            COPY plain_trade (instrument_id, side, price_scale, venue_time_unix_nanos,
            received_time_unix_nanos, price, size, arrival, size_scale, is_aggregate, is_backfill, trade_id)
            FROM STDIN (FORMAT binary)
            """
        static let columnCount = 12
        let number: Int

        init(_ number: Int) { self.number = number }

        func write(_ row: inout CopyWriter) {
            let trade = StoreBench.trade(number)
            row.append(Int32(number % StoreBench.instrumentCount))
            row.append(Int16(trade.side.rawValue))
            row.append(Int16(0))
            row.append(trade.venueTime.nanoseconds)
            row.append(trade.receivedTime.nanoseconds)
            row.append(trade.price.rawValue)
            row.append(trade.size.rawValue)
            row.append(Int64(number))
            row.append(Int16(0))
            row.append(false)
            row.append(false)
            row.append(trade.id)
        }
    }

    // MARK: - Charts

    /// A year of 1h candles of a hundred instruments, written hour by hour as they come, then asked for.
    private static func charts(_ database: Database) async throws -> [Measurement] {
        let started = seconds()
        for first in stride(from: 0, to: hours, by: 100) {
            var batch = CandleBatch()
            for number in first..<min(first + 100, hours) {
                for instrument in instruments { batch.append(candle(number), of: instrument.id) }
            }
            _ = try await database.fill(batch)
        }
        let written = Double(hours * instrumentCount) / (seconds() - started)
        // As the server does by itself after a while.
        try await database.withSession { session in try session.script("VACUUM (ANALYZE) market.candle") }
        var times: [Double] = []
        let spent = processorSeconds()
        for number in 0..<500 {
            let id = instruments[(number * 37) % instrumentCount].id
            let (from, to) = (midnight, midnight + Int64(hours) * hour)
            let asked = seconds()
            let rows = try await database.candles(
                of: id, .hour, from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to),
                limit: hours)
            times.append((seconds() - asked) * 1_000)
            precondition(rows.count == hours, "a year has \(hours) hours")
        }
        let own = (processorSeconds() - spent) / Double(times.count) * 1_000
        times.sort()
        let p99 = times.percentile(0.99)
        return [
            Measurement("candles stored, one writer", "rows/s", written, goal: "", meets: nil),
            Measurement(
                "chart of a year of 1h candles, median", "ms", times.percentile(0.5), goal: "", meets: nil),
            Measurement(
                "chart of a year of 1h candles, our processor time", "ms", own, goal: "", meets: nil),
            Measurement(
                "chart of a year of 1h candles, p99", "ms", p99, goal: "5 ms", meets: p99 <= 5),
        ]
    }

    /// What this process has used, which a busy machine does not change.
    private static func processorSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static func candle(_ number: Int) -> CandleRow {
        let start = Timestamp(nanoseconds: midnight + Int64(number) * hour)
        let price = 3_200_000 + Int64(number % 997)
        return CandleRow(
            interval: .hour, start: start, openTime: start, closeTime: start.adding(nanoseconds: hour - 1),
            open: Price(price), high: Price(price + 90), low: Price(price - 70), close: Price(price + 11),
            priceScale: .zero, sizeScale: .zero, tradeCount: 1_234,
            volume: Amount(units: 12_345_678_901 + Int64(number), places: 8),
            takerBuyVolume: Amount(units: 2_345_678_901 + Int64(number), places: 8),
            notional: Amount(units: 394_567_890_123_456 + Int64(number), places: 10), flags: [.closed])
    }
}

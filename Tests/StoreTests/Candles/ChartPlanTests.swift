import Instruments
import MarketState
import MarketStore
import Support
import Testing

@testable import Store

@Suite("A chart's query", .timeLimit(.minutes(10)))
struct ChartPlanTests {
    /// The server's plan of the query for a span, once made for these numbers and once for any.
    private func plans(
        _ kind: CandleInterval, from: Int64, to: Int64, limit: Int, _ database: Database
    ) async throws -> [String] {
        try await database.withSession { session in
            let query = Query.candles(of: Market.bitcoin, kind, from: .zero, to: .zero, limit: 0)
            try session.script(
                "PREPARE chart (text, text, integer, bigint, bigint, bigint) AS \(query.text)")
            var plans: [String] = []
            for mode in ["force_custom_plan", "force_generic_plan"] {
                try session.script("SET plan_cache_mode = \(mode)")
                var lines: [String] = []
                let call = "chart('kraken', 'BTC/USD', \(kind.seconds), \(from), \(to), \(limit))"
                try session.rows(sql: "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE \(call)") {
                    (row) throws(StoreError) in lines.append(try row.text())
                }
                plans.append(lines.joined(separator: "\n"))
            }
            return plans
        }
    }

    private func database() async throws -> Database {
        let (database, _) = try await Market.database()
        for kind in [CandleInterval.second, .minute, .hour] {
            let length = kind.seconds * Market.second
            let spread = Market.day * 40 / length * length / 400
            for id in [Market.bitcoin, Market.perpetual] {
                let candles = (0..<400).map { number in
                    Market.candle(kind, at: (Market.midnight + number * spread) / length * length)
                }
                _ = try await database.fill(Market.batch(candles, of: id))
            }
        }
        // Other instruments in between, as they are written hour by hour.
        try await database.script(
            """
            INSERT INTO market.instrument (
                venue, symbol, base, quote, kind, price_scale, size_scale, is_inverse, updated_at)
            SELECT 'okx', 's' || number, 'B', 'Q', 'spot', 2, 8, false, now()
            FROM generate_series(1, 60) AS number;
            INSERT INTO market.candle
            SELECT i.instrument_id, 3600, start, start, start, 1, 1, 1, 1, 1, 0, now(), 2, 8, 1, 1, 1, 1
            FROM generate_series(0, 999) AS hour
            CROSS JOIN LATERAL (SELECT \(Market.midnight) - hour * 3600000000000) AS at (start)
            CROSS JOIN market.instrument AS i WHERE i.venue = 'okx'
            """)
        try await database.script("VACUUM (ANALYZE) market.candle")
        return database
    }

    @Test(
        "is one scan of one partition's index where the span lies in one, without the table and without a sort"
    )
    func one() async throws {
        let database = try await database()
        let year = Market.midnight - 365 * Market.day
        let end = Market.midnight + 41 * Market.day
        for plan in try await plans(.hour, from: year, to: end, limit: 8_760, database) {
            let used = plan.split(separator: "\n").filter {
                $0.contains("Scan") && $0.contains(" on candle_")
            }
            #expect(used.count == 1, "\(plan)")
            #expect(used.allSatisfy { $0.contains("Index Only Scan") && !$0.contains("never executed") })
            #expect(!plan.contains("Sort") && !plan.contains("Seq Scan on candle"), "\(plan)")
        }
        await database.close()
    }

    @Test("goes from partition to partition in the order of time, without a sort, and stops at its limit")
    func several() async throws {
        let database = try await database()
        let end = Market.midnight + 41 * Market.day
        for plan in try await plans(.second, from: Market.midnight, to: end, limit: 25, database) {
            let used = plan.split(separator: "\n").filter {
                $0.contains("Scan") && $0.contains(" on candle_")
            }
            #expect(used.count > 10, "\(plan)")
            #expect(
                used.allSatisfy { $0.contains("Index Only Scan") && $0.contains("candle_1s_") }, "\(plan)")
            // Ten candles a day: three partitions have 25.
            #expect(used.filter { !$0.contains("never executed") }.count <= 4, "\(plan)")
            #expect(!plan.contains("Sort") && !plan.contains("Merge Append"), "\(plan)")
        }
        let rows = try await database.candles(
            of: Market.bitcoin, .second, from: Market.time(Market.midnight), to: Market.time(end), limit: 25)
        #expect(rows.count == 25)
        #expect(rows.map(\.start) == rows.map(\.start).sorted(by: >))
        await database.close()
    }
}

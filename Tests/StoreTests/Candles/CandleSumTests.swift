import Instruments
import MarketData
import MarketState
import Support
import Testing

@testable import MarketStore
@testable import Store

/// Candles made one trade at a time, in the most obvious way.
private struct NaiveCandles {
    /// What one length of candles is: the trades of each start, in order of time and arrival.
    let groups: [(start: Int64, trades: [Trade])]

    init(_ trades: [Trade], _ interval: CandleInterval) {
        let length = interval.seconds * Market.second
        let shift: Int64 = interval == .week ? 4 * Market.day : 0
        var groups: [Int64: [Trade]] = [:]
        for trade in trades {
            var start = shift - 4_000_000_000_000_000_000 / length * length
            // Binary digits of the distance: no division with its questions of sign.
            for power in (0..<40).reversed() {
                let (step, overflow) = length.multipliedReportingOverflow(by: 1 << Int64(power))
                let (next, beyond) = start.addingReportingOverflow(step)
                if !overflow, !beyond, next <= trade.venueTime.nanoseconds { start = next }
            }
            groups[start, default: []].append(trade)
        }
        self.groups = groups.sorted { $0.key < $1.key }.map { start, trades in
            let sorted = trades.enumerated().sorted {
                ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
            }
            return (start, sorted.map(\.element))
        }
    }

    static func candle(_ interval: CandleInterval, _ start: Int64, _ trades: [Trade]) throws -> CandleRow {
        let priceScale = trades.map(\.priceScale).max() ?? .zero
        let sizeScale = trades.map(\.sizeScale).max() ?? .zero
        let prices = try trades.map { try $0.price.decimal($0.priceScale).rescaled(to: priceScale).units }
        let sizes = try trades.map { try $0.size.decimal($0.sizeScale).rescaled(to: sizeScale).units }
        let bought = zip(trades, sizes).filter { $0.0.side == .buy }.map(\.1).reduce(0, +)
        let notional = zip(prices, sizes).map { Int128($0) * Int128($1) }.reduce(0, +)
        let places = priceScale.places + sizeScale.places
        return CandleRow(
            interval: interval, start: Market.time(start), openTime: trades[0].venueTime,
            closeTime: trades[trades.count - 1].venueTime, open: Price(prices[0]),
            high: Price(prices.max() ?? 0), low: Price(prices.min() ?? 0),
            close: Price(prices[prices.count - 1]), priceScale: priceScale, sizeScale: sizeScale,
            tradeCount: Int64(trades.count), volume: try number(Int128(sizes.reduce(0, +)), sizeScale.places),
            takerBuyVolume: try number(Int128(bought), sizeScale.places),
            notional: try number(notional, places), flags: [.closed])
    }

    /// Without trailing zeros, as they are read.
    static func number(_ units: Int128, _ places: Int) throws -> Amount {
        var (units, places) = (units, places)
        while places > 0, units % 10 == 0 { (units, places) = (units / 10, places - 1) }
        var digits = "\(units.magnitude)"
        digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        let point = digits.index(digits.endIndex, offsetBy: -places)
        let text = places == 0 ? digits : digits[..<point] + "." + digits[point...]
        return try Market.amount((units < 0 ? "-" : "") + text)
    }
}

@Suite("Candles made of trades in SQL", .timeLimit(.minutes(10)))
struct CandleSumTests {
    /// Trades of up to three days around midnight, many of them at the same instant, scales mixed.
    private func trades(_ random: inout SeededGenerator, around: Int64) -> [Trade] {
        (0..<random.int(1...60)).map { number in
            var trade = Market.trade(number)
            let spread = random.pick([2_000_000_000, 7_200_000_000_000, 200_000_000_000_000])
            trade.venueTime = Market.time(
                around + Int64(random.int(-spread...spread)) / 1_000_000 * 1_000_000)
            trade.price = Price(Int64(random.int(-50...100_000)))
            trade.size = Quantity(Int64(random.int(0...1_000_000)))
            trade.priceScale = Market.scale(random.int(0...3))
            trade.sizeScale = Market.scale(random.int(0...8))
            trade.side = random.chance(50) ? .buy : .sell
            return trade
        }
    }

    @Test(
        "every length equals a naive aggregation, on random trades", arguments: 1...12 as ClosedRange<UInt64>)
    func aggregate(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (database, _) = try await Market.database()
        let trades = trades(&random, around: random.pick([Market.midnight, 0, -Market.midnight]))
        // In several batches: arrival goes by batch, then by place.
        for part in stride(from: 0, to: trades.count, by: 23) {
            _ = try await database.insert(Market.batch(trades[part..<min(part + 23, trades.count)]))
        }
        for interval in CandleInterval.allCases {
            let expected = try NaiveCandles(trades, interval).groups.map {
                try NaiveCandles.candle(interval, $0.start, $0.trades)
            }
            let found = try await database.aggregateTrades(
                of: Market.bitcoin, interval, from: Market.time(.min), to: Market.time(.max))
            #expect(found == expected, "seed \(seed), \(interval.rawValue)")
        }
        let statistics = try await database.tradeStatistics(
            of: Market.bitcoin, from: Market.time(.min), to: Market.time(.max))
        let all = try NaiveCandles.candle(
            .week, 0,
            trades.enumerated().sorted {
                ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
            }.map(\.element))
        let price = { (price: Price) in try NaiveCandles.number(Int128(price.rawValue), all.priceScale.places)
        }
        #expect(
            statistics
                == SpanStatistics(
                    open: try price(all.open), high: try price(all.high), low: try price(all.low),
                    last: try price(all.close), volume: all.volume,
                    notional: try #require(all.notional), tradeCount: all.tradeCount), "seed \(seed)")
        await database.close()
    }

    @Test("minutes rolled up equal the aggregation of the trades", arguments: 1...6 as ClosedRange<UInt64>)
    func roll(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let (database, _) = try await Market.database()
        _ = try await database.insert(Market.batch(trades(&random, around: Market.midnight)))
        let (from, to) = (Market.time(.min), Market.time(.max))
        let minutes = try await database.aggregateTrades(of: Market.bitcoin, .minute, from: from, to: to)
        _ = try await database.fill(Market.batch(minutes))
        for interval in CandleInterval.allCases where interval > .minute {
            let rolled = try await database.rollCandles(
                of: Market.bitcoin, .minute, into: interval, from: from, to: to)
            let summed = try await database.aggregateTrades(of: Market.bitcoin, interval, from: from, to: to)
            #expect(rolled == summed, "seed \(seed), \(interval.rawValue)")
        }
        await database.close()
    }

    @Test("a whole of which a part is incomplete or without notional says so; flat parts do not count")
    func flags() async throws {
        let (database, _) = try await Market.database()
        var parts = (0..<3).map {
            Market.candle(.minute, at: Market.midnight + $0 * 60 * Market.second, $0 + 1)
        }
        parts[1].flags = [.closed, .incomplete, .fromVenue, .withoutNotional]
        parts[1].notional = nil
        parts[2].flags = [.closed, .flat]
        _ = try await database.fill(Market.batch(parts))
        let rolled = try await database.rollCandles(
            of: Market.bitcoin, .minute, into: .hour, from: Market.time(.min), to: Market.time(.max))
        let whole = try #require(rolled.first)
        #expect(rolled.count == 1)
        #expect(whole.flags == [.closed, .incomplete, .fromVenue, .withoutNotional])
        #expect(whole.notional == nil)
        #expect(whole.tradeCount == 3)
        #expect((whole.open, whole.high, whole.low, whole.close) == (Price(1), Price(5), Price(-2), Price(3)))
        await database.close()
    }

    @Test("no trades, no statistics; the span's start belongs to it and its end does not")
    func span() async throws {
        let (database, _) = try await Market.database()
        let trades = (0..<4).map { Market.trade($0, at: Market.midnight + Int64($0)) }
        _ = try await database.insert(Market.batch(trades))
        func count(_ from: Int64, _ to: Int64) async throws -> Int64? {
            try await database.tradeStatistics(
                of: Market.bitcoin, from: Market.time(Market.midnight + from),
                to: Market.time(Market.midnight + to))?.tradeCount
        }
        #expect(try await count(1, 3) == 2)
        #expect(try await count(3, 4) == 1)
        #expect(try await count(4, 5) == nil)
        await database.close()
    }
}

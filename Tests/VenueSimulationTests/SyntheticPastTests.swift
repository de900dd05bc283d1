import Instruments
import MarketData
import MarketState
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

@Suite("Past of the synthetic market")
struct SyntheticPastTests {
    /// 2026-11-28 10:20:33.
    private static let started = Timestamp(nanoseconds: 1_795_861_233_000_000_000)
    private static let day: Int64 = 86_400_000_000_000

    private static func client(_ venue: Venue) throws -> SessionClient {
        let script = SyntheticMarket.script(venue: venue, seed: 1, started: started)
        let market = SyntheticMarket(venue: venue, seed: 1, started: started)
        return try SessionClient(Playback(script, source: market, speed: .times(1), loops: false))
    }

    /// What the venue's own client reads of a span, page by page.
    private static func read(
        _ client: SessionClient, _ venue: Venue, _ symbol: String, _ seconds: Int64, days: Int64
    ) throws -> [HistoryCandle] {
        let history = try #require(VenueCandleHistory(venue: venue, restURL: ""))
        let length = seconds * 1_000_000_000
        let end = Timestamp(nanoseconds: started.nanoseconds / length * length)
        let first = end.adding(nanoseconds: -days * day)
        var from = Timestamp(nanoseconds: (first.nanoseconds + length - 1) / length * length)
        var candles: [HistoryCandle] = []
        while from < end {
            let page = history.page(of: symbol, seconds: seconds, from: from, to: end)
            let body = try #require(client.answer(page.url))
            candles += try body.withUnsafeBytes { try history.parse($0, of: page, at: end) }
            from = page.to
        }
        return candles
    }

    @Test(
        "a year of days and hours and a week of minutes come from the venue's own route at once",
        arguments: [
            (Venue.binance, "SOLUSDT"), (Venue(rawValue: "binance-usdm"), "BTCUSDT"), (.bitmex, "XBTUSD"),
        ])
    func whole(venue: Venue, symbol: String) throws {
        let client = try Self.client(venue)
        for (seconds, days, count) in [(86_400, 365, 365), (3_600, 365, 8_760), (60, 7, 10_080)] {
            let candles = try Self.read(client, venue, symbol, Int64(seconds), days: Int64(days))
            #expect(candles.count == count)
            for (one, next) in zip(candles, candles.dropFirst()) {
                #expect(next.start.nanoseconds(since: one.start) == Int64(seconds) * 1_000_000_000)
                guard one.close == next.open else {
                    Issue.record("\(one.start): closes at \(one.close), opens at \(next.open)")
                    return
                }
            }
            #expect(
                candles.allSatisfy { $0.low <= min($0.open, $0.close) && $0.high >= max($0.open, $0.close) })
            #expect(candles.allSatisfy { $0.low.units > 0 && $0.volume > .zero && $0.tradeCount > 0 })
        }
    }

    @Test("Kraken gives its newest 720 of each length")
    func kraken() throws {
        let client = try Self.client(.kraken)
        for (seconds, days, count) in [(86_400, 365, 365), (3_600, 30, 720), (60, 1, 720)] {
            let candles = try Self.read(client, .kraken, "BTC/USD", Int64(seconds), days: Int64(days))
            #expect((count - 1...count).contains(candles.count))
        }
    }

    @Test("an hour is its minutes and a day its hours, in prices, volume and number of trades")
    func sums() throws {
        let name = Venue.binance
        let part = try #require(DialectCatalogue.dialect(of: name)?.synthetic)
        var past = SyntheticPast(part, of: name, seed: 3, until: Self.started)
        func candles(_ interval: CandleInterval, _ count: Int) -> [Candle] {
            var query = CandleQuery(symbol: "ETHUSDT", interval: interval, limit: count)
            query.takesNewest = true
            return past.candles(query, at: Self.started)
        }
        let days = Set(candles(.day, 4).dropLast().map(\.sums))
        let hours = try CandleRollup.roll(candles(.hour, 120).dropLast(), into: .day, closedAt: Self.started)
        #expect(hours.filter { hour in days.contains { $0.isSame(as: hour.sums) } }.count >= 3)
        let whole = candles(.hour, 5).dropLast()
        let minutes = try CandleRollup.roll(candles(.minute, 400), into: .hour, closedAt: Self.started)
        for hour in whole.suffix(4) {
            let sum = try #require(minutes.first { $0.start == hour.start })
            #expect(sum.sums.isSame(as: hour.sums), "\(hour.start)")
        }
    }

    @Test("past and live meet without a jump", arguments: VenueSurvey.syntheticVenues)
    func seam(venue: Venue) throws {
        let part = try #require(DialectCatalogue.dialect(of: venue)?.synthetic)
        var market = SyntheticMarket(venue: venue, seed: 1, started: Self.started)
        _ = market.next()
        for (place, instrument) in part.instruments.enumerated() {
            var past = SyntheticPast(part, of: venue, seed: 1, until: Self.started)
            var query = CandleQuery(symbol: instrument.symbol, interval: .minute, limit: 3)
            query.takesNewest = true
            let last = try #require(past.candles(query, at: Self.started).last)
            let flow = market.flows[place]
            let (bid, ask) = (try #require(flow.book.bestBid), try #require(flow.book.bestAsk))
            let room = max(last.sums.close / 2_000, 3 * instrument.tick)
            #expect(bid.price.rawValue - room <= last.sums.close, "\(instrument.symbol)")
            #expect(last.sums.close <= ask.price.rawValue + room, "\(instrument.symbol)")
        }
    }

    @Test("live trades go on where the past ends, and the next minute is theirs alone")
    func goesOn() throws {
        let client = try Self.client(.binance)
        client.run(milliseconds: 120_000)
        let end = Timestamp(nanoseconds: (Self.started.nanoseconds / 60_000_000_000 + 2) * 60_000_000_000)
        let history = try #require(VenueCandleHistory(venue: .binance, restURL: ""))
        let page = history.page(
            of: "BTCUSDT", seconds: 60, from: end.adding(nanoseconds: -600_000_000_000), to: end)
        let body = try #require(client.answer(page.url))
        let candles = try body.withUnsafeBytes { try history.parse($0, of: page, at: end) }
        #expect(candles.count == 10)
        let close = try #require(candles.last).close.units
        #expect(candles.allSatisfy { abs($0.open.units - close) < close / 50 })
        let last = try #require(candles.last)
        #expect(abs(last.open.units - candles[8].close.units) < close / 1_000)
    }
}

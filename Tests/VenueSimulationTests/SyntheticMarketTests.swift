import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

@Suite("Synthetic market")
struct SyntheticMarketTests {
    private static let started = Timestamp(nanoseconds: 1_790_000_000_000_000_000)

    private func entries(_ venue: Venue, seed: UInt64, count: Int) -> [RecordingEntry] {
        var market = SyntheticMarket(venue: venue, seed: seed, started: Self.started)
        return (0..<count).compactMap { _ in market.next() }
    }

    @Test(
        "the same seed gives the same messages, another seed others", arguments: VenueSurvey.syntheticVenues)
    func determinism(venue: Venue) {
        let first = entries(venue, seed: 7, count: 2_000)
        #expect(first == entries(venue, seed: 7, count: 2_000))
        #expect(first != entries(venue, seed: 8, count: 2_000))
        var market = SyntheticMarket(venue: venue, seed: 7, started: Self.started)
        for _ in 0..<500 { _ = market.next() }
        market.rewind()
        #expect((0..<2_000).compactMap { _ in market.next() } == first)
    }

    @Test(
        "ten times the interval makes events ten times as rare", arguments: VenueSurvey.syntheticVenues)
    func interval(venue: Venue) {
        // Rare events have more to say, since the price has moved further: what has one time is one event.
        func length(of market: SyntheticMarket) -> Int64 {
            var (playing, last, count) = (market, Self.started, 0)
            while count < 1_000, let entry = playing.next() {
                if entry.time != last { count += 1 }
                last = entry.time
            }
            return last.nanoseconds(since: Self.started)
        }
        let late = length(
            of: SyntheticMarket(venue: venue, seed: 7, started: Self.started, interval: .milliseconds(500)))
        let early = length(of: SyntheticMarket(venue: venue, seed: 7, started: Self.started))
        #expect((early * 9...early * 11).contains(late), "\(late) ns, not ten times \(early) ns")
    }

    /// Every instrument of a venue or two of every kind of number.
    private static let kinds =
        SyntheticInstrument.bitmex + SyntheticInstrument.kraken.prefix(2)
        + SyntheticInstrument.binance.suffix(3) + SyntheticInstrument.bybit.suffix(1)

    /// A flow whose fair price wanders, and now and then leaps.
    private static func wandering(
        _ instrument: SyntheticInstrument, seed: UInt64, steps: Int,
        _ body: (Int64, SyntheticFlow, SyntheticFlow.Step) throws -> Void
    ) rethrows {
        var random = SplitMix64(seed: seed)
        let start = instrument.startPrice / instrument.tick
        var fair = start
        var flow = SyntheticFlow(instrument, seed: seed, around: fair)
        for number in 0..<steps {
            let most = number % 500 == 0 ? start / 50 : start / 10_000
            fair = max(fair + Int64.random(in: -most...most, using: &random), start / 2)
            try body(fair, flow, flow.step(towards: fair))
        }
    }

    @Test("books are never crossed, keep their levels and follow the fair price")
    func books() {
        for instrument in Self.kinds {
            var since = 0
            Self.wandering(instrument, seed: 3, steps: 4_000) { fair, before, _ in
                let book = before.book
                #expect(!book.isCrossed)
                #expect(book.bidCount >= instrument.depth / 2 && book.askCount >= instrument.depth / 2)
                #expect(book.bidCount <= before.most && book.askCount <= before.most)
                // After a leap some steps are needed.
                let middle = ((book.bestBid?.price.rawValue ?? 0) + (book.bestAsk?.price.rawValue ?? 0)) / 2
                since = abs(middle / instrument.tick - fair) > max(fair / 400, 3) ? since + 1 : 0
                #expect(since < 100, "\(instrument.symbol) has not come to \(fair), is at \(middle)")
            }
        }
    }

    @Test("a step changes a level once, and what it takes away was there before it")
    func steps() {
        for (place, instrument) in Self.kinds.enumerated() {
            var number = 0
            Self.wandering(instrument, seed: UInt64(place), steps: 10_000) { _, before, step in
                number += 1
                let changes = step.changes.map(\.change)
                let names = changes.map { "\($0.side) \($0.price.rawValue)" }
                let isOnce = Set(names).count == names.count
                let isKnown = step.changes.allSatisfy { $0.change.size != .zero || !$0.isNew }
                if !isOnce || !isKnown { Issue.record("\(instrument.symbol), step \(number): \(changes)") }
            }
        }
    }

    @Test("about thirty messages a second of a venue, a third of what happens are trades")
    func pace() throws {
        for venue in VenueSurvey.syntheticVenues {
            let entries = entries(venue, seed: 5, count: 8_000)
            let last = try #require(entries.last)
            let seconds = last.time.nanoseconds(since: Self.started) / 1_000_000_000
            let pace = Int64(entries.count) / max(seconds, 1)
            #expect((24...48).contains(pace), "\(venue): \(pace)")
            let trades = entries.filter { entry in
                let text = String(decoding: entry.data, as: UTF8.self)
                return ["trdMatchID", "trade_id", "aggTrade", "trades-all", "publicTrade"].contains {
                    text.contains($0)
                }
            }
            let share = Int64(trades.count) * 100 / (seconds * 1_000 / 50)
            #expect((15...50).contains(share), "\(venue): \(share) of a hundred events")
        }
    }

    @Test("the demo's market has 60 instruments of eight venues and 30 coins, and each is another one")
    func market() {
        let surveys = VenueSurvey.synthetic(seed: 1, started: Self.started)
        let listings = DialectCatalogue.all.compactMap(\.synthetic?.instruments)
        #expect(surveys.count == 8 && listings.count == 8 && listings.joined().count == 60)
        #expect(listings.allSatisfy { Set($0.map(\.symbol)).count == $0.count })
        let coins = Set(listings.joined().map { SyntheticPair($0.symbol).base })
        #expect(coins.count >= 30)
        #expect(coins.allSatisfy { SyntheticAsset.byCode[$0] != nil && CoinList.isNamed($0) })
    }

    @Test(
        "our own sessions follow it live, with every checksum right", arguments: VenueSurvey.syntheticVenues)
    func sessions(venue: Venue) throws {
        let script = SyntheticMarket.script(venue: venue, seed: 11, started: Self.started)
        let market = SyntheticMarket(venue: venue, seed: 11, started: Self.started)
        let client = try SessionClient(Playback(script, source: market, speed: .times(1), loops: false))
        // Long enough for books that were full and for levels at their ends.
        client.run(milliseconds: 180_000)
        #expect(client.relapses == [])
        #expect(client.output.counters.malformed == 0)
        #expect(client.output.counters.unexpected == 0)
        #expect(client.output.counters.checksums == client.output.counters.checksumsRight)
        #expect(venue != .kraken || client.output.counters.checksums > 100)
        for symbol in client.symbols {
            #expect(try client.state(symbol) == .live)
            #expect(try client.book(symbol).bidCount >= 60)
            #expect((client.trades[InstrumentID(venue: venue, symbol: symbol)] ?? []).count > 3)
        }
    }
}

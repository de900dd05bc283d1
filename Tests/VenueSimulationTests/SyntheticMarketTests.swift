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
        var slow = SyntheticMarket(venue: venue, seed: 7, started: Self.started, interval: .milliseconds(150))
        var usual = SyntheticMarket(venue: venue, seed: 7, started: Self.started)
        var (late, early): (Int64, Int64) = (0, 0)
        for _ in 0..<2_000 {
            late = slow.next()?.time.nanoseconds(since: Self.started) ?? 0
            early = usual.next()?.time.nanoseconds(since: Self.started) ?? 0
        }
        #expect((early * 9...early * 11).contains(late), "\(late) ns, not ten times \(early) ns")
    }

    @Test("books are never crossed, keep at least 25 levels a side and stay near where they began")
    func books() {
        for instrument in SyntheticInstrument.bitmex + SyntheticInstrument.kraken {
            var flow = SyntheticFlow(instrument, seed: 3)
            for _ in 0..<20_000 {
                _ = flow.step()
                #expect(!flow.book.isCrossed)
                #expect(flow.book.bidCount >= 25 && flow.book.askCount >= 25)
                #expect(flow.book.bidCount <= SyntheticFlow.most && flow.book.askCount <= SyntheticFlow.most)
            }
            let bid = flow.book.bestBid?.price.rawValue ?? 0
            #expect(abs(bid - instrument.startPrice) < instrument.startPrice / 20)
        }
    }

    @Test("a step changes a level once, and what it takes away was there before it")
    func steps() {
        for (place, instrument) in (SyntheticInstrument.bitmex + SyntheticInstrument.kraken).enumerated() {
            var flow = SyntheticFlow(instrument, seed: UInt64(place))
            for number in 0..<60_000 {
                let step = flow.step()
                for (index, entry) in step.changes.enumerated() {
                    let change = entry.change
                    let isOnly = !step.changes[..<index].contains {
                        $0.change.side == change.side && $0.change.price == change.price
                    }
                    guard isOnly, change.size != .zero || !entry.isNew else {
                        Issue.record("\(instrument.symbol), step \(number): \(step.changes)")
                        return
                    }
                }
            }
        }
    }

    @Test("about fifty messages a second, a trade every few hundred milliseconds, for each instrument")
    func pace() throws {
        for venue in VenueSurvey.syntheticVenues {
            let entries = entries(venue, seed: 5, count: 10_000)
            let last = try #require(entries.last)
            let seconds = last.time.nanoseconds(since: Self.started) / 1_000_000_000
            let perInstrument = Int64(entries.count) / max(seconds, 1) / 2
            #expect((35...75).contains(perInstrument))
            let trades = entries.filter { entry in
                let text = String(decoding: entry.data, as: UTF8.self)
                return text.contains("trdMatchID") || text.contains("trade_id")
            }
            #expect((200...1_000).contains(seconds * 1_000 * 2 / Int64(max(trades.count, 1))))
        }
    }

    @Test(
        "our own sessions follow it live, with every checksum right", arguments: VenueSurvey.syntheticVenues)
    func sessions(venue: Venue) throws {
        let script = SyntheticMarket.script(venue: venue, started: Self.started)
        let market = SyntheticMarket(venue: venue, seed: 11, started: Self.started)
        let client = try SessionClient(Playback(script, source: market, speed: .times(1), loops: false))
        // Long enough for books that were full and for levels at their ends.
        client.run(milliseconds: 900_000)
        #expect(client.relapses == [])
        #expect(client.output.counters.malformed == 0)
        #expect(client.output.counters.unexpected == 0)
        #expect(client.output.counters.checksums == client.output.counters.checksumsRight)
        #expect(venue != .kraken || client.output.counters.checksums > 500)
        for symbol in client.symbols {
            #expect(try client.state(symbol) == .live)
            #expect(try client.book(symbol).bidCount >= 25)
            #expect((client.trades[InstrumentID(venue: venue, symbol: symbol)] ?? []).count > 10)
        }
    }
}

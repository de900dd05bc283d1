import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("An instrument's candles against a tape that is lost and found")
struct InstrumentMarketTests {
    @Test(
        "has every stored trade in its candles, once, after losses, crashes, late trades and leases gone")
    func model() {
        property(cases: 60, pastFailures: [10, 12, 27, 110]) { generator in
            var fixture = MarketSimulation()
            for _ in 0..<300 { fixture.step(using: &generator) }
            fixture.quiet()
            if let difference = fixture.difference { throw PropertyFailure(difference) }
        }
    }
}

/// A feed, its tables, a bus that says what it lost, and a builder that may be killed.
private struct MarketSimulation {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    private var market = MarketSimulation.started()
    private var stored: [Trade] = []
    private var rows: [CandleKey: CandleRow] = [:]
    /// What the builder said before it is known to be written.
    private var queue: [Candle] = []
    private var waiting: [Trade] = []
    /// Readings under way; one that was begun under an earlier lease may end after a later one.
    private var readings: [(number: UInt64, tape: StoredTape)] = []
    private var serial = 0
    private var seconds: Int64 = 1_699_999_000
    private var now = Timestamp(nanoseconds: 1_000_000_000_000)

    private static func started() -> InstrumentMarket {
        var market = InstrumentMarket(id, hasTape: true, pendingLimit: 40)
        market.begin()
        return market
    }

    mutating func step(using generator: inout SeededGenerator) {
        now = now.adding(nanoseconds: 300_000_000)
        switch generator.int(1...100) {
        case ...50: trade(using: &generator)
        case ...65: store(using: &generator)
        // The feed dies with trades that it had said.
        case ...67:
            // A feed takes longer to start than a tape to be read.
            guard market.tape.isCertain else { break }
            waiting.removeLast(min(waiting.count, generator.int(0...2)))
            market.suspect()
        case ...83: if generator.chance(60) { beginReading() } else { endReading(using: &generator) }
        // The lease is over for a moment, or another one's for a while.
        case ...84: market.end()
        case ...86: market.begin()
        case ...95: write()
        case ...97:
            // Killed: what was not written is gone.
            market = Self.started()
            queue = []
            readings = []
        default: seconds += Int64(generator.int(0...4_000))
        }
        market.drain()
        for candle in market.told { generator.note("told \(candle)") }
        market.told.removeAll()
        let storable = market.takeStorable()
        for candle in storable { generator.note("stored \(candle)") }
        queue += storable
    }

    private mutating func trade(using generator: inout SeededGenerator) {
        seconds += Int64(generator.int(0...9) / 5 * generator.int(0...20))
        // Some come late, a few very late.
        let late = generator.chance(10) ? generator.int(0...(generator.chance(20) ? 9_000 : 90)) : 0
        serial += 1
        let trade = Trade(
            id: "t\(serial)", side: generator.chance(50) ? .buy : .sell,
            price: Price(Int64(generator.int(9_000...11_000))), size: Quantity(Int64(generator.int(1...50))),
            priceScale: Scale(2) ?? .zero, sizeScale: Scale(generator.int(1...3)) ?? .zero,
            venueTime: Timestamp(nanoseconds: (seconds - Int64(late)) * 1_000_000_000), receivedTime: now)
        waiting.append(trade)
        if generator.chance(5) { market.lose(at: nil) } else { market.take(trade) }
        // The feed says some again.
        if generator.chance(5) { market.take(trade) }
        if generator.chance(2), let old = stored.randomElement(using: &generator) { market.take(old) }
    }

    private mutating func store(using generator: inout SeededGenerator) {
        let count = min(waiting.count, generator.int(0...20))
        let batch = Array(waiting.prefix(count))
        waiting.removeFirst(count)
        guard var last = batch.first else { return }
        for trade in batch where trade.venueTime >= last.venueTime { last = trade }
        stored += batch
        let isRepeated = generator.chance(5)
        let mark = TradesStored(
            lastTradeID: last.id, lastVenueTime: last.venueTime,
            inserted: isRepeated ? 0 : UInt64(batch.count))
        if generator.chance(5) { market.lose(at: nil) } else { market.take(mark) }
    }

    private mutating func beginReading() {
        guard market.beginReading(at: now) else { return }
        readings.append((market.reading, StoredTape(stored, rows, from: market.readFrom)))
    }

    private mutating func endReading(using generator: inout SeededGenerator) {
        guard !readings.isEmpty else { return }
        let (number, tape) = readings.remove(at: generator.int(0...readings.count - 1))
        market.adopt(tape, of: number)
    }

    private mutating func write() {
        for candle in queue { rows[CandleKey(candle)] = CandleRow(candle) }
        queue = []
    }

    /// A last trade closes everything but the longest candles, and all is stored, read and written.
    mutating func quiet() {
        var generator = SeededGenerator(seed: 0)
        settle(using: &generator)
        seconds += 700_000
        for _ in 0..<12 { trade(using: &generator) }
        settle(using: &generator)
    }

    private mutating func settle(using generator: inout SeededGenerator) {
        market.begin()
        while !waiting.isEmpty { store(using: &generator) }
        for _ in 0..<8 {
            now = now.adding(nanoseconds: 700_000_000_000)
            beginReading()
            while !readings.isEmpty { endReading(using: &generator) }
            market.drain()
            queue += market.takeStorable()
            write()
        }
    }

    /// Where the stored candles are not those of the stored trades; `nil` when they are.
    var difference: String? {
        let sorted = stored.enumerated().sorted {
            ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
        }.map(\.element)
        let newest = sorted.last?.venueTime ?? .zero
        for interval in CandleInterval.allCases {
            var fold = CandleFold(interval)
            for trade in sorted { fold.add(trade) }
            // Seconds are made for a day.
            let from = interval == .second ? newest.adding(nanoseconds: -86_400_000_000_000) : .zero
            for candle in fold.candles where candle.end <= newest && candle.start >= from {
                guard let row = rows[CandleKey(candle)] else {
                    return "\(interval.rawValue) \(candle.start.nanoseconds / 1_000_000_000) is not stored"
                }
                guard var expected = CandleRow(candle) else { return "a candle is beyond a row" }
                expected.flags = row.flags
                if !row.says(the: expected) { return "\(row) is not\n\(expected)" }
            }
        }
        return nil
    }
}

extension StoredTape {
    /// As PostgreSQL would be read.
    init(
        _ stored: [Trade], _ rows: [CandleKey: CandleRow], from: Timestamp?, holes: [StoredHole] = []
    ) {
        self.init()
        let sorted = stored.enumerated().sorted {
            ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
        }.map(\.element)
        guard let last = sorted.last else { return }
        newest = last.venueTime
        oldest = sorted.first?.venueTime
        let span = ReadSpan(newest: last.venueTime, missing: from)
        base = span.base
        self.first = span.first
        self.holes = holes.filter { $0.until.map { $0 >= span.first } ?? true }
        let (first, yesterday) = (span.first, span.seconds)
        let ofTrades = rows.values.filter { $0.interval == .minute && !$0.flags.contains(.fromVenue) }
        oldestMade = ofTrades.map(\.openTime).min()
        self.rows = rows.filter { $0.key.start >= ($0.key.interval == .second ? yesterday : first) }
        trades = sorted.filter { $0.venueTime >= base }
        var counts: [Timestamp: Int64] = [:]
        for trade in sorted where trade.venueTime >= first && trade.venueTime < base {
            counts[CandleInterval.minute.start(of: trade.venueTime), default: 0] += 1
        }
        let counted = counts.map { TradeMinute(start: $0.key, count: $0.value) }.sorted {
            $0.start < $1.start
        }
        let sound = CompleteMinutes(counted, rows: self.rows, base: base, secondsFrom: yesterday)
        var coarse = CandleFold(.minute)
        var fine = CandleFold(.second)
        for run in sound.missing {
            for trade in sorted where trade.venueTime >= run.from && trade.venueTime < run.to {
                coarse.add(trade)
                if trade.venueTime >= yesterday { fine.add(trade) }
            }
        }
        let made = coarse.candles.filter { !sound.ofVenue.contains($0.start) }
        minutes = (sound.minutes + made).sorted { $0.start < $1.start }
        seconds = (sound.seconds + fine.candles).sorted { $0.start < $1.start }
    }
}

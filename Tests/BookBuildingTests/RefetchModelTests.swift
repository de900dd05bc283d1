import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("An instrument's candles where the feed had holes and the venue knows better")
struct RefetchModelTests {
    @Test("has every trade of the venue in its candles of a minute and longer, whatever the feed missed")
    func model() {
        property(cases: 60, pastFailures: []) { generator in
            var fixture = HoleSimulation(hasSums: generator.chance(50))
            for _ in 0..<300 { fixture.step(using: &generator) }
            fixture.quiet(using: &generator)
            if let difference = fixture.difference { throw PropertyFailure(difference) }
        }
    }
}

/// A venue that knows all its trades, a feed that misses some for good, and a builder that may be killed.
private struct HoleSimulation {
    private static let id = InstrumentID(venue: .bitmex, symbol: "XBTUSD")
    /// Not all: what is missing is made of minutes.
    private static let lengths: Set<CandleInterval> = [.minute, .fiveMinutes, .hour, .day]
    private static let priceScale = Scale(2) ?? .zero
    private static let sizeScale = Scale(3) ?? .zero

    private let instrument = Instrument(
        id: HoleSimulation.id, base: Asset(rawValue: "XBT"), quote: Asset(rawValue: "USD"), kind: .spot,
        priceScale: HoleSimulation.priceScale, sizeScale: HoleSimulation.sizeScale)
    /// Whether the venue says Σ price × size.
    private let hasSums: Bool
    private var market = HoleSimulation.started()
    private var happened: [Trade] = []
    private var stored: [Trade] = []
    private var waiting: [Trade] = []
    private var holes: [StoredHole] = []
    private var rows: [CandleKey: CandleRow] = [:]
    private var queue: [Candle] = []
    private var reading: StoredTape?
    private var question: CandleRefetch.Question?
    private var isDeaf = false
    private var serial = 0
    private var seconds: Int64 = 1_699_999_000
    private var now = Timestamp(nanoseconds: 1_000_000_000_000)

    init(hasSums: Bool) { self.hasSums = hasSums }

    private static func started() -> InstrumentMarket {
        var market = InstrumentMarket(id, hasTape: true, pendingLimit: 400, mendable: lengths)
        market.begin()
        return market
    }

    mutating func step(using generator: inout SeededGenerator) {
        now = now.adding(nanoseconds: 300_000_000)
        switch generator.int(1...100) {
        case ...50: trade(using: &generator)
        case ...62: store()
        case ...65: if isDeaf { hear(using: &generator) } else { goDeaf() }
        case ...80: if generator.chance(60) { beginReading() } else { endReading() }
        case ...88: if generator.chance(60) { ask() } else { answer(isKnown: generator.chance(80)) }
        case ...96: write()
        case ...97:
            market = Self.started()
            (queue, reading, question) = ([], nil, nil)
        default: seconds += Int64(generator.int(0...2_000))
        }
        let before = queue.count
        drain()
        for candle in queue.dropFirst(before) { generator.note("stored \(candle)") }
        generator.note("\(market.phase)")
    }

    private mutating func drain() {
        market.drain()
        market.told.removeAll()
        queue += market.takeStorable()
    }

    private mutating func trade(using generator: inout SeededGenerator) {
        seconds += Int64(generator.int(0...9) / 5 * generator.int(0...40))
        serial += 1
        let trade = Trade(
            id: "t\(serial)", side: generator.chance(50) ? .buy : .sell,
            price: Price(Int64(generator.int(9_000...11_000))), size: Quantity(Int64(generator.int(1...50))),
            priceScale: Self.priceScale, sizeScale: Self.sizeScale,
            venueTime: Timestamp(nanoseconds: seconds * 1_000_000_000), receivedTime: now)
        happened.append(trade)
        if isDeaf { return }
        waiting.append(trade)
        market.take(trade)
    }

    private mutating func store() {
        guard let last = waiting.last else { return }
        stored += waiting
        market.take(
            TradesStored(
                lastTradeID: last.id, lastVenueTime: last.venueTime, inserted: UInt64(waiting.count)))
        waiting = []
    }

    /// The feed loses its venue; what it said is stored first.
    private mutating func goDeaf() {
        store()
        guard !stored.isEmpty else { return }
        isDeaf = true
    }

    /// It is back, cannot get what happened, and says so before or after the next trade came.
    private mutating func hear(using generator: inout SeededGenerator) {
        isDeaf = false
        let after = stored.map(\.venueTime).max() ?? .zero
        // The next trade is another instant, or the hole would have no end.
        seconds += 1
        var until: Timestamp?
        if generator.chance(50) {
            trade(using: &generator)
            until = waiting.first?.venueTime
        }
        holes.append(StoredHole(after: after, until: until))
        market.take(TradesStored(lastTradeID: "", lastVenueTime: after, inserted: 0))
    }

    private mutating func beginReading() {
        guard reading == nil, market.beginReading(at: now) else { return }
        let ended = holes.map { hole in
            let next = stored.lazy.map(\.venueTime).filter { $0 > hole.after }.min()
            return StoredHole(after: hole.after, until: hole.until ?? next)
        }
        reading = StoredTape(stored, rows, from: market.readFrom, holes: ended)
    }

    private mutating func endReading() {
        guard let reading else { return }
        market.adopt(reading, of: market.reading)
        self.reading = nil
    }

    private mutating func ask() { question = market.beginMending(at: now) ?? question }

    /// The venue has every candle of the span that is over.
    private mutating func answer(isKnown: Bool) {
        guard let question else { return }
        self.question = nil
        guard isKnown else { return market.mend(with: nil, to: question, at: now) }
        let time = Timestamp(nanoseconds: seconds * 1_000_000_000)
        // A venue also has candles without trades.
        let candles = CandleRollup.filled(fold(question.interval), until: time)
        let over = candles.filter { question.span.contains($0.start) && $0.end <= time }
        market.mend(with: over.compactMap(ofVenue), to: question, at: now)
    }

    private func ofVenue(_ candle: Candle) -> Candle? {
        guard var row = CandleRow(candle) else { return nil }
        row.flags = hasSums ? [.closed, .fromVenue] : [.closed, .fromVenue, .withoutNotional]
        if candle.flags.contains(.flat) { row.flags.insert(.flat) }
        if !hasSums { (row.notional, row.takerBuyVolume) = (nil, nil) }
        return row.candle
    }

    private mutating func write() {
        for candle in queue { rows[CandleKey(candle)] = CandleRow(candle) }
        queue = []
    }

    mutating func quiet(using generator: inout SeededGenerator) {
        if isDeaf { hear(using: &generator) }
        settle(using: &generator)
        seconds += 700_000
        for _ in 0..<4 { trade(using: &generator) }
        settle(using: &generator)
    }

    private mutating func settle(using generator: inout SeededGenerator) {
        trade(using: &generator)
        for _ in 0..<40 {
            store()
            now = now.adding(nanoseconds: 700_000_000_000)
            beginReading()
            endReading()
            ask()
            answer(isKnown: true)
            drain()
            write()
        }
    }

    private func fold(_ interval: CandleInterval) -> [Candle] {
        var fold = CandleFold(interval)
        for trade in happened { fold.add(trade) }
        return fold.candles
    }

    /// Where the stored candles are not those of all trades; `nil` when they are.
    ///
    /// Of the first candles nothing earlier is known, and the longest ones are held by the venue only.
    var difference: String? {
        let newest = happened.last?.venueTime ?? .zero
        for interval in CandleInterval.allCases where interval != .second {
            for candle in fold(interval) where candle.end <= newest {
                guard let row = rows[CandleKey(candle)] else {
                    return "\(interval) \(candle.start) is missing"
                }
                guard var expected = CandleRow(candle), let known = row.candle else { return "no numbers" }
                (expected.openTime, expected.closeTime) = (row.openTime, row.closeTime)
                expected.flags = row.flags
                if known.flags.contains(.withoutNotional) {
                    (expected.notional, expected.takerBuyVolume) = (row.notional, row.takerBuyVolume)
                }
                if !row.says(the: expected) { return "\(interval) \(row) is not\n\(expected)" }
                let isFirst = candle.start <= happened[0].venueTime
                if row.flags.contains(.incomplete), !isFirst { return "\(interval) \(row) is incomplete" }
            }
        }
        return nil
    }
}

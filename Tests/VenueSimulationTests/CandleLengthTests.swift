import Instruments
import MarketData
import MarketState
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

@Suite("Lengths of candles that the simulator gives")
struct CandleLengthTests {
    /// Each length that a venue is asked for.
    struct Length: Sendable, CustomTestStringConvertible {
        let venue: Venue
        let seconds: Int64

        /// Four days after 1970 began is the first Monday, with which a week begins.
        static let start = Timestamp(nanoseconds: 345_600_000_000_000)
        static let all = DialectCatalogue.all.map(\.venue).sorted().flatMap { venue in
            (VenueCandleHistory(venue: venue, restURL: "")?.lengths ?? []).map {
                Length(venue: venue, seconds: $0)
            }
        }

        var testDescription: String { "\(venue) \(seconds) s" }

        func time(_ lengths: Int64, milliseconds: Int64 = 0) -> Timestamp {
            Length.start.adding(
                nanoseconds: lengths * seconds * 1_000_000_000 + milliseconds * 1_000_000)
        }
    }

    @Test("each that the product asks a venue for is answered with what was traded", arguments: Length.all)
    func everyLength(_ length: Length) throws {
        let venue = try #require(SpokenTrades(length.venue))
        let trades = [
            (length.time(0), 101, 1), (length.time(0, milliseconds: 500), 103, 2),
            (length.time(2, milliseconds: 500), 105, 4), (length.time(3), 107, 8),
        ]
        let entries = venue.entries(trades)
        let scene = try PlaybackFixture(entries, length.venue, speed: .maximum)
        try #require(scene.join(1, venue.address))
        if let subscription = venue.subscription { scene.say(1, subscription) }
        scene.pass(milliseconds: 0)
        let history = try #require(VenueCandleHistory(venue: length.venue, restURL: ""))
        let page = history.page(
            of: venue.symbol, seconds: length.seconds, from: length.time(0), to: length.time(3))
        scene.ask(1, page.url)
        let answer = try #require(scene.answers[1])
        #expect(answer.status == 200)
        let candles = try answer.body.withUnsafeBytes {
            try history.parse($0, of: page, at: length.time(3))
        }
        #expect(candles.map(\.start) == [length.time(0), length.time(1), length.time(2)])
        #expect(candles.map(\.tradeCount) == (venue.countsTrades ? [2, 0, 1] : [0, 0, 0]))
        #expect(candles.map(\.volume) == [Amount(units: 3), .zero, Amount(units: 4)])
        #expect(candles.map(\.open.normalized.units) == [101, 103, 105])
        #expect(candles.map(\.close.normalized.units) == [103, 103, 105])
    }

    @Test("a venue that has no candles of a second refuses them", arguments: [Venue.binanceUS, .binanceUSDM])
    func noSeconds(_ name: Venue) throws {
        let venue = try #require(SpokenTrades(name))
        let scene = try PlaybackFixture(venue.entries([(Length.start, 101, 1)]), name)
        let route = name == .binanceUSDM ? "/fapi/v1" : "/api/v3"
        scene.ask(1, "\(route)/klines?symbol=\(venue.symbol)&interval=1s")
        #expect(scene.answers[1]?.status == 400)
    }

    // MARK: - What is kept

    private static func trade(_ second: Int64) -> Trade {
        let time = Timestamp(nanoseconds: second * 1_000_000_000)
        return Trade(
            id: "\(second)", side: .buy, price: Price(second + 1), size: Quantity(1), priceScale: .zero,
            sizeScale: .zero, venueTime: time, receivedTime: time)
    }

    private static func starts(_ candles: [Candle]) -> [Int64] {
        candles.map { $0.start.nanoseconds / 1_000_000_000 }
    }

    @Test("only those candles are made that an answer has room for, however long nothing is traded")
    func room() {
        var tape = CandleTape(keepsSeconds: true)
        for second in [10, 13, 900_000] as [Int64] { tape.add(Self.trade(second), of: "A") }
        let position = Timestamp(nanoseconds: 900_001_000_000_000)
        var query = CandleQuery(symbol: "A", interval: .second, limit: 3)
        #expect(Self.starts(tape.candles(query, from: .zero, at: position)) == [10, 11, 12])
        query.start = Timestamp(nanoseconds: 12_500_000_000)
        #expect(Self.starts(tape.candles(query, from: .zero, at: position)) == [13, 14, 15])
        query.start = Timestamp(nanoseconds: 800_000_000_000_000)
        let late = tape.candles(query, from: .zero, at: position)
        #expect(Self.starts(late) == [800_000, 800_001, 800_002])
        #expect(late.map(\.sums.close) == [14, 14, 14])
        #expect(late.map(\.sums.count) == [0, 0, 0])
        query.end = Timestamp(nanoseconds: 800_001_999_000_000)
        #expect(Self.starts(tape.candles(query, from: .zero, at: position)) == [800_000, 800_001])
        query.start = Timestamp(nanoseconds: 1_000_000_000_000_000)
        query.end = nil
        #expect(tape.candles(query, from: .zero, at: position).isEmpty)
        // The newest, and the one that is open.
        query.start = nil
        query.takesNewest = true
        let newest = tape.candles(query, from: .zero, at: position)
        #expect(Self.starts(newest) == [899_998, 899_999, 900_000, 900_001])
        #expect(newest.map(\.sums.close) == [14, 14, 900_001, 900_001])
        #expect(newest.map { $0.flags.contains(.closed) } == [true, true, true, false])
        // Before the first trade there are none.
        query.end = Timestamp(nanoseconds: 9_000_000_000)
        #expect(tape.candles(query, from: .zero, at: position).isEmpty)
    }

    @Test("the oldest seconds go first, and a minute that lost some is not whole")
    func limit() {
        var seconds = CandleParts(.second, limit: 80)
        for second in 0..<81 as Range<Int64> { seconds.add(Self.trade(second), of: "A") }
        let position = Timestamp(nanoseconds: 180_000_000_000)
        let kept = seconds.rolled("A", into: .second, from: .zero, at: position)
        #expect(Self.starts(kept) == Array(10..<81))
        let minutes = seconds.rolled("A", into: .minute, from: .zero, at: position)
        #expect(Self.starts(minutes) == [60])
        #expect(minutes.first?.sums.count == 21)
        var tape = CandleTape(keepsSeconds: false)
        tape.add(Self.trade(5), of: "A")
        let query = CandleQuery(symbol: "A", interval: .second, limit: 10)
        #expect(tape.candles(query, from: .zero, at: position).isEmpty)
    }
}

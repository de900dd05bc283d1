import Instruments
import MarketState
import Support
import Testing

@testable import BookBuilding

@Suite("What a venue is asked for")
struct CandleRefetchTests {
    private var mending = CandleRefetch([.minute, .hour])
    private let now = Timestamp(nanoseconds: 1_000_000_000)

    private static func key(_ interval: CandleInterval, _ number: Int64) -> CandleKey {
        CandleKey(interval, Timestamp(nanoseconds: number * interval.nanoseconds))
    }

    private static func candle(_ key: CandleKey) -> Candle {
        let sums = CandleSums<Int64>(
            openTime: key.start, closeTime: key.start, open: 1, high: 1, low: 1, close: 1, volume: 1,
            takerBuyVolume: 0, notional: .zero, count: 1, pricePlaces: 0, sizePlaces: 0)
        return Candle(interval: key.interval, start: key.start, sums: sums, flags: [.closed, .fromVenue])
    }

    private mutating func ask() throws -> CandleRefetch.Question {
        guard let question = mending.next(at: now) else { throw PropertyFailure("nothing is asked") }
        return question
    }

    private mutating func want(_ keys: CandleKey...) { for key in keys { mending.want(key) } }

    @Test("asks for the shortest candles first, in one stretch, and for one stretch at a time")
    mutating func order() throws {
        want(Self.key(.hour, 1), Self.key(.minute, 9), Self.key(.minute, 7))
        let question = try ask()
        #expect(question.interval == .minute)
        #expect(question.span == Self.key(.minute, 7).start..<Self.key(.minute, 10).start)
        let isAsking = mending.next(at: now) != nil
        #expect(!isAsking)
        let given = [7, 8, 9].map { Self.candle(Self.key(.minute, $0)) }
        let found = mending.take(given, to: question, at: now).map(\.start)
        // Nobody wanted the eighth.
        #expect(found == [given[0].start, given[2].start])
        let next = try ask()
        #expect(next.interval == .hour)
    }

    @Test("does not ask for lengths that the venue has not, and says so")
    mutating func lengths() {
        let isKnown = mending.want(Self.key(.week, 1))
        #expect(!isKnown)
        let isAsking = mending.next(at: now) != nil
        #expect(!isAsking)
    }

    @Test("asks again ever more slowly while the venue cannot be reached")
    mutating func failures() throws {
        want(Self.key(.minute, 1))
        var asked: [Int64] = []
        for second in Int64(0)..<60 {
            let time = now.adding(nanoseconds: second * 1_000_000_000)
            guard let question = mending.next(at: time) else { continue }
            asked.append(second)
            _ = mending.take(nil, to: question, at: time)
        }
        #expect(asked == [0, 2, 6, 14, 30])
    }

    @Test("gives a candle up that five answers lack")
    mutating func hopeless() {
        want(Self.key(.minute, 1))
        var (time, answers) = (now, 0)
        for _ in 0..<2_000 {
            if let question = mending.next(at: time) {
                answers += 1
                _ = mending.take([], to: question, at: time)
            }
            time = time.adding(nanoseconds: 1_000_000_000)
        }
        #expect(answers == 5)
        want(Self.key(.minute, 1))
        let again = mending.next(at: time)
        #expect(again == nil)
    }

    @Test("keeps what was given until it is stored, and does not ask for it meanwhile")
    mutating func given() throws {
        let key = Self.key(.minute, 1)
        want(key)
        let question = try ask()
        _ = mending.take([Self.candle(key)], to: question, at: now)
        want(key)
        let isAsking = mending.next(at: now) != nil
        #expect(!isAsking)
        #expect(mending.given[key] != nil)
        mending.settle(key)
        #expect(mending.given.isEmpty)
    }

    @Test("passes an answer over that nobody waits for")
    mutating func strays() throws {
        want(Self.key(.minute, 1))
        let question = try ask()
        let other = CandleRefetch.Question(interval: .hour, span: question.span)
        let found = mending.take([Self.candle(Self.key(.minute, 1))], to: other, at: now)
        #expect(found.isEmpty)
        #expect(mending.asked == question)
    }
}

import Instruments
import JSON
import MarketData
import Shapes
import Support
import Testing
import Wire

@testable import GatewayFrame
@testable import GatewayStream

@Suite("What the stream says")
struct StreamTopicStateTests {
    private static func depth(_ bids: [Int64: Int64]) throws -> DepthBody {
        var message = Bitpal_V1_BookDepth()
        (message.state, message.reason) = (.live, .verified)
        for (price, size) in bids.sorted(by: { $0.key > $1.key }) {
            message.bidPrices.append(price)
            message.bidSizes.append(size)
        }
        return DepthBody(try #require(BookDepth(message)))
    }

    @Test("says of a book what makes the one before into the one now, and nothing else")
    func depths() {
        property { generator in
            func book(_ generator: inout SeededGenerator) -> [Int64: Int64] {
                let levels = (0..<generator.int(0...25)).map { _ in
                    (Int64(generator.int(1...40)), Int64(generator.int(1...3)))
                }
                return Dictionary(levels) { first, _ in first }
            }
            let (before, after) = (book(&generator), book(&generator))
            let change = try Self.depth(after).changes(since: Self.depth(before))
            var told = Dictionary(uniqueKeysWithValues: before.map { ("\($0.key)", "\($0.value)") })
            for level in change.bids {
                try #require(told[level[0]] != level[1], "\(level) was so before")
                told[level[0]] = level[1] == "0" ? nil : level[1]
            }
            try #require(told == Dictionary(uniqueKeysWithValues: after.map { ("\($0.key)", "\($0.value)") }))
        }
    }

    @Test("knows how the candle before the newest ended, and does not take an older one for the newest")
    func candles() throws {
        func candle(_ minute: Int64, close: Int64) -> Bitpal_V1_Candle {
            var candle = Bitpal_V1_Candle()
            (candle.interval, candle.startUnixNanos, candle.close) = ("1m", minute * 60_000_000_000, close)
            return candle
        }
        var known = KnownCandles()
        let said = [(1, 10), (1, 11), (2, 20), (1, 12), (2, 21), (3, 30), (1, 13), (2, 22)].map {
            known.take(candle(Int64($0.0), close: Int64($0.1)))
        }
        #expect(said == [true, true, true, true, true, true, false, true])
        #expect(known.newest == candle(3, close: 30) && known.previous == candle(2, close: 22))
        let body = try #require(NewestCandleBody(known, of: GatewayBus.bitcoin))
        let told = try JSONInput.read(body.json)
        guard case .object(let members) = told, case .object(let before)? = members["previous"] else {
            Issue.record("the candle before is not told")
            return
        }
        #expect(members["close"] == .string("30") && before["close"] == .string("22"))
        let names = members.map(\.key)
        #expect(names == names.sorted() && names == (before.map(\.key) + ["previous"]).sorted())
    }

    private static func firing(_ number: Int64) -> FiringBody {
        let time = GatewayBus.time.adding(nanoseconds: number * 1_000_000_000).iso8601
        return FiringBody(
            id: "\(number)", rule: "r", epoch: number, kind: "fired", reason: "it rose", venueTime: time,
            time: time)
    }

    @Test("says each firing once, also when one is stored late and when an older one comes back into view")
    func firings() {
        var thing = StreamTopicState(StreamTopic(.alerts, ""), epoch: 1)
        let window = Int64(StreamTopicState.firingWindow)
        #expect(thing.say(firings: [1, 3].map(Self.firing)).count == 2)
        #expect(thing.say(firings: [1, 2, 3].map(Self.firing)).count == 1)
        #expect(thing.say(firings: (4..<4 + window).map(Self.firing)).count == Int(window))
        // The newest was deleted with its rule: number 3 is among the newest again.
        #expect(thing.say(firings: (3..<3 + window).map(Self.firing)).isEmpty)
    }

    @Test("says a whole thing again only when it is another")
    func latest() {
        var thing = StreamTopicState(StreamTopic(.trending, ""), epoch: 1)
        #expect(thing.say(bytes: [1]).map(\.place.sequence) == [1])
        #expect(thing.say(bytes: [1]).isEmpty)
        #expect(thing.say(bytes: [2]).map(\.place.sequence) == [2])
    }
}

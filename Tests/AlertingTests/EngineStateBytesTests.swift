import Instruments
import MarketData
import Statistics
import Support
import Testing

@testable import Alerting

@Suite("The byte form of an engine's state")
struct EngineStateBytesTests {
    /// An engine that has seen something.
    static func state(_ generator: inout SeededGenerator) throws -> EngineState {
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        var limits = AlertLimits(journal: 32)
        limits.firingsPerHour = generator.int(0...3)
        var engine = AlertEngine(limits: limits)
        engine.resolve(ZoneOffsets(name: "Test/East", spans: [.init(from: .zero, seconds: 7_200)]))
        var output: [AlertOutput] = []
        let market = engine.market(id)
        for number in 0..<generator.int(1...20) {
            let rule = RandomRule.make("r\(number)", id, around: 10_000, at: 0, &generator)
            try engine.add(rule, into: &output)
        }
        for source in AlertSource.allCases where generator.chance(80) {
            engine.prove(source, of: market, at: .zero, into: &output)
        }
        var time: Int64 = 0
        for number in 0..<generator.int(0...50) {
            time += Int64(generator.int(0...2_000_000_000))
            let trade = Trade(
                id: "\(number)", side: .buy, price: Price(Int64(generator.int(9_900...10_100))),
                size: Quantity(Int64(generator.int(1...300))), priceScale: Scale(2) ?? .zero,
                sizeScale: Scale(1) ?? .zero, venueTime: Timestamp(nanoseconds: time), receivedTime: .zero)
            engine.trade(trade, sequence: UInt64(number), of: market, into: &output)
        }
        if generator.chance(30) {
            engine.doubt(.trades, of: market, at: .zero, because: "a gap", into: &output)
        }
        var state = engine.state()
        for place in state.series.indices where generator.chance(20) {
            state.series[place].wide = Int128(generator.int64()) << 40
        }
        for _ in 0..<generator.int(0...3) {
            state.tapes.append(
                EngineState.Tape(
                    instrument: id, time: Timestamp(nanoseconds: time), ids: ["a", "é"],
                    closes: [60_000_000_000: .zero, 3_600_000_000_000: Timestamp(nanoseconds: 5)]))
        }
        return state
    }

    @Test("reads back as what it was made of")
    func roundTrip() {
        property(cases: 200) { generator in
            let state = try Self.state(&generator)
            let read = try EngineState(bytes: state.bytes)
            guard read == state else { throw PropertyFailure("\(read) is not \(state)") }
        }
    }

    /// The bytes as of another version, without one byte.
    private func older(_ version: UInt8, _ bytes: [UInt8], without place: Int? = nil) -> [UInt8] {
        // Without the check sum, and without what rules fired lately: an empty list before it.
        var bytes = Array(bytes.dropLast(8 + 4))
        bytes[4] = version
        if let place { bytes.remove(at: place) }
        bytes.replaceSubrange(
            6..<10, with: (0..<4).map { UInt8(truncatingIfNeeded: (bytes.count - 10) >> ($0 * 8)) })
        let check = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return bytes + (0..<8).map { UInt8(truncatingIfNeeded: check >> ($0 * 8)) }
    }

    @Test("of its first version is read")
    func firstVersion() throws {
        var generator = SeededGenerator(seed: 1)
        var state = try Self.state(&generator)
        // Evaluations and last values were written otherwise.
        (state.journal, state.series, state.paces) = ([], [], [])
        #expect(try EngineState(bytes: older(1, state.bytes)) == state)
    }

    @Test("of its second version is read: there a value was a decimal and nothing else")
    func secondVersion() throws {
        var state = EngineState()
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        let value = DecimalNumber(units: 5, scale: .zero)
        state.series = [.init(key: .price(id, .last), value: value, time: Timestamp(nanoseconds: 7))]
        // The header; how many rules and series; the key's kind, venue, symbol and price; the value.
        let place = 10 + 4 + 4 + (1 + 4 + 6 + 4 + 7 + 4 + 4) + 9
        #expect(state.bytes[place] == 0)
        #expect(try EngineState(bytes: older(2, state.bytes, without: place)) == state)
    }

    @Test("of its third version is read: there nobody counted how often a rule fired lately")
    func thirdVersion() throws {
        var generator = SeededGenerator(seed: 2)
        var state = try Self.state(&generator)
        state.paces = []
        #expect(try EngineState(bytes: older(3, state.bytes)) == state)
    }

    @Test("is refused when a byte is another one, missing or too much")
    func garbage() {
        property(cases: 200) { generator in
            var bytes = try Self.state(&generator).bytes
            switch generator.int(0...2) {
            case 0: bytes[generator.int(0...bytes.count - 1)] ^= UInt8(1 << generator.int(0...7))
            case 1: bytes.removeLast(generator.int(1...bytes.count))
            default: bytes.append(UInt8(generator.int(0...255)))
            }
            do throws(EngineStateFault) {
                _ = try EngineState(bytes: bytes)
            } catch {
                return
            }
            throw PropertyFailure("damaged bytes were read")
        }
    }

    @Test("never stops the reader, even when the check sum is right")
    func hostile() {
        property(cases: 200) { generator in
            let sound = try Self.state(&generator).bytes
            var body = Array(sound[10..<sound.count - 8])
            for _ in 0..<generator.int(1...20) where !body.isEmpty {
                body[generator.int(0...body.count - 1)] = UInt8(generator.int(0...255))
            }
            var reader = StateReader(body, 0..<body.count)
            var fresh = AlertEngine()
            var output: [AlertOutput] = []
            let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
            for number in 0..<20 {
                try? fresh.add(
                    RandomRule.make("r\(number)", id, around: 10_000, at: 0, &generator), into: &output)
            }
            if let state = try? reader.state() { fresh.restore(state) }
        }
    }

    @Test("of a candle signal goes on where it was")
    func signals() throws {
        let minute: Int64 = 60_000_000_000
        let conditions: [AlertCondition] = [
            .rsi(
                interval: minute, period: 3, .either, level: DecimalNumber(units: 50, scale: .zero)),
            .macd(interval: minute, fast: 2, slow: 4, signal: 3, .either),
            .ema(interval: minute, fast: 2, slow: 5, .either),
            .bollinger(
                interval: minute, period: 4, deviations: DecimalNumber(units: 1, scale: .zero), .either),
        ]
        property(cases: 200) { generator in
            let body = Watch.body(of: generator.pick(conditions))
            guard case .indicator(let interval, var signal)? = body, let fresh = body else { return }
            for number in 0..<40 {
                var other = fresh
                other.takeOver(Watch.Body.indicator(interval: interval, signal).kept)
                guard case .indicator(_, var copy) = other else { return }
                let close = CandleSignal.Decimal(Int64(generator.int(900...1_100)), places: 1)
                guard copy.update(close: close) == signal.update(close: close), copy.kept == signal.kept
                else {
                    throw PropertyFailure("close \(number): something was forgotten")
                }
                signal = copy
            }
        }
    }
}

import Instruments
import Support
import Testing

@testable import Alerting

@Suite("Windows of rules")
struct WindowTests {
    /// What a window holds, by looking at everything that was ever said.
    private func naive(
        _ said: [PriceWindow.Entry], _ wanted: PriceWindow.Wanted, _ within: Int64
    ) -> ExactValue? {
        guard let now = said.last else { return nil }
        let inside = said.filter { $0.time > now.time - within }.map(\.price)
        let start = said.last { $0.time <= now.time - within }?.price ?? said[0].price
        return switch wanted {
        case .first: start
        case .lowest: min(start, inside.min() ?? start)
        case .highest: max(start, inside.max() ?? start)
        }
    }

    @Test(
        "give what a look at every price gives",
        arguments: [PriceWindow.Wanted.first, .lowest, .highest])
    func prices(wanted: PriceWindow.Wanted) {
        property { generator in
            let within = Int64(generator.int(1...40))
            var window = PriceWindow(wanted)
            var said: [PriceWindow.Entry] = []
            var time: Int64 = 1_700_000_000_000_000_000
            for _ in 0..<300 {
                time += Int64(generator.pick([0, 0, 1, 2, 7, 41]))
                let price = ExactValue(units: Int128(generator.int(95...105)))
                said.append(PriceWindow.Entry(price: price, time: time))
                window.say(said[said.count - 1].price, at: time, within: within)
                try #require(window.price == naive(said, wanted, within))
            }
        }
    }

    @Test("past their bound they are right to a 4,096th of the window, and bounded")
    func bound() {
        let within: Int64 = 86_400_000_000_000
        for wanted in [PriceWindow.Wanted.first, .lowest, .highest] {
            var window = PriceWindow(wanted)
            // A price that always rises, or falls, is the most that either can hold.
            let step = within / 50_000
            for number in 0..<Int64(120_000) {
                let price = wanted == .highest ? -number : number
                window.say(ExactValue(units: Int128(price)), at: number * step, within: within)
                #expect(window.queue.count <= WindowQueue<PriceWindow.Entry>.limit)
                guard number > 60_000, let found = window.price?.units else { continue }
                // In force 50,000 steps ago; a grain has twelve of them.
                let exact = Int128(number - 50_000)
                if abs(abs(found) - exact) > 13 {
                    Issue.record("\(wanted) at \(number): \(found), not \(exact)")
                    return
                }
            }
        }
    }

    @Test("what a state keeps goes on as if it had not been away")
    func kept() {
        let condition = ChangeCondition(
            price: .last, size: .percent(DecimalNumber(units: 5, scale: .zero)), within: 3_600_000_000_000,
            direction: .either, anchor: .extreme)
        property { generator in
            var watch = ChangeWatch(condition)
            var time: Int64 = 0
            for _ in 0..<200 {
                time += Int64(generator.int(0...120_000_000_000))
                let price = Int64(generator.int(9_000...11_000))
                let scale = generator.pick([Scale.zero, Scale(2) ?? .zero])
                let units = scale == .zero ? price / 100 : price
                var other = ChangeWatch(condition)
                let isTaken = other.takeOver(watch.kept)
                try #require(isTaken)
                try #require(other == watch)
                let said = ExactValue(DecimalNumber(units: units, scale: scale))
                let move = watch.update(said, at: Timestamp(nanoseconds: time))
                if move != nil, generator.chance(50) { watch.restart() }
            }
        }
        var watch = ChangeWatch(condition)
        // Numbers of the form before.
        let isTaken = watch.takeOver([0, 0, 0, 0, 0])
        #expect(!isTaken)
        #expect(watch == ChangeWatch(condition))
    }

    @Test("trades 59 minutes and 55 seconds apart are within an hour, an hour apart they are not")
    func volume() {
        func bursts(_ times: [Int64]) -> [Bool] {
            var watch = VolumeWatch(
                .above(DecimalNumber(units: 2, scale: .zero), within: 3_600_000_000_000))
            return times.map { time in
                watch.update(
                    DecimalNumber(units: 15, scale: Scale(1) ?? .zero),
                    at: Timestamp(nanoseconds: (1_700_000_055 + time) * 1_000_000_000)) != nil
            }
        }
        #expect(bursts([0, 3_595]) == [false, true])
        #expect(bursts([0, 3_600]) == [false, false])
        #expect(bursts([0, 3_599, 3_600, 7_198, 7_199]) == [false, true, false, false, false])
    }

    @Test("what has left the window in silence may come again, a burst as well as a move")
    func silence() {
        let minute: Int64 = 60_000_000_000
        let times = [0, 10, 60, 300, 86_400].map { second in
            Timestamp(nanoseconds: (1_700_000_040 + second) * 1_000_000_000)
        }
        var volume = VolumeWatch(.above(DecimalNumber(units: 100, scale: .zero), within: minute))
        let bursts = times.map { volume.update(DecimalNumber(units: 500, scale: .zero), at: $0) != nil }
        // The one of a minute later comes in the moment in which the first leaves; the second is still there.
        #expect(bursts == [true, false, false, true, true])
        for anchor in [ChangeCondition.Anchor.start, .extreme] {
            var change = ChangeWatch(
                ChangeCondition(
                    price: .last, size: .percent(DecimalNumber(units: 5, scale: .zero)), within: minute,
                    direction: .up, anchor: anchor))
            let prices: [Int64] = [100, 106, 112, 140, 150]
            let moves = zip(times, prices).map { time, price in
                change.update(ExactValue(DecimalNumber(units: price, scale: .zero)), at: time)?.from
            }
            #expect(moves.map { $0?.description } == [nil, "100", nil, "112", "140"], "\(anchor)")
        }
    }

    @Test("sums of the greatest sizes do not stop it")
    func overflow() {
        var watch = VolumeWatch(.above(DecimalNumber(units: 1, scale: .zero), within: 60_000_000_000))
        for number in 0..<Int64(200) {
            let time = Timestamp(nanoseconds: number * 1_000_000_000)
            let burst = watch.update(DecimalNumber(units: .max, scale: .zero), at: time)
            #expect((burst != nil) == (number == 0))
        }
    }
}

import Instruments
import MarketState
import MarketStore
import Support
import Testing

@testable import OperatorCommands

@Suite("Missing candles")
struct MissingCandlesTests {
    private static let minute: Int64 = 60_000_000_000

    private static func time(_ minutes: Int64) -> Timestamp { Timestamp(nanoseconds: minutes * minute) }

    @Test(
        "missing stretches are the span without the stored ones, for random ones too", arguments: [1, 2, 3])
    func missing(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let stored = (0..<40).map { _ in random.next() % 3 > 0 }
            var runs: [CandleRun] = []
            for index in stored.indices where stored[index] {
                if let last = runs.last, last.to == Self.time(Int64(index)) {
                    runs[runs.count - 1] = CandleRun(from: last.from, to: Self.time(Int64(index) + 1))
                } else {
                    runs.append(CandleRun(from: Self.time(Int64(index)), to: Self.time(Int64(index) + 1)))
                }
            }
            let (from, now) = (Int64(random.next() % 20), Int64(random.next() % 60))
            let visible = runs.compactMap { run -> CandleRun? in
                let first = max(run.from, Self.time(from))
                return first < run.to ? CandleRun(from: first, to: run.to) : nil
            }
            let ranges = MissingCandles.ranges(
                in: Self.time(from)..<Self.time(40), besides: visible, of: .minute,
                at: Self.time(now).adding(nanoseconds: 5))
            let found = ranges.flatMap { range in
                stride(
                    from: range.lowerBound.nanoseconds, to: range.upperBound.nanoseconds,
                    by: Int64.Stride(Self.minute)
                )
                .map { $0 / Self.minute }
            }
            let expected = (0..<40).filter { !stored[$0] && $0 >= from && $0 < now }.map { Int64($0) }
            #expect(found == expected, "seed \(seed)")
        }
    }
}

import Testing

@testable import OperatorCommands

@Suite("Progress")
struct ProgressBarTests {
    private static let second: Int64 = 1_000_000_000

    @Test("says how far it is, how fast, and how long it will take")
    func steady() {
        var bar = ProgressBar("x", unit: "candles", total: 10_000, isInteractive: false)
        bar.note(2_000, after: 2 * Self.second)
        #expect(bar.text(4_000, after: 5 * Self.second) == "40 % · 4000/10000 candles · 800/s · 7 s left")
        #expect(bar.text(10_000, after: 10 * Self.second) == "100 % · 10000/10000 candles · 1000/s")
    }

    @Test("after a burst the time left follows what comes now")
    func burst() {
        var bar = ProgressBar("x", unit: "candles", total: 10_000, isInteractive: false)
        for tenth in 1...10 as ClosedRange<Int64> {
            bar.note(Int(tenth) * 200, after: tenth * Self.second / 10)
        }
        for later in 2...20 as ClosedRange<Int64> {
            bar.note(2_000 + Int(later) * 10, after: later * Self.second)
        }
        #expect(bar.text(2_210, after: 21 * Self.second) == "22 % · 2210/10000 candles · 10/s · 12 min left")
    }

    @Test("what stands still has no rate")
    func still() {
        let bar = ProgressBar("x", unit: "rows", total: 10, isInteractive: false)
        #expect(bar.text(0, after: 5 * Self.second) == "0 % · 0/10 rows")
    }
}

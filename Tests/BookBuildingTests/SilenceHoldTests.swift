import Instruments
import Testing

@testable import BookBuilding

@Suite("Candles while the bus is silent")
struct SilenceHoldTests {
    @Test("stay open, and two seconds longer, for what was held back on the way")
    func hold() {
        func second(_ seconds: Double) -> Timestamp {
            Timestamp(nanoseconds: 1_767_225_600_000_000_000 + Int64(seconds * 1_000_000_000))
        }
        var hold = SilenceHold()
        hold.note(isSilent: false, at: second(0))
        #expect(hold.isOver(at: second(0)))
        hold.note(isSilent: true, at: second(1))
        hold.note(isSilent: true, at: second(35))
        #expect(!hold.isOver(at: second(35)) && !hold.isOver(at: second(37)))
        hold.note(isSilent: false, at: second(36))
        #expect(!hold.isOver(at: second(36.9)) && hold.isOver(at: second(37.1)))
    }
}

import Instruments
import Support
import Testing

@testable import BookBuilding

@Suite("A venue's time by its trades")
struct VenueClockTests {
    private let now = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

    private func after(_ seconds: Int64) -> Timestamp { now.adding(nanoseconds: seconds * 1_000_000_000) }

    @Test("is that of the newest trade and what has passed since, also of an old session")
    func passes() {
        var clock = VenueClock()
        #expect(clock.time(at: now) == nil)
        let said1 = clock.believes(after(-1_000_000), at: now)
        #expect(said1)
        #expect(clock.time(at: after(5)) == after(-999_995))
        // An older trade that comes later takes nothing back and adds nothing.
        let said2 = clock.believes(after(-1_000_050), at: after(6))
        #expect(said2)
        #expect(clock.time(at: after(7)) == after(-999_993))
        #expect(clock.silence(at: after(7)) == 1_000_000_000)
        // Nor is more passed than trades say.
        let said3 = clock.believes(after(-999_999), at: after(8))
        #expect(said3)
        #expect(clock.time(at: after(8)) == after(-999_999))
    }

    @Test("does not follow one trade that is far ahead, but ten that agree")
    func ahead() {
        var clock = VenueClock()
        let said4 = clock.believes(after(-1_000_000), at: now)
        #expect(said4)
        let said5 = clock.believes(after(-900_000), at: now)
        #expect(!said5)
        #expect(clock.time(at: now) == after(-1_000_000))
        // A believed one between them: they begin anew.
        let said6 = clock.believes(after(-999_990), at: now)
        #expect(said6)
        for _ in 1..<VenueClock.witnesses {
            let said7 = clock.believes(after(-800_000), at: now)
            #expect(!said7)
        }
        let said8 = clock.believes(after(-800_001), at: now)
        #expect(said8)
        #expect(clock.time(at: now) == after(-800_001))
    }

    @Test("is never believed to be a day ahead of ours")
    func future() {
        var clock = VenueClock()
        for _ in 0..<20 {
            let said9 = clock.believes(after(86_401), at: now)
            #expect(!said9)
        }
        let said10 = clock.believes(after(3_000), at: now)
        #expect(said10)
        #expect(clock.horizon(at: now) == after(6_600))
    }
}

import Hosting
import Instruments
import Testing

@Suite("Clock offset")
struct ClockOffsetTests {
    private static let second: Int64 = 1_000_000_000

    /// An answer of a server that is so far ahead of this machine, in nanoseconds.
    private static func sample(ahead: Int64, trip: Int64 = 0) -> ClockOffset.Sample {
        let asked = Timestamp(nanoseconds: 1_767_225_600 * second)
        return ClockOffset.Sample(
            asked: asked, server: asked.adding(nanoseconds: ahead + trip / 2),
            answered: asked.adding(nanoseconds: trip))
    }

    @Test(
        "is what the other clock is ahead, and what it was where that is right but for a quarter of a second",
        arguments: [
            (600 * second, 600 * second), (-3_600 * second, -3_600 * second), (second, second),
            (ClockOffset.tolerance, 0), (-ClockOffset.tolerance, 0), (0, 0),
        ] as [(Int64, Int64)])
    func measured(ahead: Int64, expected: Int64) {
        var offset = ClockOffset()
        let isTaken = offset.take(Self.sample(ahead: ahead, trip: 40_000_000))
        #expect(isTaken)
        #expect(offset.nanoseconds == expected)
    }

    @Test("stays while answers differ by no more than the tolerance, and goes when the clock is mended")
    func hysteresis() {
        var offset = ClockOffset()
        for ahead in [600 * Self.second, 600 * Self.second + 100_000_000, 600 * Self.second - 200_000_000] {
            let isTaken = offset.take(Self.sample(ahead: ahead))
            #expect(isTaken && offset.nanoseconds == 600 * Self.second)
        }
        let isTaken = offset.take(Self.sample(ahead: 90_000_000))
        #expect(isTaken && offset.nanoseconds == 90_000_000)
    }

    @Test(
        "learns nothing from an answer that was long on its way, or before which the clock was set back",
        arguments: [ClockOffset.longestTrip + 1, -1, .max, .min] as [Int64])
    func late(trip: Int64) {
        var offset = ClockOffset()
        let asked = Timestamp(nanoseconds: trip == .min ? -1 : 0)
        let sample = ClockOffset.Sample(
            asked: asked, server: Timestamp(nanoseconds: 900 * Self.second),
            answered: Timestamp(nanoseconds: trip))
        let isTaken = offset.take(sample)
        #expect(!isTaken && offset.nanoseconds == 0)
    }

    @Test("survives the ends of time")
    func extremes() {
        var offset = ClockOffset()
        for server in [Int64.max, .min, .max] {
            let sample = ClockOffset.Sample(
                asked: .zero, server: Timestamp(nanoseconds: server), answered: .zero)
            let isTaken = offset.take(sample)
            #expect(isTaken && offset.nanoseconds == server)
        }
    }
}

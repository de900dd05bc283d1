import Instruments
import Testing

@testable import VenueSimulation

@Suite("Playback clock")
struct PlaybackClockTests {
    private func at(_ nanoseconds: Int64) -> Timestamp { Timestamp(nanoseconds: nanoseconds) }

    @Test(
        "divides recorded time by the speed",
        arguments: [(1, 1_000, 1_600), (10, 1_000, 1_060), (1_000, 5, 5), (3, 0, 200)])
    func speed(times: Int, real: Int64, due: Int64) {
        var clock = PlaybackClock(speed: .times(times))
        clock.start(at(400), at: at(real))
        #expect(clock.due(at(1_000)) == at(due))
    }

    @Test("everything is due at once at maximum speed and before the start")
    func maximum() {
        var clock = PlaybackClock(speed: .maximum)
        clock.start(at(400), at: at(1_000))
        #expect(clock.due(at(9_999)) < at(0))
        #expect(PlaybackClock(speed: .times(1)).due(at(9_999)) < at(0))
    }

    @Test("goes on from a new start after a hold")
    func restart() {
        var clock = PlaybackClock(speed: .times(2))
        clock.start(at(0), at: at(0))
        clock.start(at(100), at: at(900))
        #expect(clock.due(at(200)) == at(950))
    }

    @Test("speeds are numbers from 1 to 1,000, or max")
    func texts() {
        #expect(PlaybackSpeed("1") == .times(1))
        #expect(PlaybackSpeed("1000") == .times(1_000))
        #expect(PlaybackSpeed("max") == .maximum)
        for text in ["0", "1001", "-1", "1.5", "", "fast"] { #expect(PlaybackSpeed(text) == nil) }
        #expect("\(PlaybackSpeed.times(10)) \(PlaybackSpeed.maximum)" == "10 max")
    }
}

import Instruments
import Support
import Testing

@testable import OperatorCommands

@Suite("When backups are made and tried")
struct BackupAgendaTests {
    private static let (hour, day): (Int64, Int64) = (3_600_000_000_000, 86_400_000_000_000)
    private static let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)

    private static func after(_ nanoseconds: Int64) -> Timestamp { start.adding(nanoseconds: nanoseconds) }

    @Test("at once, then tried, then once a day and once a week")
    func life() {
        var agenda = BackupAgenda(every: Self.day, drillEvery: 7 * Self.day)
        #expect(agenda.next(at: Self.start) == .backup)
        agenda.backups.succeed(at: Self.start)
        #expect(agenda.next(at: Self.start) == .drill)
        agenda.drills.succeed(at: Self.start)
        #expect(agenda.next(at: Self.after(Self.hour)) == .wait(23 * Self.hour))
        #expect(agenda.next(at: Self.after(Self.day)) == .backup)
        agenda.backups.succeed(at: Self.after(7 * Self.day))
        #expect(agenda.next(at: Self.after(7 * Self.day)) == .drill)
        agenda.drillEvery = 0
        #expect(agenda.next(at: Self.after(7 * Self.day)) == .wait(Self.day))
    }

    @Test("again soon where one failed, and then ever later, up to an hour")
    func failures() {
        var agenda = BackupAgenda(every: Self.day, drillEvery: 7 * Self.day)
        let minutes: [Int64] = [5, 10, 20, 40, 60, 60]
        for minute in minutes {
            agenda.backups.fail(at: Self.start)
            let pause = minute * 60_000_000_000
            #expect(agenda.next(at: Self.after(pause - 1)) == .wait(1))
            #expect(agenda.next(at: Self.after(pause)) == .backup)
        }
        agenda.backups.succeed(at: Self.start)
        #expect(agenda.backups.failures == 0)
        agenda.drills.fail(at: Self.start)
        #expect(agenda.next(at: Self.after(Self.hour)) == .drill)
    }

    @Test("at once where the last one is dated in the future, since nobody knows how old it is")
    func future() {
        var agenda = BackupAgenda(every: Self.day, drillEvery: 7 * Self.day)
        agenda.backups.succeed(at: Self.after(2_000 * Self.day))
        #expect(agenda.next(at: Self.start) == .backup)
        agenda.backups.succeed(at: Self.start)
        agenda.drills.fail(at: Self.after(2_000 * Self.day))
        #expect(agenda.next(at: Self.start) == .drill)
    }

    @Test("never wait for longer than the interval, wherever the clock is set")
    func clock() {
        property { rng in
            var agenda = BackupAgenda(
                every: Int64(rng.int(1...50)) * Self.hour, drillEvery: Int64(rng.int(0...300)) * Self.hour)
            var now = Self.start
            for _ in 0..<50 {
                now = now.adding(nanoseconds: Int64(rng.int(-400...400)) * Self.hour)
                rng.note("\(agenda.next(at: now))")
                switch agenda.next(at: now) {
                case .wait(let nanoseconds):
                    try #require((1...agenda.every).contains(nanoseconds))
                case .backup:
                    rng.chance(70) ? agenda.backups.succeed(at: now) : agenda.backups.fail(at: now)
                case .drill:
                    try #require(agenda.backups.succeeded != nil && agenda.drillEvery > 0)
                    rng.chance(70) ? agenda.drills.succeed(at: now) : agenda.drills.fail(at: now)
                }
            }
        }
    }
}

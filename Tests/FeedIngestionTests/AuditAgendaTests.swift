import Instruments
import Support
import Testing

@testable import FeedIngestion

@Suite("Agenda of audits")
struct AuditAgendaTests {
    private static let second: Int64 = 1_000_000_000
    private static let start = Timestamp(nanoseconds: 1_600_000_000_000_000_000)

    private static func at(_ seconds: Int64) -> Timestamp { start.adding(nanoseconds: seconds * second) }

    @Test("spreads what is followed evenly over a period, and then each comes once a period")
    func spreads() {
        var agenda = AuditAgenda()
        var told: [String] = []
        for time in 0...24 as ClosedRange<Int64> {
            let now = Self.at(time)
            while let symbol = agenda.next(of: ["A", "B", "C"], every: 12 * Self.second, at: now) {
                told.append("\(symbol)\(time)")
                agenda.took(symbol, isDone: true, every: 12 * Self.second, at: now)
            }
        }
        #expect(told == ["A4", "B8", "C12", "A16", "B20", "C24"])
    }

    @Test("comes soon again to a book that could not be compared, and not at once")
    func missed() {
        var agenda = AuditAgenda()
        let period = 3_600 * Self.second
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(0)) == nil)
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(3_600)) == "A")
        agenda.took("A", isDone: false, every: period, at: Self.at(3_600))
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(3_659)) == nil)
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(3_660)) == "A")
    }

    @Test("forgets what is not followed, and takes the longest due first where the venue is slower")
    func order() {
        var agenda = AuditAgenda()
        let period = 10 * Self.second
        _ = agenda.next(of: ["A", "B"], every: period, at: Self.at(0))
        #expect(agenda.next(of: ["A", "B"], every: period, at: Self.at(100)) == "A")
        #expect(agenda.next(of: ["B", "C"], every: period, at: Self.at(100)) == "B")
        #expect(agenda.due("A") == nil)
        agenda.took("B", isDone: true, every: period, at: Self.at(100))
        #expect(agenda.next(of: ["B", "C"], every: period, at: Self.at(109)) == nil)
        #expect(agenda.next(of: ["B", "C"], every: period, at: Self.at(110)) == "B")
    }

    @Test("a clock that is set back puts nothing off for longer than a period")
    func setBack() {
        var agenda = AuditAgenda()
        let period = 10 * Self.second
        _ = agenda.next(of: ["A"], every: period, at: Self.at(1_000_000))
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(0)) == nil)
        #expect(agenda.next(of: ["A"], every: period, at: Self.at(10)) == "A")
    }

    @Test("finds every book within one period, whatever comes and goes meanwhile")
    func everyBook() {
        property { rng in
            var agenda = AuditAgenda()
            let period = Int64(rng.int(5...60)) * Self.second
            var followed: [String] = []
            var last: [String: Timestamp] = [:]
            for time in 0...Int64(rng.int(50...300)) {
                let now = Self.at(time)
                if rng.chance(5) { followed.append("S\(time)") }
                if rng.chance(3), !followed.isEmpty { followed.remove(at: rng.int(0...followed.count - 1)) }
                last = last.filter { followed.contains($0.key) }
                for symbol in followed where last[symbol] == nil { last[symbol] = now }
                while let symbol = agenda.next(of: followed, every: period, at: now) {
                    try #require(followed.contains(symbol))
                    last[symbol] = now
                    agenda.took(symbol, isDone: true, every: period, at: now)
                }
                for (symbol, time) in last {
                    try #require(now.nanoseconds(since: time) <= period, "\(symbol) waits too long")
                }
            }
        }
    }
}

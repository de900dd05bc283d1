import Instruments
import MarketState
import Support
import Testing

@testable import MarketStore

@Suite("Retention plan")
struct RetentionPlanTests {
    private static let day: Int64 = 86_400_000_000_000

    private func partition(_ kind: PartitionKind, _ number: Int64) -> Partition {
        let from = PartitionNumber(kind, number: number).from
        let to = PartitionNumber(kind, number: number + 1).from
        return Partition(name: "p\(number)", kind: kind, from: from, to: to)
    }

    private func plan(
        _ days: some Sequence<Int64>, newest: [Int64], keep: Int64?
    ) -> (create: [Int64], drop: [String]) {
        let plan = RetentionPlan(
            .trades, partitions: days.map { partition(.trades, $0) },
            newest: newest.map { Timestamp(nanoseconds: $0) }, keep: keep.map { $0 * Self.day })
        return (plan.create.map(\.number), plan.drop.map(\.name))
    }

    @Test("three partitions are ready after the newest data, and its own")
    func ahead() {
        #expect(plan([], newest: [100 * Self.day], keep: 7).create == [100, 101, 102, 103])
        #expect(plan([100, 101], newest: [101 * Self.day - 1], keep: 7).create == [102, 103])
        #expect(plan([], newest: [], keep: 7) == ([], []))
        #expect(plan([], newest: [.max], keep: 7).create == [106_751])
    }

    @Test("a day goes when all of it is older than what is kept, to the nanosecond")
    func boundary() {
        let days = 90...104 as ClosedRange<Int64>
        #expect(plan(days, newest: [100 * Self.day], keep: 7).drop == ["p90", "p91", "p92"])
        #expect(plan(days, newest: [100 * Self.day - 1], keep: 7).drop == ["p90", "p91"])
        #expect(plan(days, newest: [100 * Self.day], keep: nil).drop.isEmpty)
    }

    @Test("a replay of an old session keeps its own days while a live venue drops its old ones")
    func replay() {
        let old = 18_000 * Self.day + 5
        let days = Array(17_990...18_010) + Array(20_000...20_013) as [Int64]
        let plan = plan(days, newest: [old, 20_010 * Self.day + 1], keep: 7)
        // Days 17,993 to 18,003 are the replay's window.
        #expect(
            plan.drop == (17_990...17_992).map { "p\($0)" } + (18_004...18_010).map { "p\($0)" }
                + (20_000...20_002).map { "p\($0)" })
        #expect(plan.create.isEmpty)
    }

    @Test("what lies after all windows is never dropped, whatever wrote it")
    func future() {
        #expect(plan([100, 140, 73_000], newest: [100 * Self.day], keep: 1).drop.isEmpty)
    }

    @Test("no row that is kept is ever in a partition that is dropped, and what is made is not dropped again")
    func safety() {
        property { random in
            let kind = random.pick(PartitionKind.all)
            let keep = Int64(random.int(1...400)) * Self.day
            let venues = (0..<random.int(1...4)).map { _ in Int64(random.int(0...3_000)) * Self.day }
            var rows: [(venue: Int, time: Int64)] = []
            for _ in 0..<random.int(1...60) {
                let venue = random.int(0...venues.count - 1)
                rows.append((venue, venues[venue] - Int64(random.int(0...800)) * Self.day / 3))
            }
            var newest: [Int: Int64] = [:]
            for row in rows { newest[row.venue] = max(newest[row.venue] ?? .min, row.time) }
            var numbers = Set(rows.map { PartitionNumber(kind, at: Timestamp(nanoseconds: $0.time)).number })
            for _ in 0..<random.int(0...9) { numbers.insert(Int64(random.int(-20...4_000))) }
            let times = newest.values.map { Timestamp(nanoseconds: $0) }
            let first = RetentionPlan(
                kind, partitions: numbers.map { partition(kind, $0) }, newest: times, keep: keep)
            for partition in first.drop {
                for row in rows
                where row.time >= partition.from.nanoseconds && row.time < partition.to.nanoseconds {
                    try #require(row.time < (newest[row.venue] ?? 0) - keep)
                }
            }
            let left = numbers.union(first.create.map(\.number))
                .subtracting(first.drop.map { PartitionNumber(kind, at: $0.from).number })
            let second = RetentionPlan(
                kind, partitions: left.map { partition(kind, $0) }, newest: times, keep: keep)
            try #require(second.create.isEmpty && second.drop.isEmpty)
        }
    }

    @Test("a place's first instant lies in it, and the one before does not, for any time")
    func places() {
        property(cases: 2_000) { random in
            let kind = random.pick(PartitionKind.all)
            let time = random.timestamp()
            let place = PartitionNumber(kind, at: time)
            try #require(place.number == .min || place.from <= time || place.from.nanoseconds == .min)
            let next = PartitionNumber(kind, number: place.number + 1).from
            try #require(next > time || next.nanoseconds == .max)
        }
    }

    @Test("the standard policy; less than a day counts as a day, ages as for ever")
    func policy() {
        var policy = RetentionPolicy.standard
        #expect(policy[.trades] == .seconds(7 * 86_400))
        #expect(policy[.candles(.hour)] == nil)
        policy[.trades] = .seconds(1)
        #expect(policy.nanoseconds(.trades) == Self.day)
        policy[.trades] = .seconds(10_000_000_000)
        #expect(policy.nanoseconds(.trades) == nil)
    }
}

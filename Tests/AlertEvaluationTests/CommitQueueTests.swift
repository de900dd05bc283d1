import AccountStore
import Alerting
import Instruments
import MarketStore
import Store
import Testing

@testable import AlertEvaluation
@testable import AlertStore

@Suite("The queue of commits")
struct CommitQueueTests {
    /// Any instant: the queue only compares.
    private static let start = ContinuousClock.now

    /// A hundred shards without firings, offered in the order of a table of their own.
    private static func quiet(_ count: Int = 100) -> CommitQueue {
        let queue = CommitQueue(limit: 10)
        for shard in Set(Shard.all.prefix(count)) {
            queue.open(shard, epoch: 1, after: 0)
            #expect(queue.offer(shard, state: [1], ruleChange: 1, steps: []))
        }
        return queue
    }

    private static func step(_ shard: Shard) throws -> EvaluationCommit.Step {
        let id = UniqueID(high: 0, low: UInt64(shard.rawValue) + 1)
        let rule = try AlertRule(
            json: #"{"id":"\#(id)","instrument":"kraken:BTC/USD","condition":"#
                + #"{"price":"last","crosses":"above","level":"1"}}"#)
        let stored = StoredRule(
            id: id, user: .localOperator, rule: rule, shard: shard, isEnabled: true, version: 1, change: 1,
            epoch: 0, created: .zero, updated: .zero)
        return EvaluationCommit.Step(stored, nil)
    }

    private static func settle(_ work: CommitQueue.Work, in queue: CommitQueue) {
        for commit in work.commits { queue.succeeded(commit) }
    }

    @Test("hands out the same to whoever offers the same")
    func repeats() throws {
        let queues = [Self.quiet(), Self.quiet()]
        for round in 0..<8 {
            let works = try queues.map { try #require($0.take(at: Self.start)) }
            #expect(works[0].commits == works[1].commits, "round \(round)")
            for (queue, work) in zip(queues, works) {
                Self.settle(work, in: queue)
                for commit in work.commits {
                    _ = queue.offer(commit.shard, state: [UInt8(round)], ruleChange: 1, steps: [])
                }
            }
        }
    }

    @Test("has each shard without firings take its turn, however often the others have something new")
    func turns() throws {
        let queue = Self.quiet()
        var turns: [Shard: Int] = [:]
        for _ in 0..<25 {
            let work = try #require(queue.take(at: Self.start))
            #expect(work.commits.count == 32)
            #expect(work.commits.map(\.shard) == work.commits.map(\.shard).sorted())
            Self.settle(work, in: queue)
            for commit in work.commits {
                turns[commit.shard, default: 0] += 1
                _ = queue.offer(commit.shard, state: [2], ruleChange: 1, steps: [])
            }
        }
        // 25 times 32 are eight for each of a hundred.
        #expect(turns.count == 100)
        #expect(turns.values.allSatisfy { $0 == 8 })
    }

    @Test("hands out every shard within four times")
    func all() throws {
        let queue = Self.quiet()
        var seen: [Shard] = []
        for _ in 0..<4 {
            let work = try #require(queue.take(at: Self.start))
            seen += work.commits.map(\.shard)
            Self.settle(work, in: queue)
        }
        #expect(seen == Array(Shard.all.prefix(100)))
        #expect(queue.take(at: Self.start) == nil)
    }

    @Test("lets firings go before for two seconds, and then once what has none")
    func patience() throws {
        let queue = Self.quiet(1)
        let firing = Shard(rawValue: 200)
        queue.open(firing, epoch: 1, after: 0)
        func take(after milliseconds: Int) throws -> [Shard] {
            _ = queue.offer(firing, state: [1], ruleChange: 1, steps: [try Self.step(firing)])
            let work = try #require(queue.take(at: Self.start + .milliseconds(milliseconds)))
            Self.settle(work, in: queue)
            return work.commits.map(\.shard)
        }
        #expect(try take(after: 0) == [firing])
        #expect(try take(after: 2_000) == [firing])
        #expect(try take(after: 2_001) == [Shard(rawValue: 0)])
        _ = queue.offer(Shard(rawValue: 0), state: [2], ruleChange: 1, steps: [])
        #expect(try take(after: 4_001) == [firing])
        #expect(try take(after: 4_002) == [Shard(rawValue: 0)])
        #expect(queue.figures.waiting == 1)
    }

    @Test("repeats a commit that failed as it was before anything that came since")
    func failed() throws {
        let queue = Self.quiet(2)
        let first = try #require(queue.take(at: Self.start))
        _ = queue.offer(Shard(rawValue: 1), state: [9], ruleChange: 2, steps: [])
        for commit in first.commits { queue.failed(commit) }
        let again = try #require(queue.take(at: Self.start))
        #expect(again.commits == first.commits)
        Self.settle(again, in: queue)
        let next = try #require(queue.take(at: Self.start))
        #expect(next.commits.map(\.shard) == [Shard(rawValue: 1)])
        #expect(next.commits.map(\.number) == [2])
    }
}

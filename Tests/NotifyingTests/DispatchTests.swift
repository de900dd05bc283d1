import Support
import Testing

@testable import Notifying

/// Letters with numbers.
private typealias Numbers = Dispatch<String, Int>

extension Dispatch.Move where Content == Int {
    fileprivate var sent: Int? {
        if case .send(let letter) = self { return letter.content }
        return nil
    }

    fileprivate var postponed: Int64? {
        if case .postpone(_, let until) = self { return until }
        return nil
    }
}

@Suite("Dispatch")
struct DispatchTests {
    private static let second: Int64 = 1_000_000_000

    private static func letter(
        _ number: Int, _ channel: String, host: String = "h", leaseEnd: Int64 = .max
    ) -> Numbers.Post {
        QueuedDelivery(channel: channel, host: host, leaseEnd: leaseEnd, content: number)
    }

    @Test("sends one at a time to a receiver that has not answered yet, and up to four when it has")
    func slowStart() {
        var dispatch = Numbers(DispatchLimits())
        var sent = (0..<5).flatMap { dispatch.take(Self.letter($0, "a"), at: 0) }.compactMap(\.sent)
        #expect(sent == [0])
        for _ in 0..<4 {
            sent += dispatch.ended(Self.letter(0, "a"), at: 0, failed: false).compactMap(\.sent)
        }
        #expect(sent == [0, 1, 2, 3, 4])
        for number in 5..<40 { sent += dispatch.take(Self.letter(number, "a"), at: 0).compactMap(\.sent) }
        #expect(dispatch.running == 4)
    }

    @Test("opens the circuit after five failures, probes once, and waits twice as long each time")
    func breaker() {
        var dispatch = Numbers(DispatchLimits())
        for number in 0..<5 {
            #expect(dispatch.take(Self.letter(number, "a"), at: 0).compactMap(\.sent) == [number])
            _ = dispatch.ended(Self.letter(0, "a"), at: 0, failed: true)
        }
        #expect(dispatch.blocked(at: 0) == ["a"])
        #expect(dispatch.take(Self.letter(6, "a"), at: 0).compactMap(\.postponed) == [30 * Self.second])
        var now = 30 * Self.second
        for pause in [60, 120, 240, 480, 600, 600] as [Int64] {
            #expect(dispatch.blocked(at: now - 1) == ["a"])
            #expect(dispatch.take(Self.letter(7, "a"), at: now).compactMap(\.sent) == [7])
            // Only one tries.
            #expect(dispatch.take(Self.letter(8, "a"), at: now).compactMap(\.sent) == [])
            _ = dispatch.ended(Self.letter(0, "a"), at: now, failed: true)
            now += pause * Self.second
        }
        #expect(dispatch.take(Self.letter(9, "a"), at: now).compactMap(\.sent) == [9])
        _ = dispatch.ended(Self.letter(0, "a"), at: now, failed: false)
        #expect(dispatch.blocked(at: now).isEmpty)
    }

    @Test("leaves a receiver alone for as long as it asks")
    func asked() {
        var dispatch = Numbers(DispatchLimits())
        #expect(dispatch.take(Self.letter(0, "a"), at: 0).compactMap(\.sent) == [0])
        #expect(dispatch.take(Self.letter(1, "a"), at: 0).isEmpty)
        let moves = dispatch.ended(Self.letter(0, "a"), at: 0, failed: false, asked: 90 * Self.second)
        #expect(moves.compactMap(\.postponed) == [90 * Self.second])
        #expect(dispatch.waiting == 0 && dispatch.blocked(at: 0) == ["a"])
        // Another channel of the same host is told, and this one again when its time is over.
        #expect(dispatch.take(Self.letter(2, "b"), at: 0).compactMap(\.sent) == [2])
        let after = 90 * Self.second
        #expect(dispatch.take(Self.letter(3, "a"), at: after).compactMap(\.sent) == [3])
        _ = dispatch.ended(Self.letter(3, "a"), at: after, failed: false)
        #expect(dispatch.blocked(at: after).isEmpty)
    }

    @Test("sends to a host by no more than its bound, and others of other hosts meanwhile")
    func hosts() {
        var limits = DispatchLimits()
        (limits.perHost, limits.waitingPerHost) = (3, 5)
        var dispatch = Numbers(limits)
        var moves = (0..<10).flatMap { dispatch.take(Self.letter($0, "hangs \($0)"), at: 0) }
        #expect(moves.compactMap(\.sent) == [0, 1, 2] && dispatch.waiting == 5)
        #expect(moves.compactMap(\.postponed) == [Self.second, Self.second])
        #expect(dispatch.nextRelease(at: 0) == nil)
        moves = dispatch.take(Self.letter(10, "ok", host: "other"), at: 0)
        #expect(moves.compactMap(\.sent) == [10])
        // What failed by one channel keeps no other from the host.
        moves = dispatch.ended(Self.letter(0, "hangs 0"), at: 0, failed: true)
        #expect(moves.compactMap(\.sent) == [3])
        #expect(dispatch.close().count == 4 && dispatch.waiting == 0 && dispatch.running == 4)
    }

    @Test("keeps to the rate of a receiver, and says when it goes on")
    func rate() {
        var limits = DispatchLimits()
        limits.perSecond = 2
        var dispatch = Numbers(limits)
        var sent: [Int] = []
        for number in 0..<4 {
            sent += dispatch.take(Self.letter(number, "a"), at: 0).compactMap(\.sent)
            sent +=
                number < 2 ? dispatch.ended(Self.letter(0, "a"), at: 0, failed: false).compactMap(\.sent) : []
        }
        #expect(sent == [0, 1])
        #expect(dispatch.nextRelease(at: 0) == Self.second / 2)
        #expect(dispatch.release(at: Self.second / 2 - 1).isEmpty)
        #expect(dispatch.release(at: Self.second / 2).compactMap(\.sent) == [2])
    }

    @Test("lets go of a letter whose claim ends too soon to send it")
    func lease() {
        var dispatch = Numbers(DispatchLimits())
        #expect(dispatch.take(Self.letter(0, "a"), at: 0).compactMap(\.sent) == [0])
        _ = dispatch.take(Self.letter(1, "a", leaseEnd: 60 * Self.second), at: 0)
        let moves = dispatch.ended(Self.letter(0, "a"), at: 50 * Self.second, failed: false)
        guard case .drop(let letter)? = moves.first, moves.count == 1 else {
            Issue.record("\(moves)")
            return
        }
        #expect(letter.content == 1)
    }

    @Test("never passes a limit, loses no letter, and 99 healthy receivers wait for no hanging one")
    func bulkhead() {
        for seed in UInt64(0)..<200 {
            var generator = SeededGenerator(seed: seed)
            var limits = DispatchLimits()
            limits.concurrent = Int.random(in: 4...64, using: &generator)
            limits.perSecond = 1_000_000
            var dispatch = Numbers(limits)
            var running: [Numbers.Post] = []
            var (done, postponed): (Set<Int>, Set<Int>) = ([], [])
            var now: Int64 = 0
            func follow(_ moves: [Numbers.Move]) {
                for move in moves {
                    switch move {
                    case .send(let letter): running.append(letter)
                    case .postpone(let letter, _): postponed.insert(letter.content)
                    case .drop(let letter): Issue.record("seed \(seed): dropped \(letter)")
                    }
                }
            }
            let count = 300
            for number in 0..<count {
                now += 1_000
                let target = Int.random(in: 0..<100, using: &generator)
                follow(dispatch.take(Self.letter(number, target == 0 ? "hangs" : "ok \(target)"), at: now))
                while Bool.random(using: &generator),
                    let index = running.indices.filter({ running[$0].channel != "hangs" })
                        .randomElement(using: &generator)
                {
                    let letter = running.remove(at: index)
                    done.insert(letter.content)
                    follow(dispatch.ended(letter, at: now, failed: false))
                }
                #expect(
                    running.count <= limits.concurrent && running.count == dispatch.running, "seed \(seed)")
                #expect(running.count { $0.channel == "hangs" } <= 1, "seed \(seed)")
            }
            while let index = running.firstIndex(where: { $0.channel != "hangs" }) {
                let letter = running.remove(at: index)
                done.insert(letter.content)
                follow(dispatch.ended(letter, at: now, failed: false))
            }
            // What is left waits for the one that hangs, and nothing else does.
            #expect(done.count + postponed.count + running.count + dispatch.waiting == count, "seed \(seed)")
            #expect(running.count <= 1 && dispatch.waiting <= 4, "seed \(seed)")
            #expect(dispatch.close().count <= 4, "seed \(seed)")
        }
    }
}

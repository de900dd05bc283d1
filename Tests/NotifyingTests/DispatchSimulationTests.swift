import Support
import Testing

@testable import Notifying

@Suite("Dispatch, as chance has it")
struct DispatchSimulationTests {
    private typealias Numbers = Dispatch<String, Int>

    @Test("keeps to its bounds, loses no letter, and decides the same whenever a seed is run")
    func simulation() {
        property { rng in
            var limits = DispatchLimits()
            (limits.concurrent, limits.perHost) = (rng.int(1...6), rng.int(1...4))
            (limits.waiting, limits.waitingPerHost) = (rng.int(1...8), rng.int(1...8))
            var dispatch = Numbers(limits)
            var (now, taken, gone): (Int64, Int, Int) = (0, 0, 0)
            var running: [Numbers.Post] = []
            for number in 0..<rng.int(20...200) {
                now += Int64(rng.pick([0, 1, 20, 1_000, 31_000])) * 1_000_000
                let moves: [Numbers.Move]
                if !running.isEmpty, rng.chance(45) {
                    let letter = running.remove(at: rng.int(0...running.count - 1))
                    gone += 1
                    moves = dispatch.ended(
                        letter, at: now, failed: rng.chance(40), asked: rng.chance(10) ? 5_000_000_000 : 0)
                } else {
                    taken += 1
                    moves = dispatch.take(
                        QueuedDelivery(
                            channel: rng.pick(["a", "b", "c", "d"]), host: rng.pick(["h", "i"]),
                            leaseEnd: now + Int64(rng.int(10...90)) * 1_000_000_000, content: number), at: now
                    )
                }
                for move in moves {
                    switch move {
                    case .send(let letter):
                        running.append(letter)
                        rng.note("send \(letter.content)")
                    case .postpone(let letter, let until):
                        gone += 1
                        rng.note("postpone \(letter.content) until \(until)")
                    case .drop(let letter):
                        gone += 1
                        rng.note("drop \(letter.content)")
                    }
                }
                try #require(dispatch.running == running.count && running.count <= limits.concurrent)
                try #require(dispatch.waiting == taken - gone - running.count)
            }
        }
    }
}

import Support
import Testing

@testable import Web

@Suite("Backoff")
struct BackoffTests {
    private struct Highest: RandomNumberGenerator { mutating func next() -> UInt64 { .max } }

    @Test("doubles its ceiling up to the cap")
    func doubles() {
        var backoff = Backoff(base: 500, cap: 3000, healthyAfter: 10_000)
        var highest = Highest()
        var ceilings: [Int64] = []
        for _ in 0..<5 {
            ceilings.append(backoff.ceiling)
            _ = backoff.delay(using: &highest)
        }
        #expect(ceilings == [500, 1000, 2000, 3000, 3000])
        for _ in 0..<100 { _ = backoff.delay(using: &highest) }
        #expect(backoff.ceiling == 3000)
    }

    @Test("waits anything from nothing to the ceiling")
    func jitter() {
        property { generator in
            var backoff = Backoff()
            for _ in 0..<20 {
                let ceiling = backoff.ceiling
                let wait = backoff.delay(using: &generator)
                generator.note("\(wait)")
                try #require((0...ceiling).contains(wait))
            }
        }
    }

    @Test("begins again only after a healthy connection")
    func reset() {
        var backoff = Backoff(base: 500, cap: 60_000, healthyAfter: 10_000)
        var highest = Highest()
        for _ in 0..<4 { _ = backoff.delay(afterHealthy: 9999, using: &highest) }
        #expect(backoff.ceiling == 8000)
        _ = backoff.delay(afterHealthy: 10_000, using: &highest)
        #expect(backoff.ceiling == 1000)
    }

    @Test("never comes back before the time that the server named")
    func retryAfter() {
        property { generator in
            var backoff = Backoff()
            let asked = Int64(generator.int(1...600)) * 1_000_000_000
            try #require(backoff.delay(atLeast: asked, using: &generator) >= asked)
        }
    }

    @Test("spreads a thousand clients evenly")
    func spread() {
        var generator = SeededGenerator(seed: 7)
        var buckets = [Int](repeating: 0, count: 10)
        for _ in 0..<1000 {
            var backoff = Backoff(base: 1_000_000, cap: 1_000_000)
            buckets[Int(min(9, backoff.delay(using: &generator) / 100_000))] += 1
        }
        // Binomial with p = 0.1: five standard deviations are 47.
        #expect(buckets.allSatisfy { abs($0 - 100) < 48 })
    }
}

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

@Suite("Token bucket")
struct TokenBucketTests {
    @Test("gives its capacity at once, then one per refill")
    func refills() {
        var bucket = TokenBucket(capacity: 3, refillEvery: 10)
        let times: [Int64] = [1000, 1000, 1000, 1000, 1009, 1010]
        let taken = times.map { bucket.take(at: $0) }
        #expect(taken == [true, true, true, false, false, true])
        #expect(bucket.wait(at: 1010) == 10)
        #expect(bucket.available(at: 1039) == 2)
        #expect(bucket.available(at: 1_000_000) == 3)
    }

    @Test("waits exactly as long as it says, and never gives more than its rate")
    func agrees() {
        property { generator in
            let capacity = generator.int(1...8)
            let refill = Int64(generator.int(1...50))
            var bucket = TokenBucket(capacity: capacity, refillEvery: refill)
            var now: Int64 = -500
            var taken: [Int64] = []
            for _ in 0..<60 {
                now += Int64(generator.int(0...40))
                let wait = bucket.wait(at: now)
                try #require((bucket.available(at: now) > 0) == (wait == 0))
                var later = bucket
                let isEarly = wait > 0 && later.take(at: now + wait - 1)
                let isInTime = later.take(at: now + wait)
                try #require(!isEarly && isInTime)
                if bucket.take(at: now) { taken.append(now) }
            }
            for (index, time) in taken.enumerated() where index >= capacity {
                // In any window of capacity + 1 takings at least one refill has passed.
                try #require(time - taken[index - capacity] >= refill)
            }
        }
    }

    @Test("a clock that steps back mints nothing")
    func backwards() {
        var bucket = TokenBucket(capacity: 1, refillEvery: 100)
        let taken = [1000, 500].map { bucket.take(at: $0) }
        #expect(taken == [true, false])
        #expect(bucket.wait(at: 500) == 600)
    }
}

import Instruments
import Support
import Testing

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

    @Test("a clock that steps back mints nothing, and is waited for no longer than for the whole bucket")
    func backwards() {
        var bucket = TokenBucket(capacity: 1, refillEvery: 100)
        let taken = [1000, 500].map { bucket.take(at: $0) }
        #expect(taken == [true, false])
        #expect(bucket.wait(at: 500) == 100)
        let later = [599, 600].map { bucket.take(at: $0) }
        #expect(later == [false, true])
        // An hour, and nobody tried to take.
        bucket.settle(at: -3_600)
        #expect(bucket.available(at: -3_501) == 0)
        #expect(bucket.available(at: -3_500) == 1)
    }
}

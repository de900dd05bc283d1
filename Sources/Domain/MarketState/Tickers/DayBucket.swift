import Instruments

/// The trades of one second, or of a stored row.
struct DayBucket: Sendable {
    /// Since 1970.
    var second: Int64
    var open: Int64
    var high: Int64
    var low: Int64
    var close: Int64
    var openTime: Timestamp
    var closeTime: Timestamp
    var totals: DayTotals

    /// Joins trades of the same second; those of `other` came later.
    mutating func merge(_ other: DayBucket) {
        totals.add(other.totals)
        if other.openTime < openTime { (openTime, open) = (other.openTime, other.open) }
        if other.closeTime >= closeTime { (closeTime, close) = (other.closeTime, other.close) }
        high = max(high, other.high)
        low = min(low, other.low)
    }
}

/// What adds up and can be taken away again.
struct DayTotals: Sendable, Equatable {
    var volume: Int128 = 0
    var notional = Int256.zero
    var count: Int64 = 0
    /// Rows that are longer than a second.
    var coarse: Int32 = 0

    mutating func add(_ other: DayTotals) {
        volume += other.volume
        notional += other.notional
        count += other.count
        coarse += other.coarse
    }

    mutating func remove(_ other: DayTotals) {
        volume -= other.volume
        notional -= other.notional
        count -= other.count
        coarse -= other.coarse
    }
}

/// Buckets of 512 seconds, sparse and sorted, with their highest and lowest price.
///
/// The deque is an array with a head: what expires leaves from the front without moving the rest.
struct DayBlock: Sendable {
    /// Seconds that a block spans.
    static let span: Int64 = 512

    /// The second / 512.
    let number: Int64
    private(set) var high = Int64.min
    private(set) var low = Int64.max
    private var buckets: [DayBucket] = []
    private var head = 0

    init(number: Int64) { self.number = number }

    var isEmpty: Bool { head == buckets.count }
    var first: DayBucket? { isEmpty ? nil : buckets[head] }
    var last: DayBucket? { isEmpty ? nil : buckets[buckets.count - 1] }

    /// Adds to the bucket of a second, which it makes where there is none.
    mutating func add(_ bucket: DayBucket) {
        high = max(high, bucket.high)
        low = min(low, bucket.low)
        var place = buckets.count
        while place > head, buckets[place - 1].second > bucket.second { place -= 1 }
        if place > head, buckets[place - 1].second == bucket.second {
            buckets[place - 1].merge(bucket)
        } else {
            buckets.insert(bucket, at: place)
        }
    }

    /// Takes the first bucket away.
    mutating func removeFirst() -> DayBucket {
        let bucket = buckets[head]
        head += 1
        // Only the end of the range needs a new look.
        if bucket.high == high || bucket.low == low {
            high = .min
            low = .max
            for index in head..<buckets.count {
                high = max(high, buckets[index].high)
                low = min(low, buckets[index].low)
            }
        }
        return bucket
    }

    /// Multiplies all numbers; `false` when one does not fit.
    mutating func multiply(prices: Int64, sizes: Int64) -> Bool {
        for index in head..<buckets.count {
            var bucket = buckets[index]
            let parts = [bucket.open, bucket.high, bucket.low, bucket.close].map {
                $0.multipliedReportingOverflow(by: prices)
            }
            guard parts.allSatisfy({ !$0.overflow }), bucket.totals.multiply(prices: prices, sizes: sizes)
            else {
                return false
            }
            (bucket.open, bucket.high) = (parts[0].partialValue, parts[1].partialValue)
            (bucket.low, bucket.close) = (parts[2].partialValue, parts[3].partialValue)
            buckets[index] = bucket
        }
        if !isEmpty { (high, low) = (high * prices, low * prices) }
        return true
    }
}

extension DayTotals {
    /// Multiplies; `false` when a number does not fit.
    mutating func multiply(prices: Int64, sizes: Int64) -> Bool {
        let (newVolume, first) = volume.multipliedReportingOverflow(by: Int128(sizes))
        let (once, second) = notional.multipliedReportingOverflow(by: Int128(prices))
        let (twice, third) = once.multipliedReportingOverflow(by: Int128(sizes))
        volume = newVolume
        notional = twice
        return !first && !second && !third
    }
}

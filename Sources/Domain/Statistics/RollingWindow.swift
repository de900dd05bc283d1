/// The last `capacity` values of a series, oldest first by index.
struct RollingWindow: Hashable, Sendable {
    private var values: [Double] = []
    private var oldest = 0
    /// Values.
    let capacity: Int

    /// - Precondition: `capacity` is positive.
    init(_ capacity: Int) {
        precondition(capacity > 0, "a window holds at least one value")
        self.capacity = capacity
    }

    var count: Int { values.count }
    var isFull: Bool { values.count == capacity }

    /// The value so many places after the oldest.
    subscript(index: Int) -> Double {
        let place = oldest + index
        return values[place < values.count ? place : place - values.count]
    }

    /// The oldest value; only of a window that is not empty.
    var first: Double { values[oldest] }

    /// Adds a value, in place of the oldest when it is full.
    mutating func append(_ value: Double) {
        guard isFull else { return values.append(value) }
        values[oldest] = value
        oldest += 1
        if oldest == capacity { oldest = 0 }
    }

    /// The smallest value; only of a window that is not empty.
    var minimum: Double { values.reduce(values[0]) { Swift.min($0, $1) } }

    /// The greatest value; only of a window that is not empty.
    var maximum: Double { values.reduce(values[0]) { Swift.max($0, $1) } }
}

extension RollingWindow: RestorableIndicator {
    func keep(in words: inout [UInt64]) {
        words.append(count)
        for index in 0..<count { words.append(self[index]) }
    }

    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool {
        guard let count = words.count(upTo: capacity) else { return false }
        values = []
        oldest = 0
        for _ in 0..<count {
            guard let value = words.number() else { return false }
            values.append(value)
        }
        return true
    }
}

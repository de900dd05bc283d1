/// The last `capacity` values of a series, oldest first by index.
struct RollingWindow: Hashable, Sendable {
    private var values: [Double] = []
    private var oldest = 0
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

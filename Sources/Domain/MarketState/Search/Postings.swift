/// Lists of numbers by key, all in one block of memory.
struct Postings: Sendable {
    private var starts: [Int32]
    private var values: [Int32]

    /// Sorts pairs of key (upper half) and value (lower half) into lists; keys are below `keys`.
    init(_ pairs: [UInt64], keys: Int) {
        starts = [Int32](repeating: 0, count: keys + 1)
        values = []
        values.reserveCapacity(pairs.count)
        for pair in pairs.sorted() {
            starts[Int(pair >> 32) + 1] += 1
            values.append(Int32(truncatingIfNeeded: pair))
        }
        for key in 0..<keys { starts[key + 1] += starts[key] }
    }

    /// Calls `body` with every value of a key, rising.
    @inline(__always)
    func forEach(_ key: Int, _ body: (Int32) -> Void) {
        let range = Int(starts[key])..<Int(starts[key + 1])
        values.withUnsafeBufferPointer { values in
            for value in values[range] { body(value) }
        }
    }

    static func pair(_ key: Int, _ value: Int) -> UInt64 {
        UInt64(key) << 32 | UInt64(UInt32(truncatingIfNeeded: value))
    }
}

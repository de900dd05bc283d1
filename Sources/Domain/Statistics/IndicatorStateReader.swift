/// Something whose memory can be kept as words, and taken over by another one of the same configuration.
protocol RestorableIndicator {
    /// Appends the memory.
    func keep(in words: inout [UInt64])
    /// Takes the memory over; false when the words cannot be it.
    mutating func takeOver(_ words: inout IndicatorStateReader) -> Bool
}

/// Words that were kept, read from the first to the last.
struct IndicatorStateReader {
    private var words: ArraySlice<UInt64>

    init(_ words: [UInt64]) { self.words = words[...] }

    var isEmpty: Bool { words.isEmpty }

    mutating func count(upTo limit: Int) -> Int? {
        guard let word = words.popFirst(), let count = Int(exactly: word), count <= limit else { return nil }
        return count
    }

    mutating func flag() -> Bool? { count(upTo: 1).map { $0 == 1 } }

    mutating func number() -> Double? {
        guard let word = words.popFirst() else { return nil }
        let number = Double(bitPattern: word)
        return number.isFinite ? number : nil
    }
}

extension [UInt64] {
    mutating func append(_ number: Double) { append(number.bitPattern) }
    mutating func append(_ count: Int) { append(UInt64(count)) }
    mutating func append(_ flag: Bool) { append(flag ? 1 : UInt64(0)) }
}

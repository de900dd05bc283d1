/// The last numbers of topics that have ended not long ago.
///
/// Who begins one of them again goes on after it: numbers that start again in the same life would be taken
/// for what was heard before, by whoever has not forgotten the topic yet.
struct EndedTopics {
    /// Ends that are remembered, the newest; by far more than are begun again.
    static let limit = 4_096

    /// Of each text its last number, and which of all ends it was.
    private var numbers: [String: (last: UInt64, end: Int)] = [:]
    /// Texts in the order of their ends; one that was begun and ended again is there twice.
    private var order: [String] = []
    private var ends = 0

    /// How many are remembered.
    var count: Int { numbers.count }

    /// A topic ended.
    mutating func note(text: String, last: UInt64) {
        ends += 1
        numbers[text] = (last, ends)
        order.append(text)
        guard order.count > Self.limit else { return }
        let oldest = order.removeFirst()
        if numbers[oldest]?.end == ends - Self.limit { numbers[oldest] = nil }
    }

    /// The number after which a topic with this text begins: 0 for one that is new.
    mutating func take(_ text: String) -> UInt64 { numbers.removeValue(forKey: text)?.last ?? 0 }
}

/// The last numbers of topics that have ended not long ago.
///
/// Who begins one of them again goes on after it: numbers that start again in the same life would be taken
/// for what was heard before, by whoever has not forgotten the topic yet.
struct EndedTopics {
    /// Those that ended last; by far more than are begun again.
    static let limit = 4_096

    private var numbers: [String: UInt64] = [:]
    /// Texts in the order of their ends; one that was begun again may be there twice.
    private var order: [String] = []

    /// How many are remembered.
    var count: Int { numbers.count }

    /// A topic ended.
    mutating func note(text: String, last: UInt64) {
        numbers[text] = last
        order.append(text)
        if order.count > Self.limit { numbers[order.removeFirst()] = nil }
    }

    /// The number after which a topic with this text begins: 0 for one that is new.
    mutating func take(_ text: String) -> UInt64 { numbers.removeValue(forKey: text) ?? 0 }
}

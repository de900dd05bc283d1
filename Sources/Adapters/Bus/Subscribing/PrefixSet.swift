/// The prefixes that a subscriber wants.
struct PrefixSet: Sendable {
    private(set) var prefixes: Set<String> = []
    /// Those that do not end in a dot, which a topic's own prefixes do not find.
    private var loose: [String] = []

    init(_ prefixes: [String] = []) { for prefix in prefixes { _ = insert(prefix) } }

    /// Adds a prefix; false when it was there.
    mutating func insert(_ prefix: String) -> Bool {
        guard prefixes.insert(prefix).inserted else { return false }
        if prefix.last != "." { loose.append(prefix) }
        return true
    }

    /// Removes a prefix; false when it was not there.
    mutating func remove(_ prefix: String) -> Bool {
        guard prefixes.remove(prefix) != nil else { return false }
        loose.removeAll { $0 == prefix }
        return true
    }

    /// Whether the topic is under any of them.
    ///
    /// The cost grows with the topic's dots, not with the prefixes.
    func matches(_ topic: String) -> Bool {
        for index in topic.indices where topic[index] == "." {
            if prefixes.contains(String(topic[...index])) { return true }
        }
        return loose.contains { topic.hasPrefix($0) }
    }
}

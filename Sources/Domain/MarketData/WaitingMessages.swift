/// Messages of one delta stream that came before the one that must be applied first.
///
/// Sorted by sequence, each once, holes allowed, at most `limit`.
struct WaitingMessages: Sendable {
    /// What a message of a delta stream says.
    enum Body: Sendable {
        case delta(BookDelta)
        case state(BookStateChange)
    }

    /// What became of an insertion.
    enum Insertion {
        case inserted
        case duplicate
        /// It did not fit, so everything before it was forgotten.
        case overflowed
    }

    /// Messages.
    private let limit: Int
    private var messages: ArraySlice<(sequence: UInt64, body: Body)> = []

    init(limit: Int) { self.limit = max(limit, 1) }

    var count: Int { messages.count }

    var isEmpty: Bool { messages.isEmpty }

    /// Whether no delta is among them.
    var areStates: Bool {
        messages.allSatisfy { if case .state = $0.body { true } else { false } }
    }

    mutating func insert(_ body: Body, at sequence: UInt64) -> Insertion {
        var index = messages.endIndex
        while index > messages.startIndex, messages[index - 1].sequence >= sequence {
            index -= 1
            if messages[index].sequence == sequence { return .duplicate }
        }
        guard messages.count < limit else {
            messages = [(sequence, body)]
            return .overflowed
        }
        messages.insert((sequence, body), at: index)
        return .inserted
    }

    /// The first message if it has this sequence.
    func first(at sequence: UInt64) -> Body? {
        guard let first = messages.first, first.sequence == sequence else { return nil }
        return first.body
    }

    /// Drops the first message, in constant time: a slice only moves its start.
    mutating func removeFirst() {
        messages.removeFirst()
        if messages.isEmpty { messages = [] }
    }

    /// Drops what a book at this sequence already contains.
    mutating func removeAll(through sequence: UInt64) {
        guard let first = messages.first, first.sequence <= sequence else { return }
        messages.removeAll { $0.sequence <= sequence }
    }

    mutating func removeAll() { messages = [] }
}

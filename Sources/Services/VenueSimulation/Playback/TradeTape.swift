/// The messages with trades that were played, by topic, for the REST routes that give trades again.
///
/// Holds at the most `limit` messages of a topic; the oldest go first, an eighth at a time.
struct TradeTape: Sendable {
    /// Trades.
    let limit: Int
    private var frames: [Int: [[UInt8]]] = [:]
    /// Messages that were dropped because there were too many.
    private(set) var dropped = 0

    init(limit: Int) { self.limit = limit }

    /// Keeps a message.
    mutating func append(_ frame: [UInt8], _ topic: Int) {
        frames[topic, default: []].append(frame)
        guard let count = frames[topic]?.count, count > limit else { return }
        frames[topic]?.removeFirst(limit / 8)
        dropped += limit / 8
    }

    /// The messages of a topic, oldest first.
    func frames(of topic: Int) -> [[UInt8]] { frames[topic] ?? [] }

    /// Forgets everything.
    mutating func removeAll() { frames.removeAll() }
}

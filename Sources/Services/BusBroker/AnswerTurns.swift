/// Decides which answers about retained state get on now: few in a turn, each as often as any other.
///
/// When a hundred subscribers have lost their way at once, messages wait for a few frames of answers, and not
/// for one frame of each.
struct AnswerTurns {
    /// Frames that a turn sends; each has about a mebibyte.
    static let frames = 8

    private var start = 0

    /// The places of those that get on, of so many that are under way.
    mutating func next(of count: Int) -> [Int] {
        guard count > 0 else { return [] }
        let turn = (0..<min(count, Self.frames)).map { (start + $0) % count }
        start = (start + turn.count) % count
        return turn
    }
}

/// Decides whether a publisher may send on, or must let the broker catch up first.
///
/// ZeroMQ drops past its high-water mark without a word. So a publisher puts a mark into its stream every
/// thousand messages; the broker sends each mark back when it has come to it, and past `limit` messages
/// without an answer the publisher waits, from the first message on: the answer to the first mark may be
/// slower than a burst. A broker that lets its publisher lose patience is not waited for until it answers
/// again; one that is none of ours never does.
struct FlowWindow: Hashable {
    private struct Mark: Hashable {
        var number: UInt64
        var sent: UInt64
    }

    /// Messages between two marks at the most.
    static let markInterval: UInt64 = 1_000

    /// Messages that may be on their way.
    private let limit: UInt64
    /// Messages between two marks: a mark must come before the window closes.
    private let interval: UInt64
    private var sent: UInt64 = 0
    private var arrived: UInt64 = 0
    private var nextMark: UInt64 = 1
    private var marks: [Mark] = []
    private var markedAt: UInt64 = 0
    private var isMarkDue = true
    private var isGivenUp = false

    /// Lets at most so many messages be under way; 0 means no limit.
    init(limit: Int) {
        self.limit = UInt64(max(0, limit))
        interval = max(1, min(Self.markInterval, self.limit / 2))
    }

    /// Whether another message may be sent now.
    var isOpen: Bool { isGivenUp || limit == 0 || sent - arrived < limit }

    /// Messages sent that the broker is not known to have.
    var underWay: UInt64 { sent - arrived }

    /// Counts a message as sent.
    mutating func send() { sent += 1 }

    /// The number of the mark that is to be sent now; `nil` when none is due.
    mutating func mark() -> UInt64? {
        guard limit != 0, isMarkDue || sent - markedAt >= interval else { return nil }
        isMarkDue = false
        let number = nextMark
        nextMark += 1
        markedAt = sent
        marks.append(Mark(number: number, sent: sent))
        // A broker that never answers must not make this grow.
        if marks.count > 1_024 { marks.removeFirst(512) }
        return number
    }

    /// The broker has come to a mark, and so to everything before it.
    mutating func receive(mark number: UInt64) {
        guard let place = marks.lastIndex(where: { $0.number <= number }) else { return }
        arrived = max(arrived, marks[place].sent)
        marks.removeFirst(place + 1)
        isGivenUp = false
    }

    /// Stops waiting for the broker until it answers: it is none of ours, or an answer was lost.
    mutating func giveUp() {
        reset()
        isGivenUp = true
    }

    /// Begins again: the broker is another one, or gone.
    ///
    /// The next mark comes with the next message. Numbers go on, so that a late answer to an old mark is not
    /// taken for one to a new mark.
    mutating func reset() {
        arrived = sent
        markedAt = sent
        marks = []
        isGivenUp = false
        isMarkDue = true
    }
}

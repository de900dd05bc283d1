/// Decides when the broker is asked for which retained state: one question at a time, at most 1,024 prefixes
/// in it, each asked again with a growing, jittered delay until it is answered.
///
/// Knows no socket and no clock: times are nanoseconds that the caller passes in.
struct StateExchange {
    /// A question under way.
    struct Question: Hashable {
        var id: UInt64
        var prefixes: [String]
        /// Of the monotonic clock, nanoseconds.
        var deadline: Int64
        var messages = 0
        var incomplete: [String] = []
        /// Part of the answer was dropped here: it must be asked again.
        var isSpoilt = false
    }

    /// The broker refuses a question with more.
    static let prefixLimit = 1_024
    /// Prefixes that may wait to be asked for; further ones are ignored, so "" or a shorter prefix is better
    /// then.
    static let waitingLimit = 65_536
    /// Nanoseconds.
    static let answerTime: Int64 = 2_000_000_000
    /// Nanoseconds.
    static let shortestDelay: Int64 = 50_000_000
    /// Nanoseconds.
    static let longestDelay: Int64 = 5_000_000_000

    private(set) var question: Question?
    private var waiting: [String] = []
    private var isWaiting: Set<String> = []
    private var nextID: UInt64 = 0
    private var notBefore: Int64 = 0
    private var failures = 0

    /// Remembers to ask for these; what is waiting already is asked once.
    ///
    /// False when some were too many.
    mutating func ask(_ prefixes: [String]) -> Bool {
        var isComplete = true
        for prefix in prefixes where !isWaiting.contains(prefix) {
            if isWaiting.count >= Self.waitingLimit {
                isComplete = false
                break
            }
            isWaiting.insert(prefix)
            waiting.append(prefix)
        }
        return isComplete
    }

    /// The question to send now, if any.
    mutating func next(now: Int64) -> Question? {
        guard question == nil, !waiting.isEmpty, now >= notBefore else { return nil }
        let prefixes = Array(waiting.prefix(Self.prefixLimit))
        waiting.removeFirst(prefixes.count)
        isWaiting.subtract(prefixes)
        nextID += 1
        let question = Question(id: nextID, prefixes: prefixes, deadline: now + Self.answerTime)
        self.question = question
        return question
    }

    /// When something is due: a question to send or to give up on.
    var deadline: Int64? {
        if let question { return question.deadline }
        return waiting.isEmpty ? nil : notBefore
    }

    /// Takes a frame of the answer; false for frames of questions that were given up on.
    mutating func receive(id: UInt64, messages: Int, incomplete: [String], now: Int64) -> Bool {
        guard question?.id == id else { return false }
        question?.messages += messages
        question?.incomplete += incomplete
        question?.deadline = now + Self.answerTime
        return true
    }

    /// Gives the question more time, because its answer is waiting to be read.
    mutating func extend(now: Int64) { question?.deadline = now + Self.answerTime }

    /// A batch with part of the present answer was dropped.
    mutating func spoil() { question?.isSpoilt = true }

    /// Ends the question; `nil` when it must be asked again because part of the answer was dropped.
    mutating func finish(now: Int64, jitter: Double) -> Question? {
        guard let done = question else { return nil }
        question = nil
        if done.isSpoilt {
            postpone(done.prefixes, now, jitter)
            return nil
        }
        failures = 0
        notBefore = now
        return done
    }

    /// Gives up on a question without an answer in time and asks again later; false when none is overdue.
    mutating func expire(now: Int64, jitter: Double) -> Bool {
        guard let overdue = question, now >= overdue.deadline else { return false }
        abandon(now: now, jitter: jitter)
        return true
    }

    /// Gives up on the question and asks again later.
    mutating func abandon(now: Int64, jitter: Double) {
        guard let abandoned = question else { return }
        question = nil
        postpone(abandoned.prefixes, now, jitter)
    }

    /// Forgets prefixes that nobody wants any more.
    mutating func forget(_ prefixes: [String]) {
        let gone = Set(prefixes)
        waiting.removeAll { gone.contains($0) }
        isWaiting.subtract(gone)
    }

    private mutating func postpone(_ prefixes: [String], _ now: Int64, _ jitter: Double) {
        failures = min(failures + 1, 16)
        let ceiling = min(Self.longestDelay, Self.shortestDelay << Int64(failures - 1))
        notBefore = now + Int64(Double(ceiling) * max(0, min(1, jitter)))
        _ = ask(prefixes)
    }
}

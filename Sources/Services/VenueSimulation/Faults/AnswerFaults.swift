/// What becomes of a venue's answers to requests, and of the openings of connections.
struct AnswerFaults: Sendable {
    var dice: FaultDice

    init(_ dice: FaultDice) { self.dice = dice }

    /// The refusal that comes in place of an answer; `nil` where there is none.
    mutating func refusal() -> RESTAnswer? {
        if strikes(.tooManyRequests) {
            var answer = RESTAnswer(status: 429, #"{"error":"too many requests"}"#)
            answer.retryAfter = dice.number(1...5)
            return answer
        }
        if strikes(.overloaded) {
            var answer = RESTAnswer(status: 503, #"{"error":"overloaded"}"#)
            answer.retryAfter = 1
            return answer
        }
        return nil
    }

    /// How much later an answer comes, in nanoseconds.
    ///
    /// - Parameter isImage: Whether it is a whole book.
    /// - Returns: 0 for at once.
    mutating func delay(isImage: Bool) -> Int64 {
        isImage && strikes(.lateSnapshot) ? dice.time(milliseconds: 100...2_000) : 0
    }

    private mutating func strikes(_ kind: FaultKind) -> Bool {
        guard dice.happens(kind) else { return false }
        dice.note(kind)
        return true
    }
}

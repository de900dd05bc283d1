public import Instruments

/// What became of one evaluation of a rule.
public enum EvaluationOutcome: Hashable, Sendable {
    case fired
    /// The level was passed, but the last firing was too short ago.
    case cooling(until: Timestamp)
    /// The level was passed, but the value had not moved back far enough since the last firing.
    case disarmed
    /// The value moved back far enough: it may fire again.
    case rearmed
    /// The level was passed outside its active hours.
    case inactive
    /// The condition holds; it fires if that is still so then.
    case holding(until: Timestamp)
    /// It no longer held before its time had passed.
    case released
    /// The value came from outside the band.
    case wasOutside
    /// Its time is over.
    case expired
    /// It fired too often within the hour before: what it would fire is counted and not told.
    case quieted(until: Timestamp)
}

/// One evaluation of a rule that passed its level or was to be told otherwise.
public struct Evaluation: Hashable, Sendable {
    /// When, by the venue.
    public var venueTime: Timestamp
    /// When we read what it was made for.
    public var receivedTime: Timestamp
    /// The number of that message; 0 outside a stream, as for what was read from the stored tape.
    public var sequence: UInt64
    /// The venue's own id of the trade; `nil` where it was none, or the venue gives none.
    public var tradeID: String? = nil
    /// Nanoseconds by which it was found too late; 0 for in time.
    public var lateBy: Int64 = 0
    /// The value that was evaluated; `nil` where the condition looks at none.
    public var price: DecimalNumber?
    /// The value before.
    public var previous: DecimalNumber?
    /// What became of it.
    public var outcome: EvaluationOutcome
}

/// The last evaluations of all rules together, in a ring: what nothing happened to costs nothing.
struct Journal: Sendable {
    struct Line: Sendable {
        var rule: RuleID
        var evaluation: Evaluation
    }

    private var lines: [Line] = []
    private var next = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    mutating func note(_ rule: RuleID, _ evaluation: Evaluation) {
        guard capacity > 0 else { return }
        let line = Line(rule: rule, evaluation: evaluation)
        if lines.count < capacity {
            lines.append(line)
        } else {
            lines[next] = line
            next = (next + 1) % capacity
        }
    }

    /// All, oldest first.
    var all: [Line] { Array(lines[next...] + lines[..<next]) }

    /// Those of one rule, oldest first.
    func evaluations(of rule: RuleID) -> [Evaluation] {
        (lines[next...] + lines[..<next]).filter { $0.rule == rule }.map(\.evaluation)
    }
}

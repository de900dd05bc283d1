import Instruments
import Wire

/// What came of comparing a book with the venue's whole depth.
struct AuditReport: Sendable, Hashable {
    /// Differences that are told on the bus; past some lines nobody reads on.
    static let toldDifferences = 20

    /// Whether the comparison could be made.
    var isDone = false
    /// One line for a person.
    var detail = ""
    /// Levels that differed in every round.
    var differences: [LevelDifference] = []
    /// Levels compared in the last round.
    var compared = 0

    /// As it is told on `book.audit.`.
    ///
    /// - Parameters:
    ///   - time: When the audit ended.
    ///   - next: When the book is compared again by itself, at the earliest; `nil` for never.
    /// - Returns: All but the instrument, which whoever says it adds.
    func message(at time: Timestamp, next: Timestamp?) -> Bitpal_V1_BookAudit {
        var message = Bitpal_V1_BookAudit()
        message.isDone = isDone
        message.detail = detail
        message.levelsCompared = UInt64(compared)
        message.levelsDifferent = UInt64(differences.count)
        message.differences = differences.prefix(Self.toldDifferences).map(\.description)
        message.auditedTimeUnixNanos = time.nanoseconds
        message.nextTimeUnixNanos = next?.nanoseconds ?? 0
        return message
    }
}

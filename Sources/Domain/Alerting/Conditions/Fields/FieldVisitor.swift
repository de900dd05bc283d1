public import Instruments

/// Who is shown the fields of a condition, one after the other: a reader, a writer, or who lists them.
///
/// A reader sets each value; the others look at it.
public protocol FieldVisitor {
    /// What can go wrong.
    associatedtype Failure: Error

    /// An exact decimal.
    mutating func decimal(_ field: ConditionField, _ value: inout DecimalNumber) throws(Failure)
    /// A whole number.
    mutating func whole(_ field: ConditionField, _ value: inout Int) throws(Failure)
    /// A stretch of time, or how long candles are, in nanoseconds.
    mutating func duration(_ field: ConditionField, _ value: inout Int64) throws(Failure)
    /// A text or one of a few words; `nil` where an optional one is missing.
    mutating func text(_ field: ConditionField, _ value: inout String?) throws(Failure)
    /// The fields that follow, up to ``end()``, are inside of this one.
    mutating func begin(_ field: ConditionField) throws(Failure)
    /// The innermost field that began has no further ones.
    mutating func end() throws(Failure)

    /// Whether a field is given, of those that stand for each other; `now` where nothing is read.
    mutating func isGiven(_ name: String, now: Bool) -> Bool
    /// Refuses a field beside others that it does not go with; only where something is read.
    mutating func refuse(_ name: String, beside others: [String], _ accepted: String) throws(Failure)
    /// Refuses a field that is wrong beside others; only where something is read.
    mutating func check(
        _ isRight: @autoclosure () -> Bool, _ name: String, _ accepted: @autoclosure () -> String
    ) throws(Failure)
}

extension FieldVisitor {
    /// One of an enumeration's words.
    public mutating func choice<Choice: RawRepresentable<String>>(
        _ field: ConditionField, _ value: inout Choice
    ) throws(Failure) {
        var word: String? = value.rawValue
        try text(field, &word)
        if let choice = word.flatMap({ Choice(rawValue: $0) }) { value = choice }
    }

    /// A text that must be there.
    public mutating func text(_ field: ConditionField, _ value: inout String) throws(Failure) {
        var text: String? = value
        try self.text(field, &text)
        value = text ?? value
    }
}

/// A value that is not accepted: the field, what was said there, and what would be right.
public struct FieldFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// As the API calls it, dotted such as `condition.level`; empty for a rule as a whole.
    public var field: String
    /// What was given, as a message shows it: cut to a line, a text in quotes, `(secret)` for one; `nil` when
    /// it is missing.
    public var value: String?
    /// What would be right.
    public var accepted: String

    public init(_ field: String, _ value: String?, accepted: String) {
        self.field = field
        self.value = value
        self.accepted = accepted
    }

    /// One line for a person.
    public var description: String {
        let place = field.isEmpty ? "the rule" : "field \"\(field)\""
        return "\(place) \(value.map { "is \($0)" } ?? "is missing"): accepted is \(accepted)"
    }

    /// A name that no market has.
    package static func unknownInstrument(_ id: InstrumentID) -> FieldFault {
        FieldFault("instrument", "\"\(id)\"", accepted: "an instrument that is known")
    }
}

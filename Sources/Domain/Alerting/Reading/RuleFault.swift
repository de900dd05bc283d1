/// Why a rule is refused: the field, what was said there, and what is accepted.
public struct RuleFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Dotted, such as `condition.level`; empty for the whole text.
    public var field: String
    /// What was given, cut to a line; `nil` when it is missing.
    public var value: String?
    /// What would be right.
    public var accepted: String

    /// Describes a fault.
    public init(field: String, value: String?, accepted: String) {
        self.field = field
        self.value = value
        self.accepted = accepted
    }

    /// One line for a person.
    public var description: String {
        let place = field.isEmpty ? "the rule" : "field \"\(field)\""
        return "\(place) \(value.map { "is \($0)" } ?? "is missing"): accepted is \(accepted)"
    }
}

/// A value that is not accepted; one clear refusal that names it.
public struct AccountFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The field, as the API calls it.
    public var field: String
    /// What was given; never a secret.
    public var value: String
    /// What would be accepted.
    public var accepted: String

    /// Describes a refusal.
    public init(_ field: String, _ value: String, _ accepted: String) {
        self.field = field
        self.value = value
        self.accepted = accepted
    }

    /// One line for a person.
    public var description: String { "field \"\(field)\" is \(value): accepted is \(accepted)" }
}

extension String {
    /// As a message shows it: in quotes, and cut.
    var quoted: String { "\"\(prefix(60))\"" }
}

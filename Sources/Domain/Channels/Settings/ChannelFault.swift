/// Why a channel cannot be used: the field, what was said there, and what is accepted.
public struct ChannelFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Dotted, such as `settings.url` or `secrets.token`.
    public var field: String
    /// What was given, cut to a line; `nil` when it is missing, `(secret)` when it is one.
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
        "field \"\(field)\" \(value.map { "is \($0)" } ?? "is missing"): accepted is \(accepted)"
    }
}

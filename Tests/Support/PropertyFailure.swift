/// What a property throws where no `#require` fits: a case of an enum that must not come, a model that
/// differs.
public struct PropertyFailure: Error, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// Says what is wrong.
    public init(_ description: String) { self.description = description }
}

/// What a property throws where no `#require` fits: a case of an enum that must not come, a model that
/// differs.
package struct PropertyFailure: Error, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    /// Says what is wrong.
    package init(_ description: String) { self.description = description }
}

/// What somebody may do beyond their own things.
package enum Role: String, CaseIterable, Sendable {
    /// Their own things only.
    case user
    /// Also who uses the installation, and how its services do.
    case `operator`
}

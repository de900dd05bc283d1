/// What a route or a command leaves in the audit log, as it declares it.
package enum AuditRule: Hashable, Sendable {
    /// One entry, with one of these words.
    case entry([AuditAction])
    /// None, and why what it changes is nobody's way in and no setting of the installation.
    case nothing(String)
}

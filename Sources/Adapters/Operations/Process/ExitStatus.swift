/// The exit statuses of every program of the product.
package enum ExitStatus: Int32, Sendable, Hashable {
    /// Done; a long-running process was asked to stop and did.
    case success = 0
    /// A command failed.
    case failed = 1
    /// A command was written wrongly.
    case usage = 2
    /// What a command asked for does not exist.
    case notFound = 3
    /// A service that a command needs is not reachable.
    case unreachable = 4
    /// A long-running process failed (sysexits' EX_SOFTWARE).
    case software = 70
    /// A long-running process cannot start as it is configured (sysexits' EX_CONFIG).
    case configuration = 78
}

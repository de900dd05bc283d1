/// How a command ends, as a number for the shell.
package enum CommandStatus: Int32, Sendable {
    /// The command did what it was asked to do.
    case done = 0
    /// It could not.
    case failed = 1
    /// It was asked in a way that it does not understand.
    case usage = 2
    /// What it was asked about does not exist.
    case notFound = 3
    /// A service that it needs does not answer.
    case unreachable = 4
}

/// Why a command did not do what it was asked to do: a status and one line that says what to do.
package struct CommandFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// For the shell.
    package let status: CommandStatus
    /// For a person; one line.
    package let description: String
    /// What else is to be said of a file that is refused, line by line.
    package let remarks: [String]

    package init(_ status: CommandStatus, _ description: String, remarks: [String] = []) {
        self.status = status
        self.description = description
        self.remarks = remarks
    }
}

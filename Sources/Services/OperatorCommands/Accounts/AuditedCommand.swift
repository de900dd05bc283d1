import AccountStore
package import Accounts
package import ArgumentParser

/// A command of those that change accounts, tokens, secrets or the installation: it says what it leaves in
/// the audit log, itself or by the gateway that it asks.
package protocol AuditedCommand: ParsableCommand {
    /// One entry with one of some words, or none and why.
    static var audit: AuditRule { get }
}

extension AuditedCommand {
    /// Whoever runs it, as the audit log tells it.
    static var actor: AuditActor { .terminal(CommandLineTool.line(of: Self.self) ?? "bitpal") }
}

extension CommandLineTool {
    /// What a person types to run a command, without its arguments; `nil` for none of ours.
    package static func line(of wanted: any ParsableCommand.Type) -> String? {
        leaves.first { $0.command == wanted }?.line
    }

    /// Every command that does something, with what a person types to run it.
    package static var leaves: [(line: String, command: any ParsableCommand.Type)] {
        commands.flatMap { leaves(of: $0, after: "bitpal") }
    }

    private static func leaves(
        of command: any ParsableCommand.Type, after words: String
    ) -> [(line: String, command: any ParsableCommand.Type)] {
        let line = "\(words) \(command.configuration.commandName ?? "")"
        let parts = command.configuration.subcommands
        return parts.isEmpty ? [(line, command)] : parts.flatMap { leaves(of: $0, after: line) }
    }
}

package import ArgumentParser
import Bus
import Glibc
import Operations
import Store

/// Runs one command from its arguments to its exit status.
///
/// Results go to standard output. An error is one line on standard error that says what to do.
package enum CommandLineTool {
    /// The commands of this target, in the order in which help lists them.
    package static let commands: [any ParsableCommand.Type] = [
        BookCommand.self, DepthCommand.self, IndexCommand.self, TradesCommand.self, StatusCommand.self,
        TopCommand.self, TopicsCommand.self,
        SubCommand.self,
        FeedCommand.self, RecordCommand.self, NormalizeCommand.self, CandlesCommand.self,
        SearchCommand.self, CoinsCommand.self, DiscoverCommand.self, TrendingCommand.self,
        AlertCommand.self, IndicatorCommand.self,
        PortfolioCommand.self, WatchlistCommand.self, ChannelCommand.self, DeliveriesCommand.self,
        DemoCommand.self,
        DatabaseCommand.self, MigrateCommand.self, BackupCommand.self, RestoreCommand.self, UserCommand.self,
        TokenCommand.self, AuditCommand.self, SecretsCommand.self, KeysCommand.self,
    ]

    /// Parses the arguments and runs the command that they name.
    ///
    /// - Parameters:
    ///   - root: The command that has all others.
    ///   - arguments: Without the program's name.
    /// - Returns: The exit status.
    package static func run(_ root: (some AsyncParsableCommand).Type, _ arguments: [String]) async -> Int32 {
        // A reader that goes away is an error of one write, and the command then ends in its own way.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try root.parseAsRoot(arguments)
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
                return CommandStatus.done.rawValue
            } catch {
                return report(error, root, arguments)
            }
        } catch {
            return explain(error, root, arguments)
        }
    }

    /// Ends a command that failed.
    private static func report(
        _ error: any Error, _ root: (some AsyncParsableCommand).Type, _ arguments: [String]
    ) -> Int32 {
        switch error {
        case is OutputClosed, is CancellationError: return CommandStatus.done.rawValue
        case is CleanExit, is ValidationError, is ExitCode: return explain(error, root, arguments)
        // The parser hands out help as an error that ends well.
        default: if root.exitCode(for: error) == .success { return explain(error, root, arguments) }
        }
        let failure = CommandFailure(error)
        complain(failure.description)
        return failure.status.rawValue
    }

    /// Says what was wrong with the arguments, or prints the help that they ask for.
    private static func explain(
        _ error: any Error, _ root: (some AsyncParsableCommand).Type, _ arguments: [String]
    ) -> Int32 {
        let code = root.exitCode(for: error)
        guard code != .success else {
            let output = StandardOutput()
            // Help that nobody reads is no failure.
            try? output.writeLine(root.fullMessage(for: error))
            try? output.flush()
            return CommandStatus.done.rawValue
        }
        guard code == .validationFailure else { return code.rawValue }
        complain("\(root.message(for: error)) (see `\(helpCommand(root, arguments))`)")
        return CommandStatus.usage.rawValue
    }

    private static func complain(_ text: String) {
        let line = "bitpal: " + text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let errors = StandardOutput(descriptor: STDERR_FILENO)
        // Nobody can be told that standard error is gone.
        try? errors.writeLine(line)
        try? errors.flush()
    }

    /// The help of the deepest command that the arguments name.
    private static func helpCommand(_ root: any ParsableCommand.Type, _ arguments: [String]) -> String {
        var words = [root.configuration.commandName ?? "bitpal"]
        var commands = root.configuration.subcommands
        for argument in arguments {
            guard let command = commands.first(where: { $0.configuration.commandName == argument }) else {
                break
            }
            words.append(argument)
            commands = command.configuration.subcommands
        }
        return (words + ["--help"]).joined(separator: " ")
    }
}

extension CommandFailure {
    /// Reads any error as the end of a command.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as BusError: self.init(error.status, error.description)
        case let error as ConfigurationError: self.init(.usage, error.description)
        case let error as StoreError: self.init(error.status, "the database: \(error.description)")
        default: self.init(.failed, "\(error)")
        }
    }
}

extension BusError {
    fileprivate var status: CommandStatus {
        switch self {
        case .stateUnavailable: .unreachable
        case .addressInvalid, .insecureAddress, .malformedTopic: .usage
        default: .failed
        }
    }
}

extension StoreError {
    fileprivate var status: CommandStatus {
        switch self {
        case .connectFailed, .unavailable, .connectionLost, .noAnswer: .unreachable
        case .configuration: .usage
        default: .failed
        }
    }
}

public import ArgumentParser

/// The command group `bitpal portfolio`.
public struct PortfolioCommand: ParsableCommand {
    /// How the parser presents it.
    public static let configuration = CommandConfiguration(
        commandName: "portfolio",
        abstract: "What a ledger holds, what it cost, and how it did. Works on a file alone; times are UTC.",
        subcommands: [
            PortfolioReportCommand.self, PortfolioExplainCommand.self, PortfolioBasisCommand.self,
            PortfolioGainsCommand.self, PortfolioImportCommand.self,
        ])

    /// An unconfigured command, for the parser.
    public init() {}
}

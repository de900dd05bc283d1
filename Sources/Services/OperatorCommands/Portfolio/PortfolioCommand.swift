package import ArgumentParser

/// The command group `bitpal portfolio`.
package struct PortfolioCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "portfolio",
        abstract: "What you hold, what it cost, and how it did. Reports work on a file alone; times are UTC.",
        subcommands: [
            PortfolioCreateCommand.self, PortfolioListCommand.self, PortfolioDeleteCommand.self,
            PortfolioWalletCommand.self, PortfolioAddCommand.self, PortfolioEditCommand.self,
            PortfolioRemoveCommand.self, PortfolioTransactionsCommand.self, PortfolioLotsCommand.self,
            PortfolioHistoryCommand.self, PortfolioValueCommand.self, PortfolioExportCommand.self,
            PortfolioReportCommand.self, PortfolioExplainCommand.self, PortfolioBasisCommand.self,
            PortfolioGainsCommand.self, PortfolioImportCommand.self, PortfolioAllocationCommand.self,
            PortfolioTargetCommand.self, PortfolioRebalanceCommand.self, PortfolioWhatIfCommand.self,
            PortfolioCorrelationCommand.self, PortfolioShareCommand.self,
        ])

    /// An unconfigured command, for the parser.
    package init() {}
}

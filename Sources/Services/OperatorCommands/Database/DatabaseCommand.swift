package import ArgumentParser
import MarketStore
import Store

/// `bitpal db …`: what is in the database.
package struct DatabaseCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "db", abstract: "Shows what the database holds and how old it is.",
        subcommands: [DatabaseStatusCommand.self])

    /// An unconfigured command, for the parser.
    package init() {}
}

struct DatabaseStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows tables, partitions, sizes, retention, last writes and lag. Times are UTC.")

    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    @Flag(help: "One JSON object per line, each with its type.")
    var json = false

    func run() async throws {
        let report = try await database.use(try BusClient(bus.addresses())) { try await $0.report() }
        let page = DatabasePage(report)
        if json { return try StandardOutput.say(page.json) }
        let terminal = Terminal()
        try terminal.print(page.lines(columns: terminal.isInteractive ? terminal.size.columns : 200))
    }
}

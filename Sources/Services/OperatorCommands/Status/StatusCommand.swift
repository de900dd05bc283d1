package import ArgumentParser
import Instruments

/// The command `bitpal status`.
package struct StatusCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the services, the feeds and how many books are live.")

    @OptionGroup var bus: BusOptions

    @Flag(help: "One JSON object per line, each with its type.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Prints what the services last said of themselves.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        let state = try await client.state(["service.status.", "feed.status.", "book.top."])
        let report = StatusReport(state.events, at: .now)
        if json {
            let output = StandardOutput()
            try output.write(report.json)
            return try output.flush()
        }
        let terminal = Terminal()
        try terminal.print(report.lines(columns: terminal.isInteractive ? terminal.size.columns : 200))
    }
}

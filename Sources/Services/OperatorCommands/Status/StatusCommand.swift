package import ArgumentParser
import Instruments

/// The command `bitpal status`.
package struct StatusCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the services, the feeds and how many books are live.",
        discussion: "`bitpal top` is `bitpal status --watch`.")

    @OptionGroup var bus: BusOptions

    @Flag(help: "Follow the bus and redraw in place until Ctrl-C.")
    var watch = false

    @Flag(help: "One JSON object per line, each with its type; with --watch, each change as it comes.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Prints what the services last said of themselves.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    package func run() async throws {
        let client = try BusClient(bus.addresses())
        if watch { return try await StatusPage.follow(client, isJSON: json) }
        let state = try await client.state(StatusReport.topics)
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

/// The command `bitpal top`, as people know it.
package struct TopCommand: AsyncParsableCommand {
    /// How the parser presents it.
    package static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Shows the same as `bitpal status --watch`.")

    @OptionGroup var bus: BusOptions

    @Flag(help: "One JSON object per line, each change as it comes.")
    var json = false

    /// An unconfigured command, for the parser.
    package init() {}

    /// Follows what the services say of themselves.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when the bus does not answer.
    package func run() async throws {
        try await StatusPage.follow(try BusClient(bus.addresses()), isJSON: json)
    }
}

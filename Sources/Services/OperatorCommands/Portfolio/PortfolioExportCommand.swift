import ArgumentParser
import Instruments
import JSON
import LedgerFiles
import Portfolio

extension ExportForm: ExpressibleByArgument {}

struct PortfolioExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "A portfolio as our own CSV or JSON; an import of it gives the same ledger.",
        discussion: """
            CSV is the ledger alone. JSON is one document with the currency, wallets, lot settings, targets \
            and transactions; with --history also every revision of every transaction, the changes, imports \
            with the lines that added nothing, stored days and links, which an import leaves alone.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "csv or json.") var format = ExportForm.csv
    @Option(help: "Transactions as they were recorded at an instant, such as 2024-12-31T12:00:00Z.")
    var asRecorded: String?
    @Flag(help: "With --format json: what is no more, too.") var history = false

    func validate() throws {
        guard !history || format == .json else { throw ValidationError("--history needs --format json") }
    }

    func run() async throws {
        let moment = try asRecorded.map { try LedgerOptions.instant($0, "--as-recorded") }
        let client = try gateway.client()
        let query = [
            ("format", format.rawValue), ("as_recorded", moment?.plain), ("history", history ? "true" : nil),
        ]
        try StandardOutput.say(
            try await client.send("GET", "\(client.path(of: portfolio))/export", query))
    }
}

struct PortfolioLotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lots",
        abstract: "Shows or sets which lots the disposals of a portfolio take, and from when on.",
        discussion: """
            bitpal portfolio lots main fifo 2025-01-01=hifo/wallet sets first in, first out until 2024, and \
            the dearest first of each wallet from 2025 on. A setting without a scope keeps the one before. \
            Without settings it shows those in force.
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "METHOD or METHOD/SCOPE for the beginning, and DAY=METHOD/SCOPE for later.")
    var settings: [String] = []
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let changes = try LedgerOptions.changes(settings, "a setting", after: .universal)
        let client = try gateway.client()
        let answer: JSONValue
        if changes.isEmpty {
            answer = try await client.get("\(client.path(of: portfolio))/lots/settings")
        } else {
            let body = JSONValue.object(["settings": .array(changes.map(Self.body))])
            answer = try await client.send(
                "PUT", "\(client.path(of: portfolio))/lots/settings", json: body)
        }
        try ItemRows.print(
            answer["settings"]?.elements ?? [], json: json,
            [
                Column("from") { $0.text("from").isEmpty ? "the beginning" : $0.text("from") },
                .member("method"), .member("scope"),
            ])
    }

    private static func body(_ change: LotPolicy.Change) -> JSONValue {
        .object([
            "from": change.from.nanoseconds == .min ? .null : .string(change.from.plain),
            "method": .string(change.method.rawValue), "scope": .string(change.scope.rawValue),
        ])
    }
}

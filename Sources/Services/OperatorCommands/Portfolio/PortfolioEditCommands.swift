import ArgumentParser
import Instruments
import JSON
package import Portfolio

struct PortfolioAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a transaction to a portfolio, and prints it.",
        discussion: """
            bitpal portfolio add main --kind buy --wallet Kraken --asset BTC --amount 0.25 \
            --counter-asset EUR --counter-amount 15000 --fee-asset EUR --fee-amount 12.5
            """)

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @OptionGroup var flags: TransactionFlags
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let client = try gateway.client()
        let path = try await client.path(of: portfolio) + "/transactions"
        let body = flags.body(over: ["time": Timestamp.now.plain])
        let row = try await flags.sent { try await client.send("POST", path, $0, json: body) }
        try TransactionRows.print([row], json: json)
    }
}

struct PortfolioEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes fields of a transaction, and prints it; what it was is kept.",
        discussion: "An empty value takes a field away: --note ''.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The transaction's number.") var number: Int64
    @OptionGroup var flags: TransactionFlags
    @Option(help: "Only if this revision is in force.") var revision: Int32?
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard !flags.isEmpty else { throw ValidationError("say what to change, such as --amount 0.3") }
    }

    func run() async throws {
        let client = try gateway.client()
        let path = "\(try await client.path(of: portfolio))/transactions/\(number)"
        let old = try await client.get(path)
        // What was read is what is changed: nobody else's edit is lost.
        let expected = [("revision", revision.map(String.init) ?? old.text("revision"))]
        let body = flags.body(over: flags.fields(of: old))
        let row = try await flags.sent { try await client.send("PUT", path, expected + $0, json: body) }
        try TransactionRows.print([row], json: json)
    }
}

struct PortfolioRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes transactions, all of those named or none; they are kept.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "Numbers of transactions.") var numbers: [Int64]

    func run() async throws {
        let client = try gateway.client()
        let body: JSONObject = [
            "numbers": .array(numbers.map { .integer($0) }), "action": .string("remove"),
        ]
        try await client.send(
            "POST", "\(client.path(of: portfolio))/transactions/bulk", json: .object(body))
    }
}

extension TransactionKind: ExpressibleByArgument {}

struct PortfolioTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "The transactions of a portfolio by number, or every revision of one.")

    @OptionGroup var gateway: GatewayOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "Only those with this asset.") var asset: String?
    @Option(help: "Only those of this wallet.") var wallet: String?
    @Option(help: "Only those of this kind.") var kind: TransactionKind?
    @Option(help: "Every revision of the transaction with this number.") var number: Int64?
    @Option(help: "As they were recorded at an instant, such as 2024-12-31T12:00:00Z.") var asRecorded:
        String?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let moment = try asRecorded.map { try LedgerOptions.instant($0, "--as-recorded") }
        let client = try gateway.client()
        let path = try await client.path(of: portfolio) + "/transactions"
        if let number {
            let revisions = try await client.get("\(path)/\(number)", [("history", "true")])
            let wanted = (revisions["items"]?.elements ?? []).filter(isWanted)
            return try TransactionRows.print(wanted, json: json)
        }
        let query = [
            ("order", "number"), ("as_recorded", moment?.plain), ("asset", asset), ("wallet", wallet),
            ("kind", kind?.rawValue), ("limit", "500"),
        ]
        var rows: [JSONValue] = []
        var cursor: String?
        repeat {
            let page = try await client.get(path, query + [("cursor", cursor)])
            let items = page["items"]?.elements ?? []
            // A table's columns are as wide as all of it needs; lines may go at once.
            if json { try ItemRows.lines(items) } else { rows += items }
            cursor = page["next"]?.text
        } while cursor != nil
        if !json { try TransactionRows.print(rows, json: false) }
    }

    private func isWanted(_ row: JSONValue) -> Bool {
        func has(_ wanted: String?, _ keys: [String]) -> Bool {
            wanted.map { keys.map(row.text).contains($0) } ?? true
        }
        return has(asset, ["asset", "counter_asset", "fee_asset"]) && has(wallet, ["wallet", "to_wallet"])
            && has(kind?.rawValue, ["kind"])
    }
}

/// Stored transactions as a table for people and as lines of JSON.
enum TransactionRows {
    static func print(_ rows: [JSONValue], json: Bool) throws {
        try ItemRows.print(
            rows, json: json,
            [
                Column("number", .right, text: number), .member("time"), .member("kind"),
                Column("wallet", text: wallets), .member("amount", .right), .member("asset"),
                Column("for") { holding("counter", of: $0) }, Column("fee") { holding("fee", of: $0) },
                .member("external_id", as: "external id"), .member("note"),
            ] + (rows.contains { !$0.text("waits_until").isEmpty } ? [Column("counts", text: counts)] : []))
    }

    /// What is to come waits until it does; no word for all that counts.
    private static func counts(_ row: JSONValue) -> String {
        let time = row.text("waits_until")
        return time.isEmpty ? "" : "waits until \(time)"
    }

    private static func number(of row: JSONValue) -> String {
        row.text("number") + (row.text("revision") == "1" ? "" : ".\(row.text("revision"))")
    }

    private static func wallets(of row: JSONValue) -> String {
        row.text("wallet") + (row.text("to_wallet").isEmpty ? "" : " → \(row.text("to_wallet"))")
    }

    private static func holding(_ name: String, of row: JSONValue) -> String {
        let asset = row.text("\(name)_asset")
        return asset.isEmpty ? "" : "\(row.text("\(name)_amount")) \(asset)"
    }
}

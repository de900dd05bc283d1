import ArgumentParser
import ForeignLedgers
import Glibc
import Instruments
import JSON
import LedgerFiles
import Portfolio
import Shapes

struct PortfolioImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Reads a file of transactions, and adds what a portfolio has not got, all of it or nothing.",
        discussion: """
            The same file again adds nothing, and a file that overlaps adds the rest, so an import that was \
            interrupted is repeated. Rows are known by their external id, or by their content where they \
            have none. Our own JSON brings wallets, lot settings and targets along: they are taken where the \
            portfolio has none of its own. Each line that adds nothing is printed with its reason. An asset \
            that no market of this installation trades is refused, as a slip of the pen would be; \
            --allow-unknown-assets takes old coins, shares and the like as they are. What your portfolios \
            named before is known. A gateway takes files of up to 64 MiB from whoever works on its machine, \
            and up to 1 MiB as JSON with any other token. Without \
            --into nothing is stored: --preview says what the file holds, \
            --convert writes it as our own CSV.
            """)

    /// Bytes of a file that a gateway takes.
    private static let limit = 64 << 20

    @OptionGroup var gateway: GatewayOptions

    @Argument(help: "The file.")
    var file: String

    @Option(
        name: .customLong("format"),
        help:
            "Its format: \(LedgerFormat.allCases.map(\.rawValue).joined(separator: ", ")). Default: csv, or json when the name ends in .json."
    )
    var namedFormat: LedgerFormat?

    @Option(help: "The portfolio that it is added to.")
    var into: String?

    @Flag(help: "Only say what it holds, and with --into what it would add; nothing is stored.")
    var preview = false

    @Flag(help: "Take assets that no market of this installation trades.")
    var allowUnknownAssets = false

    @Flag(help: "Write the rows as our own CSV to standard output.")
    var convert = false

    @Option(help: "The wallet of rows that name none.")
    var wallet: String?

    @Option(help: "The zone of times that say none, such as +01:00 or Z.")
    var zone: String?

    @Option(help: "The currency of values without one. Default: the portfolio's, or USD.")
    var base: String?

    @Option(
        help: "For --format mapped: theirs=ours, such as Date=time or Currency=counter_asset,fee_asset."
    )
    var column: [String] = []

    @Option(help: "For --format mapped: theirs=ours of the kind, such as BOUGHT=buy, or =skip.")
    var kind: [String] = []

    @Flag(help: "One JSON object.")
    var json = false

    private var format: LedgerFormat { namedFormat ?? (file.hasSuffix(".json") ? .json : .csv) }

    func validate() throws {
        guard preview || convert || into != nil else {
            throw ValidationError(
                "say --into NAME to store it, --preview to see what it holds, or --convert to get our own CSV"
            )
        }
        guard into == nil || !convert else { throw ValidationError("--convert stores nothing: no --into") }
    }

    func run() async throws {
        let options = try importOptions()
        if let into { return try await add(options, to: into) }
        let format = format
        let bytes = try LedgerOptions.located(file) { () throws(FileFault) in try FileBytes.read(file) }
        let imported = try LedgerOptions.located(file) { () throws(FileFault) in
            try format.read(bytes, options)
        }
        try ImportPage.say(imported.remarks.map(\.description))
        let ledger = try LedgerOptions.located(file) { () throws(FileFault) in try imported.ledger() }
        if convert {
            let errors = StandardOutput(descriptor: STDERR_FILENO)
            for skipped in imported.skipped { try errors.writeLine("skipped \(skipped)") }
            try errors.flush()
            return try StandardOutput.say(LedgerCSV.write(imported.transactions))
        }
        if json { return try StandardOutput.say(lines: [ImportedFileLine(imported, ledger)]) }
        try show(imported, ledger)
    }

    private func add(_ options: ImportOptions, to name: String) async throws {
        let text = try LedgerOptions.located(file) { () throws(FileFault) in
            try FileBytes.text(file, limit: Self.limit)
        }
        let client = try gateway.client()
        let path = try await client.path(of: name) + (preview ? "/import/preview" : "/import")
        let report: JSONValue
        do {
            report = try await client.send(
                "POST", path, json: body(of: text, options), timeout: .seconds(3_600))
        } catch let failure as CommandFailure {
            try ImportPage.say(failure.remarks)
            throw failure.saying("--allow-unknown-assets", for: "\"allow_unknown_assets\": true").inFile(file)
        }
        try ImportPage(report: report).print(json: json)
    }

    /// The file as the gateway takes it.
    private func body(of text: String, _ options: ImportOptions) -> JSONValue {
        func object(_ pairs: [String: String]) -> JSONValue {
            .object(JSONObject(pairs.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        var body: JSONObject = [
            "format": .string(format.rawValue), "text": .string(text),
            "allow_unknown_assets": .bool(allowUnknownAssets),
        ]
        body["source"] = file.split(separator: "/").last.map { .string(String($0)) }
        body["wallet"] = wallet.map { .string($0) }
        body["zone"] = zone.map { .string($0) }
        body["base"] = base.map { .string($0) }
        if !options.columns.isEmpty || !options.kinds.isEmpty {
            body["mapping"] = .object([
                "columns": object(options.columns), "kinds": object(options.kinds),
            ])
        }
        return .object(body)
    }

    private func importOptions() throws -> ImportOptions {
        var options = ImportOptions()
        options.wallet = wallet
        if let base { options.base = Asset(rawValue: base) }
        if let zone {
            guard let seconds = ImportOptions.zone(zone) else {
                throw CommandFailure(.usage, "--zone is \"\(zone)\"; write +01:00 or Z")
            }
            options.zone = seconds
        }
        // One column may serve several fields, as one with the currency of price and fee.
        options.columns = try pairs(column, "--column", takesSeveral: true)
        options.kinds = try pairs(kind, "--kind")
        return options
    }

    private func pairs(_ texts: [String], _ option: String, takesSeveral: Bool = false) throws
        -> [String: String]
    {
        var pairs: [String: String] = [:]
        for text in texts {
            guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
                throw CommandFailure(.usage, "\(option) is \"\(text)\"; write theirs=ours")
            }
            let (theirs, ours) = (String(text[..<sign]), String(text[text.index(after: sign)...]))
            guard let other = pairs[theirs] else {
                pairs[theirs] = ours
                continue
            }
            guard takesSeveral else {
                throw CommandFailure(
                    .usage, "\(option) is given twice for \"\(theirs)\": \(other) and \(ours); write one")
            }
            pairs[theirs] = "\(other),\(ours)"
        }
        return pairs
    }

    private func show(_ imported: ImportedLedger, _ ledger: Ledger) throws {
        let output = StandardOutput()
        try output.writeLine(
            "\(imported.transactions.count) rows, \(ledger.duplicates.count) of them twice, \(imported.skipped.count) skipped"
        )
        if let first = ledger.transactions.first, let last = ledger.transactions.last {
            try output.writeLine("from \(first.time.plain) to \(last.time.plain)")
        }
        for (kind, count) in imported.counts { try output.writeLine("  \(kind.rawValue): \(count)") }
        for balance in ledger.balances() {
            try output.writeLine(
                "  \(balance.wallet) ends with \(balance.holding.amount) \(balance.holding.asset)")
        }
        for warning in ledger.warnings.prefix(20) { try output.writeLine("warning: \(warning)") }
        for index in ledger.duplicates { try output.writeLine("line \(imported.lines[index]): duplicate") }
        for skipped in imported.skipped { try output.writeLine("skipped \(skipped)") }
        try output.flush()
    }
}

/// What a file holds, as it is printed.
private struct ImportedFileLine: WireBody {
    static let shape = BodyShape<ImportedFileLine>("ImportedFile") {
        Field("rows", \.imported.transactions.count, example: 12)
        Field(
            "duplicates", { line in line.ledger.duplicates.map { line.imported.lines[$0] } },
            "Lines of the file that say what is said before.", example: [])
        Field(
            "kinds", { NamedValues($0.imported.counts.map { ($0.rawValue, $1) }) },
            "How many rows of each kind.", example: ["buy": 12])
        Field("balances", { $0.ledger.balances() }, "What each wallet ends with.")
        Field("skipped", { $0.imported.skipped.map(LeftOutLine.init) }, "Lines that add nothing.")
    }

    private struct LeftOutLine: WireBody {
        static let shape = BodyShape<LeftOutLine>("LeftOutLine") {
            Field("line", \.skipped.line, example: 7)
            Field("reason", \.skipped.reason, example: "its kind is not known")
        }

        let skipped: SkippedLine
    }

    private let imported: ImportedLedger
    private let ledger: Ledger

    init(_ imported: ImportedLedger, _ ledger: Ledger) { (self.imported, self.ledger) = (imported, ledger) }
}

extension ImportedLedger {
    /// Kinds of transactions that it has, each with their number.
    fileprivate var counts: [(TransactionKind, Int)] {
        TransactionKind.allCases.map { kind in (kind, transactions.count { $0.kind == kind }) }
            .filter { $0.1 > 0 }
    }
}

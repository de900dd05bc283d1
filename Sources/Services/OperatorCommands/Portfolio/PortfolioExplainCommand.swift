import ArgumentParser
import Instruments
import JSON
import LedgerFiles
import Portfolio
import Shapes

struct PortfolioExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Which lots each disposal took, and where every percentage comes from.")

    @OptionGroup var options: LedgerOptions

    @Option(help: "Only this asset.")
    var asset: String?

    @Option(help: "Only disposals of this row, by its external id.")
    var id: String?

    func run() async throws {
        let loaded = try await options.load()
        let report = loaded.report
        let output = StandardOutput()
        let disposals = report.disposals.filter { disposal in
            let isAsset = asset.map { disposal.subject.asset.rawValue == $0 } ?? true
            let row = report.ledger.transactions[disposal.entry]
            return isAsset && (id.map { row.externalID == $0 } ?? true)
        }
        if let id, disposals.isEmpty {
            throw CommandFailure(.notFound, "no disposal has the external id \"\(id)\"")
        }
        for disposal in disposals {
            for line in FigureExplanation.lines(disposal, in: report) { try output.writeLine(line) }
        }
        let valuation = loaded.valuation
        for position in valuation.positions
        where id == nil && (asset.map { position.holding.asset.rawValue == $0 } ?? true) {
            for line in FigureExplanation.lines(position, of: valuation) { try output.writeLine(line) }
        }
        try output.flush()
    }
}

struct PortfolioBasisCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "basis", abstract: "What each lot cost, and which of these costs are assumed.")

    @OptionGroup var options: LedgerOptions

    @Flag(help: "Only costs that are assumed, those of lots that are gone included.")
    var assumed = false

    @Flag(help: "One JSON object per line.")
    var json = false

    func run() async throws {
        let report = try await options.load().report
        let output = StandardOutput()
        guard assumed else {
            for lot in report.lots {
                var line = JSONWriter()
                line.beginObject()
                line.text("wallet", lot.wallet)
                line.holding(lot.holding)
                line.text("acquired", lot.acquired.plain)
                line.amount("cost_basis", lot.costBasis)
                line.key("assumed")
                line.string(lot.assumed?.rawValue)
                line.endObject()
                line.endLine()
                let mark = lot.assumed.map { "  assumed (\($0.rawValue))" } ?? ""
                try say(
                    "\(lot.acquired.plain)  \(lot.wallet)  \(lot.holding.amount) \(lot.holding.asset)  cost \(lot.costBasis)\(mark)",
                    line, output)
            }
            return try output.flush()
        }
        for entry in report.assumed {
            var line = JSONWriter()
            AssumedBasisBody(entry, in: report).write(to: &line)
            line.endLine()
            let row = report.ledger.transactions[entry.entry]
            try say(
                "\(row.time.plain)  \(row.wallet)  \(row.kind.rawValue) \(entry.subject.amount) \(entry.subject.asset)  "
                    + "cost \(entry.costBasis) assumed (\(entry.reason.rawValue))", line, output)
        }
        try output.flush()
    }

    private func say(_ text: String, _ line: JSONWriter, _ output: StandardOutput) throws {
        if json { try output.write(line.bytes) } else { try output.writeLine(text) }
    }
}

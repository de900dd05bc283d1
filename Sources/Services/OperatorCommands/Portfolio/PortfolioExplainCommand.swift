import ArgumentParser
import Instruments
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

    @Flag(help: "Every digit of money and prices; else the currency's.")
    var exact = false

    func run() async throws {
        let loaded = try await options.load()
        let report = loaded.report
        let text = exact ? MoneyText.exact : .rounded(in: report.base)
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
            for line in FigureExplanation.lines(disposal, in: report, as: text) {
                try output.writeLine(line)
            }
        }
        let valuation = loaded.valuation
        for position in valuation.positions
        where id == nil && (asset.map { position.holding.asset.rawValue == $0 } ?? true) {
            for line in FigureExplanation.lines(position, of: valuation, as: text) {
                try output.writeLine(line)
            }
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
                let mark = lot.assumed.map { "  assumed (\($0.rawValue))" } ?? ""
                try say(
                    "\(lot.acquired.plain)  \(lot.wallet)  \(lot.holding.amount) \(lot.holding.asset)  cost \(lot.costBasis)\(mark)",
                    LotCostLine(lot: lot), output)
            }
            return try output.flush()
        }
        for entry in report.assumed {
            let row = report.ledger.transactions[entry.entry]
            try say(
                "\(row.time.plain)  \(row.wallet)  \(row.kind.rawValue) \(entry.subject.amount) \(entry.subject.asset)  "
                    + "cost \(entry.costBasis) assumed (\(entry.reason.rawValue))",
                AssumedBasisBody(entry, in: report), output)
        }
        try output.flush()
    }

    private func say(_ text: String, _ line: some WireValue, _ output: StandardOutput) throws {
        if json { try output.writeLine(json: line) } else { try output.writeLine(text) }
    }
}

/// What a lot cost, as it is printed.
private struct LotCostLine: WireBody {
    static let shape = BodyShape<LotCostLine>("LotCost") {
        Field("wallet", \.lot.wallet, example: "Cold")
        Field(all: \.lot.holding)
        Field("acquired", \.lot.acquired.plain, as: .time, example: "2026-01-02T00:00:00Z")
        Field("cost_basis", \.lot.costBasis, "In the base currency.", example: "15000")
        Field("assumed", \.lot.assumed?.rawValue, "Why the cost is not what the owner stated.")
    }

    let lot: OpenLot
}

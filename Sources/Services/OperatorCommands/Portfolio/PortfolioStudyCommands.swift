import ArgumentParser
import Instruments
import LedgerFiles
import Portfolio
import Shapes
import Statistics

struct PortfolioWhatIfCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif",
        abstract: "What the transactions of a file would change, with nothing stored.")

    @OptionGroup var options: LedgerOptions
    @Option(help: "The transactions: our CSV, or JSON when the name ends in .json.") var with: String
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let loaded = try await options.load()
        let rows = try LedgerOptions.import(with, loaded.report.base)
        let result: WhatIf
        do {
            result = try WhatIf(
                loaded.report, adding: rows.transactions, policy: loaded.policy, prices: loaded.prices)
        } catch {
            throw CommandFailure(.failed, "\(with): \(rows.fault(of: error))")
        }
        if json { return try StandardOutput.say(lines: [result]) }
        let output = StandardOutput()
        let text = MoneyText.rounded(in: result.after.base)
        let change = result.realized.map { "by \(text.money($0)) \(result.after.base)" }
        try output.writeLine("realized would change \(change ?? "by what is not known without a price")")
        for disposal in result.newDisposals {
            let lines = FigureExplanation.lines(
                disposal, in: result.after, as: text)
            for line in lines { try output.writeLine(line) }
        }
        try output.flush()
    }
}

struct PortfolioCorrelationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "correlation",
        abstract: "How the daily returns of what is held move together, over the days that all have prices.")

    @OptionGroup var options: LedgerOptions
    @Option(help: "So many days back at most.") var days = 365
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard (3...4_000).contains(days) else {
            throw ValidationError("--days is \(days); accepted is 3...4000")
        }
    }

    func run() async throws {
        let loaded = try await options.load()
        let assets = loaded.valuation.positions.map(\.holding.asset).filter { $0 != loaded.report.base }
        let prices = prices(of: assets, loaded)
        let returns = assets.indices.map { asset in
            zip(prices.dropFirst(), prices).map { $0[asset] / $1[asset] - 1 }
        }
        let matrix = Returns.correlationMatrix(returns)
        if json {
            let line = CorrelationLine(days: prices.count, assets: assets, matrix: matrix)
            return try StandardOutput.say(lines: [line])
        }
        var table = TextTable([("", .left)] + assets.map { ($0.rawValue, .right) })
        for (asset, row) in zip(assets, matrix) {
            let cells = row.map { value in
                value.flatMap { try? Amount(parsing: "\($0)") }?.text(places: 2) ?? "unknown"
            }
            table.append(([asset.rawValue] + cells).map { TextTable.Cell($0) })
        }
        let terminal = Terminal()
        try terminal.print(
            [StyledLine("over \(prices.count) days", .faint)]
                + table.lines(columns: terminal.isInteractive ? terminal.size.columns : 4_096))
    }

    /// The prices of each day on which every asset has one, oldest first.
    private func prices(of assets: [Asset], _ loaded: LoadedLedger) -> [[Double]] {
        let length: Int64 = 86_400_000_000_000
        return (0..<days).reversed().compactMap { back in
            let time = loaded.moment.adding(nanoseconds: -Int64(back) * length)
            let prices = assets.compactMap { asset in
                loaded.prices.price(of: asset, in: loaded.report.base, at: time).map { Double($0.price) }
            }
            return prices.count == assets.count && prices.allSatisfy { $0 > 0 } ? prices : nil
        }
    }
}

/// How returns move together, as it is printed.
private struct CorrelationLine: WireBody {
    static let shape = BodyShape<CorrelationLine>("Correlation") {
        Field("days", \.days, "Of which every asset has a price.", example: 365)
        Field(
            "correlation", \.members, "By asset and asset, -1 to 1; null where it is not known.",
            example: ["BTC": ["BTC": "1"]])
    }

    let days: Int
    let assets: [Asset]
    let matrix: [[Double?]]

    private var members: NamedValues<NamedValues<Amount?>> {
        NamedValues(
            zip(assets, matrix).map { asset, row in
                let ratios = zip(assets, row).map { ($0.rawValue, Amount(ratio: $1)) }
                return (asset.rawValue, NamedValues(ratios))
            })
    }
}

import Instruments
import LedgerFiles
import Portfolio
import Statistics

/// A report for people: rounded, with what is not known said in words.
struct ReportPage {
    let loaded: LoadedLedger

    /// Lots and disposals that are shown; all of them are in the JSON.
    static let limit = 40

    func lines(columns: Int) -> [StyledLine] {
        let valuation = loaded.valuation
        let report = loaded.report
        var lines = [
            StyledLine("Holdings at \(loaded.moment.iso8601(fractionDigits: 0)), in \(report.base)", .strong)
        ]
        lines += holdings(valuation).lines(columns: columns)
        lines.append(StyledLine())
        lines += totals(valuation)
        if !report.disposals.isEmpty {
            lines += ["", "Disposals"].map { StyledLine($0, .strong) }
            lines += disposals.lines(columns: columns)
            lines += more(report.disposals.count)
        }
        if !report.lots.isEmpty {
            lines += ["", "Open lots"].map { StyledLine($0, .strong) }
            lines += lots.lines(columns: columns)
            lines += more(report.lots.count)
        }
        return lines + notes(valuation)
    }

    private var text: MoneyText { .rounded(in: loaded.report.base) }

    private func more(_ count: Int) -> [StyledLine] {
        count > Self.limit ? [StyledLine("… and \(count - Self.limit) before them (--json)", .faint)] : []
    }

    private func holdings(_ valuation: Valuation) -> TextTable {
        var table = TextTable([
            ("asset", .left), ("amount", .right), ("price", .right), ("value", .right), ("cost", .right),
            ("unrealized", .right), ("%", .right), ("price of", .left),
        ])
        for position in valuation.positions {
            let gain = position.unrealized
            let percent = position.costBasis.flatMap { gain?.divided(by: $0, places: 8) }
            table.append([
                .init(position.holding.asset.rawValue), .init(position.holding.amount.description),
                .init(
                    position.price.map { text.price($0.price) } ?? "no price",
                    position.price == nil || position.isStale ? .warning : .plain),
                money(position.value), .init(position.costBasis.map(text.money) ?? ""), gainCell(gain),
                .init(percent.map { ($0 * Amount(units: 100)).text(places: 2) } ?? "", style(gain)),
                .init(priced(position), position.isStale ? .warning : .faint),
            ])
        }
        return table
    }

    /// When the price was so, and where it is from.
    private func priced(_ position: Valuation.Position) -> String {
        guard let price = position.price, position.holding.asset != loaded.report.base else { return "" }
        let source = loaded.source(of: position).map { " \($0)" } ?? ""
        return price.time.iso8601(fractionDigits: 0) + source + (position.isStale ? " (stale)" : "")
    }

    private func totals(_ valuation: Valuation) -> [StyledLine] {
        let report = loaded.report
        let history = loaded.range.part(of: loaded.history)
        let figures = history.series.map { PerformanceFigures($0) }
        var table = TextTable([("", .left), ("", .right)])
        func add(_ name: String, _ amount: Amount?) {
            table.append([.init(name, .faint), .init(amount.map(text.money) ?? "unknown", style(amount))])
        }
        func addKnown(_ name: String, _ all: Amount?, _ known: Amount) {
            add(name, all)
            if all == nil { add("  of it known", known) }
        }
        add("value", valuation.total)
        // What is written adds up to its last digit, as on the page.
        let (all, coins, cost) = (valuation.total, valuation.coinValue, valuation.coinCost)
        add("  of coins", coins)
        add("  of money", all.flatMap { all in coins.map { text.shown(all) - text.shown($0) } })
        add("cost of coins", cost)
        add("unrealized", coins.map { text.shown($0) - text.shown(cost) })
        addKnown("realized", report.realized, report.knownRealized)
        addKnown("income", report.incomeTotal, report.knownIncome)
        add("fees", report.feeTotal)
        table.append([
            .init("TWR \(loaded.range.rawValue)", .faint), .init(percent(figures?.timeWeightedReturn)),
        ])
        table.append([
            .init("XIRR \(loaded.range.rawValue)", .faint), .init(percent(history.moneyWeightedReturn)),
        ])
        table.append([.init("deepest fall", .faint), .init(percent(figures?.maximumDrawdown))])
        if let benchmark = loaded.benchmark {
            let figures = BenchmarkComparison(history, with: benchmark, in: report.base)
            for (name, ratio) in [
                (benchmark.name, figures.theirReturn), ("more than it", figures.excessReturn),
            ] {
                table.append([.init(name, .faint), .init(percent(ratio))])
            }
            table.append([
                .init("beta", .faint), .init(decimal(figures.beta)),
            ])
        }
        var lines = Array(table.lines(columns: 60).dropFirst())
        let values = history.series?.days.suffix(60).map(\.value) ?? []
        if values.count > 1 {
            lines.append(StyledLine("\(Sparkline.text(values))  last \(values.count) days"))
        }
        return lines
    }

    private var disposals: TextTable {
        var table = TextTable([
            ("time", .left), ("wallet", .left), ("what", .left), ("proceeds", .right), ("cost", .right),
            ("gain", .right), ("lots", .right),
        ])
        for disposal in loaded.report.disposals.suffix(Self.limit) {
            table.append([
                .init(disposal.time.iso8601(fractionDigits: 0)), .init(disposal.wallet),
                .init("\(disposal.kind.rawValue) \(disposal.subject.amount) \(disposal.subject.asset)"),
                money(disposal.proceeds), money(disposal.costBasis), gainCell(disposal.gain),
                .init("\(disposal.pieces.count)"),
            ])
        }
        return table
    }

    private var lots: TextTable {
        var table = TextTable([
            ("acquired", .left), ("wallet", .left), ("what", .left), ("cost", .right), ("", .left),
        ])
        for lot in loaded.report.lots.suffix(Self.limit) {
            table.append([
                .init(lot.acquired.iso8601(fractionDigits: 0)), .init(lot.wallet),
                .init("\(lot.holding.amount) \(lot.holding.asset)"), money(lot.costBasis),
                .init(lot.assumed.map { "cost assumed (\($0.rawValue))" } ?? "", .warning),
            ])
        }
        return table
    }

    private func notes(_ valuation: Valuation) -> [StyledLine] {
        let report = loaded.report
        var notes: [String] = []
        let missing = Set(report.missingPrices.map(\.asset)).union(valuation.missingPrices)
            .union(loaded.history.missingPrices).map(\.rawValue).sorted()
        if !missing.isEmpty {
            notes.append(
                "No price in \(report.base) at some time for \(missing.joined(separator: ", ")): see --prices"
            )
        }
        if !report.assumed.isEmpty {
            notes.append("\(report.assumed.count) costs are assumed: `bitpal portfolio basis --assumed`")
        }
        if !report.stalePrices.isEmpty {
            let names = Set(report.stalePrices.map(\.asset.rawValue)).sorted().joined(separator: ", ")
            notes.append("\(report.stalePrices.count) values are by old prices of \(names): see --json")
        }
        let stale = loaded.range.part(of: loaded.history).days.count { !$0.stalePrices.isEmpty }
        if stale > 0 { notes.append("\(stale) days count by the last price that was known: see history") }
        // What came after the moment of the report, and is past by now, does not wait.
        let waiting = loaded.waiting.filter { $0.waitsUntil(at: .now) != nil }
        if let next = waiting.first {
            let count = waiting.count
            let who = count == 1 ? "1 transaction waits" : "\(count) transactions wait, the first"
            notes.append("\(who) until \(next.time.plain)")
        }
        notes += loaded.warnings.prefix(5).map(\.text)
        return notes.isEmpty ? [] : [StyledLine()] + notes.map { StyledLine($0, .warning) }
    }

    private func money(_ amount: Amount?) -> TextTable.Cell {
        .init(amount.map(text.money) ?? "unknown", amount == nil ? .warning : .plain)
    }

    private func gainCell(_ amount: Amount?) -> TextTable.Cell {
        .init(amount.map(text.money) ?? "", amount == nil ? .plain : style(amount))
    }

    private func style(_ amount: Amount?) -> TextStyle {
        guard let amount else { return .warning }
        return amount.isNegative ? .bad : amount.isPositive ? .good : .plain
    }

    private func percent(_ ratio: Double?) -> String {
        ratio == nil ? "unknown" : decimal(ratio.map { $0 * 100 }) + " %"
    }

    private func decimal(_ number: Double?) -> String {
        guard let number, let amount = try? Amount(parsing: "\(number)") else { return "unknown" }
        return amount.text(places: 2)
    }
}

/// A line of blocks as high as its values.
enum Sparkline {
    private static let blocks = Array("▁▂▃▄▅▆▇█")

    static func text(_ values: [Double]) -> String {
        guard let low = values.min(), let high = values.max(), high > low else {
            return String(repeating: blocks[0], count: values.count)
        }
        return String(values.map { blocks[Int(($0 - low) / (high - low) * 7)] })
    }
}

import Instruments
public import JSON
public import Portfolio

/// A report as one object of JSON.
///
/// Amounts and ratios are strings; what nobody knows is null.
public struct ReportJSON {
    private let loaded: LoadedLedger
    private var report: LotReport { loaded.report }

    /// Takes what was read.
    public init(loaded: LoadedLedger) { self.loaded = loaded }

    /// Writes the object.
    public func write(to line: inout JSONWriter) {
        let valuation = loaded.valuation
        line.beginObject()
        line.text("base", report.base.rawValue)
        let current = loaded.policy.changes.last { $0.from <= loaded.moment } ?? loaded.policy.changes[0]
        line.text("method", current.method.rawValue)
        line.text("scope", current.scope.rawValue)
        line.text("long_term_days", report.longTerm.description)
        line.text("as_of", loaded.moment.plain)
        line.list("disposals", report.disposals) { write($0, to: &$1) }
        line.list("removals", report.removals) { write($0, to: &$1) }
        line.list("lots", report.lots) { write(lot: $0, to: &$1) }
        line.list("income", report.income) { write($0, to: &$1) }
        line.list("fees", report.fees) { write($0, to: &$1) }
        line.list("balances", report.balances) { balance, line in
            line.text("wallet", balance.wallet)
            line.holding(balance.holding)
        }
        line.list("valuation", valuation.positions) {
            Self.write(position: $0, source: loaded.source(of: $0), to: &$1)
        }
        totals(valuation, to: &line)
        PerformanceJSON(loaded: loaded).write(to: &line)
        line.list("assumed_basis", report.assumed) { AssumedJSON.write($0, report, to: &$1) }
        line.list("missing_prices", missingPrices) { missing, line in
            line.text("asset", missing.asset.rawValue)
            line.text("time", missing.time.plain)
        }
        line.list("stale_prices", report.stalePrices) { stale, line in
            line.text("asset", stale.asset.rawValue)
            line.text("time", row(stale.entry).time.plain)
            line.text("price_time", stale.priced.plain)
            line.text("external_id", row(stale.entry).externalID)
        }
        line.list("warnings", loaded.warnings) { warning, line in
            line.text("time", warning.time.plain)
            line.text("warning", warning.text)
        }
        line.endObject()
    }

    /// Each asset and time once.
    private var missingPrices: [MissingPrice] {
        var seen: Set<MissingPrice> = []
        return report.missingPrices.filter { seen.insert($0).inserted }
    }

    private func write(_ disposal: Disposal, to line: inout JSONWriter) {
        line.text("time", disposal.time.plain)
        line.text("kind", disposal.kind.rawValue)
        line.text("wallet", disposal.wallet)
        line.holding(disposal.subject)
        line.amount("proceeds", disposal.proceeds)
        line.amount("cost_basis", disposal.costBasis)
        line.amount("gain", disposal.gain)
        line.text("external_id", row(disposal.entry).externalID)
        let proceeds = report.proceeds(of: disposal)
        line.key("lots")
        line.beginArray()
        for (index, piece) in report.pieces[disposal.pieces].enumerated() {
            write(piece, proceeds: proceeds?[index], at: disposal.time, to: &line)
        }
        line.endArray()
    }

    private func write(_ piece: LotPiece, proceeds: Amount?, at time: Timestamp, to line: inout JSONWriter) {
        line.beginObject()
        line.text("acquired", piece.acquired.plain)
        line.amount("amount", piece.amount)
        line.amount("cost_basis", piece.costBasis)
        line.text("term", report.longTerm.word(from: piece.acquired, to: time))
        line.amount("proceeds", proceeds)
        line.amount("gain", proceeds.map { $0 - piece.costBasis })
        if let assumed = piece.assumed { line.text("assumed", assumed.rawValue) }
        line.endObject()
    }

    private func write(_ removal: Removal, to line: inout JSONWriter) {
        let row = row(removal.entry)
        line.text("time", row.time.plain)
        line.text("kind", row.kind.rawValue)
        line.text("wallet", row.wallet)
        line.holding(row.subject)
        line.amount("cost_basis", removal.costBasis)
        line.key("lots")
        line.beginArray()
        for piece in report.pieces[removal.pieces] {
            line.beginObject()
            line.text("acquired", piece.acquired.plain)
            line.amount("amount", piece.amount)
            line.amount("cost_basis", piece.costBasis)
            line.endObject()
        }
        line.endArray()
    }

    /// Writes the members of an open lot.
    public func write(lot: OpenLot, to line: inout JSONWriter) {
        line.text("wallet", lot.wallet)
        line.holding(lot.holding)
        line.text("acquired", lot.acquired.plain)
        line.amount("cost_basis", lot.costBasis)
        line.text("term", report.longTerm.word(from: lot.acquired, to: loaded.moment))
        let price = loaded.prices.price(of: lot.holding.asset, in: report.base, at: loaded.moment)
        line.amount("unrealized", price.map { lot.holding.amount * $0.price - lot.costBasis })
        if let assumed = lot.assumed { line.text("assumed", assumed.rawValue) }
    }

    private func write(_ income: IncomeEntry, to line: inout JSONWriter) {
        let row = row(income.entry)
        line.text("time", row.time.plain)
        line.text("kind", row.kind.rawValue)
        line.text("wallet", row.wallet)
        line.holding(row.subject)
        line.amount("value", income.value)
    }

    private func write(_ fee: FeeEntry, to line: inout JSONWriter) {
        let row = row(fee.entry)
        line.text("time", row.time.plain)
        line.text("wallet", row.wallet)
        line.holding(fee.paid)
        line.amount("value", fee.isAssumed ? nil : fee.value)
        line.text("treatment", fee.treatment.rawValue)
    }

    /// Writes the members of what is held of one asset.
    ///
    /// `source` says where its price is from, where that is known.
    public static func write(position: Valuation.Position, source: String?, to line: inout JSONWriter) {
        line.holding(position.holding)
        line.amount("price", position.price?.price)
        line.key("price_time")
        line.string(position.price?.time.plain)
        line.pair("source", source)
        line.key("stale")
        line.bool(position.isStale)
        line.amount("value", position.value)
        line.amount("cost_basis", position.costBasis)
        line.amount("unrealized", position.unrealized)
    }

    private func totals(_ valuation: Valuation, to line: inout JSONWriter) {
        line.key("totals")
        line.beginObject()
        line.amount("realized", report.realized)
        line.amount("realized_known", report.knownRealized)
        line.amount("unrealized", valuation.unrealized)
        line.amount("income", report.incomeTotal)
        line.amount("income_known", report.knownIncome)
        line.amount("fees", report.feeTotal)
        line.amount("fees_expensed", report.feeTotal.map { _ in report.expensedFees })
        line.amount("cost_basis", report.costBasis)
        line.amount("value", valuation.total)
        line.amount("deposits", report.deposits)
        line.amount("withdrawals", report.withdrawals)
        line.amount("currency_effect", Reconciliation(report, valuation)?.currencyEffect)
        line.endObject()
        profits("profit_by_asset", "asset", \.subject.asset.rawValue, \.holding.asset.rawValue, to: &line)
        profits("profit_by_wallet", "wallet", \.wallet, \.wallet, to: &line)
    }

    /// Gains by what disposals and open lots are grouped by; null where one of them is not known.
    private func profits(
        _ name: String, _ member: String, _ ofDisposal: (Disposal) -> String, _ ofLot: (OpenLot) -> String,
        to line: inout JSONWriter
    ) {
        var realized: [String: Amount?] = [:]
        for disposal in report.disposals {
            let sum = realized[ofDisposal(disposal)] ?? .zero
            realized[ofDisposal(disposal)] = .some(sum.flatMap { sum in disposal.gain.map { sum + $0 } })
        }
        var unrealized: [String: Amount?] = [:]
        for lot in report.lots {
            let price = loaded.prices.price(of: lot.holding.asset, in: report.base, at: loaded.moment)
            let gain = price.map { lot.holding.amount * $0.price - lot.costBasis }
            let sum = unrealized[ofLot(lot)] ?? .zero
            unrealized[ofLot(lot)] = .some(sum.flatMap { sum in gain.map { sum + $0 } })
        }
        line.list(name, Set(realized.keys).union(unrealized.keys).sorted()) { key, line in
            line.text(member, key)
            line.amount("realized", realized[key] ?? .zero)
            line.amount("unrealized", unrealized[key] ?? .zero)
        }
    }

    private func row(_ entry: Int) -> Transaction { report.ledger.transactions[entry] }
}

/// An assumed cost as JSON.
public enum AssumedJSON {
    /// Writes the members of an object.
    public static func write(_ entry: AssumedEntry, _ report: LotReport, to line: inout JSONWriter) {
        let row = report.ledger.transactions[entry.entry]
        line.text("time", row.time.plain)
        line.text("kind", row.kind.rawValue)
        line.text("wallet", row.wallet)
        line.holding(entry.subject)
        line.amount("cost_basis", entry.costBasis)
        line.text("assumed", entry.reason.rawValue)
    }
}

import Instruments
import Portfolio
package import Shapes

/// Everything that a ledger comes to; what nobody knows is null.
package struct ReportBody: WireBody {
    package static let shape = BodyShape<ReportBody>(
        "PortfolioReport", "Money is in the base currency; null is what cannot be known."
    ) {
        Field("base", \.report.base.rawValue, "The currency of costs, gains and values.", example: "USD")
        Field("method", \.current.method.rawValue, "Which lots a disposal takes now.", as: .lotMethod)
        Field("scope", \.current.scope.rawValue, "Which lots it may take now.", as: .lotScope)
        Field(
            "long_term_days", \.report.longTerm.description,
            "Days after which something was held long, or \"never\".", example: "365")
        Field("as_of", \.loaded.moment.plain, "The moment of the valuation.", as: .time, example: Self.now)
        Field("disposals", { body in body.report.disposals.map { DisposalBody($0, in: body.report) } })
        Field("removals", { body in body.report.removals.map { RemovalBody($0, in: body.report) } })
        Field("lots", { body in body.report.lots.map { OpenLotBody($0, of: body.loaded) } }, "Open ones.")
        Field("income", { body in body.report.income.map { IncomeBody($0, in: body.report) } })
        Field("fees", { body in body.report.fees.map { FeeBody($0, in: body.report) } })
        Field("balances", \.report.balances)
        Field("valuation", { body in body.valuation.positions.map { PositionBody($0, of: body.loaded) } })
        Field("totals", { ReportTotals(report: $0.report, valuation: $0.valuation) })
        Field("profit_by_asset", \.profitByAsset, "In the order of their names.")
        Field("profit_by_wallet", \.profitByWallet, "In the order of their names.")
        Field("performance", { PerformanceBody(of: $0.loaded) })
        Field("assumed_basis", { body in body.report.assumed.map { AssumedBasisBody($0, in: body.report) } })
        Field("missing_prices", \.missingPrices, "Each asset and time once.")
        Field("stale_prices", { body in body.report.stalePrices.map { StalePriceBody($0, in: body.report) } })
        Field("warnings", { $0.loaded.warnings.map { WarningBody(time: $0.time.plain, text: $0.text) } })
    }

    private static let now: DocumentNode = "2026-11-21T12:00:00Z"

    private let loaded: LoadedLedger
    private let valuation: Valuation
    private var report: LotReport { loaded.report }

    /// Takes what was read.
    package init(of loaded: LoadedLedger) { (self.loaded, valuation) = (loaded, loaded.valuation) }

    private var current: LotPolicy.Change {
        loaded.policy.changes.last { $0.from <= loaded.moment } ?? loaded.policy.changes[0]
    }

    private var missingPrices: [MissingPrice] {
        var seen: Set<MissingPrice> = []
        return report.missingPrices.filter { seen.insert($0).inserted }
    }

    private var profitByAsset: [ProfitByAsset] {
        profits(\.subject.asset.rawValue, \.holding.asset.rawValue).map(ProfitByAsset.init)
    }

    private var profitByWallet: [ProfitByWallet] {
        profits(\.wallet, \.wallet).map(ProfitByWallet.init)
    }

    /// Gains by what disposals and open lots are grouped by; nil where one of them is not known.
    private func profits(
        _ ofDisposal: (Disposal) -> String, _ ofLot: (OpenLot) -> String
    ) -> [(name: String, profit: Profit)] {
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
        return Set(realized.keys).union(unrealized.keys).sorted().map { name in
            (name, Profit(realized: realized[name] ?? .zero, unrealized: unrealized[name] ?? .zero))
        }
    }
}

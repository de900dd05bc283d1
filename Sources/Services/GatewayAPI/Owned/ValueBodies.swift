import Instruments
import LedgerFiles
import Portfolio
import Shapes

/// What is held, by daily closes.
struct HoldingsBody: WireBody {
    static let shape = BodyShape<HoldingsBody>("Holdings", "Money is in the base currency.") {
        Field("base", \.loaded.report.base.rawValue, "The currency of all values.", example: "USD")
        Field("time", \.valuation.time.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field("items", { body in body.valuation.positions.map { PositionBody($0, of: body.loaded) } })
        Field(
            "assumed", \.assumed, "Assets of which a part has a cost that its owner never stated.",
            example: [])
        Field("total", \.valuation.total, "Of all; null while a price is missing.", example: "15250")
        Field(
            "unrealized", \.valuation.unrealized,
            "value_of_coins less cost_of_coins; null while a price is missing.", example: "250")
        Field(all: { ValuationParts($0.valuation) })
        Field("balances", \.loaded.report.balances)
    }

    private let loaded: LoadedLedger
    private let valuation: Valuation

    init(of loaded: LoadedLedger) { (self.loaded, valuation) = (loaded, loaded.valuation) }

    private var assumed: [String] {
        Set(loaded.report.lots.filter { $0.assumed != nil }.map(\.holding.asset.rawValue)).sorted()
    }
}

/// Open lots, and how they are taken.
struct LotsBody: WireBody {
    static let shape = BodyShape<LotsBody>("Lots") {
        Field("base", \.loaded.report.base.rawValue, "The currency of costs and gains.", example: "USD")
        Field("items", { body in body.loaded.report.lots.map { OpenLotBody($0, of: body.loaded) } })
        Field("settings", \.loaded.policy.changes, "How lots are taken, the earliest first.")
    }

    var loaded: LoadedLedger
}

/// How the value of what is held is spread.
///
/// A share of a whole that is not known would be a guess: then there is none, and what lacks is named.
struct AllocationBody: WireBody {
    static let shape = BodyShape<AllocationBody>("Allocation") {
        Field("by", \.key.rawValue, as: .words(AllocationKey.allCases.map(\.rawValue)))
        Field(
            "items", { $0.loaded.allocation(by: $0.key) },
            "The largest first; none while a price is missing.")
        Field(
            "missing_prices", { $0.loaded.valuation.missingPrices.map(\.rawValue) },
            "Assets that are held and have no price.", example: [])
    }

    var loaded: LoadedLedger
    var key: AllocationKey
}

/// The days of a range.
struct PortfolioHistoryBody: WireBody {
    static let shape = BodyShape<PortfolioHistoryBody>("PortfolioHistory") {
        Field("base", \.base.rawValue, "The currency of all values.", example: "USD")
        Field("items", { $0.range.part(of: $0.history.days) }, "The earliest first.")
        Field(
            "missing_prices", { $0.history.missingPrices.map(\.rawValue) },
            "Assets without a price on some day since the beginning.", example: [])
        Field(
            "stale_prices", { $0.history.stalePrices.map(\.rawValue) },
            "Assets that counted by an old price on some day since the beginning.", example: [])
    }

    private let base: Asset
    private let history: DailyHistory
    private let range: HistoryRange

    init(of loaded: LoadedLedger, _ range: HistoryRange) {
        (base, history, self.range) = (loaded.report.base, loaded.history, range)
    }
}

/// How a portfolio did over a range of days.
struct PortfolioPerformanceBody: WireBody {
    static let shape = BodyShape<PortfolioPerformanceBody>("PortfolioPerformance") {
        Field("base", \.loaded.report.base.rawValue, "The currency of all values.", example: "USD")
        Field(all: { RangeChange($0.loaded.history.days, $0.loaded.range) })
        Field("performance", { PerformanceBody(of: $0.loaded) })
    }

    var loaded: LoadedLedger
}

/// What a portfolio comes to, in sentences.
struct PortfolioExplanationBody: WireBody {
    static let shape = BodyShape<PortfolioExplanationBody>("PortfolioExplanation") {
        Field(
            "lines", \.lines, "Of the last 1000 disposals, then of what is held.",
            example: ["BTC: 0.25 at 61000"])
    }

    private let lines: [String]

    /// - Parameters:
    ///   - loaded: The portfolio.
    ///   - asset: Only what is of this one; `nil` for all.
    init(of loaded: LoadedLedger, _ asset: String?) {
        let (report, valuation) = (loaded.report, loaded.valuation)
        let disposals = report.disposals.filter { disposal in
            asset.map { disposal.subject.asset.rawValue == $0 } ?? true
        }
        let positions = valuation.positions.filter { position in
            asset.map { position.holding.asset.rawValue == $0 } ?? true
        }
        lines =
            disposals.suffix(1_000).flatMap { FigureExplanation.lines($0, in: report) }
            + positions.flatMap { FigureExplanation.lines($0, of: valuation) }
    }
}

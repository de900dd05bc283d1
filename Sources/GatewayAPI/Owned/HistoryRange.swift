import Instruments
import JSONLines
import LedgerFiles
import Portfolio

/// How far back somebody looks.
enum HistoryRange: String, CaseIterable {
    case day = "1D"
    case week = "1W"
    case month = "1M"
    case quarter = "3M"
    case half = "6M"
    case year = "1Y"
    case all = "ALL"

    /// So many days; `nil` for all.
    private var days: Int? {
        switch self {
        case .day: 1
        case .week: 7
        case .month: 30
        case .quarter: 91
        case .half: 182
        case .year: 365
        case .all: nil
        }
    }

    /// The last of some days.
    func part(of days: [DailyHistory.Day]) -> [DailyHistory.Day] {
        self.days.map { Array(days.suffix($0)) } ?? days
    }
}

/// What changed over a range of days, without what was put in and taken out.
struct RangeChange {
    private let range: HistoryRange
    private let part: [DailyHistory.Day]
    private let start: Amount?

    init(_ days: [DailyHistory.Day], _ range: HistoryRange) {
        self.range = range
        part = range.part(of: days)
        let before = days.count - part.count
        // Before the first day there was nothing.
        start = before > 0 ? days[before - 1].value : .zero
    }

    func write(to line: inout JSONLine) {
        let inflow = part.reduce(Amount.zero) { $0 + $1.inflow }
        let outflow = part.reduce(Amount.zero) { $0 + $1.outflow }
        var profit: Amount?
        if let start, let end = part.last?.value { profit = end - start - inflow + outflow }
        line.text("range", range.rawValue)
        line.pair("from", part.first.map(PlanJSON.date))
        line.pair("to", part.last.map(PlanJSON.date))
        line.amount("start_value", start)
        line.amount("end_value", part.last?.value)
        line.amount("inflow", inflow)
        line.amount("outflow", outflow)
        line.amount("profit", profit)
    }
}

/// What an allocation is by.
enum AllocationKey: String, CaseIterable {
    case asset, wallet, category

    /// The parts; categories are currency and coin.
    func shares(_ valuation: Valuation, _ balances: [Balance]) -> [AllocationShare] {
        switch self {
        case .asset: Allocation.byAsset(valuation)
        case .wallet: Allocation.byWallet(balances, valuation)
        case .category:
            Allocation.byCategory(balances, valuation) { $0.isCurrency ? "currency" : "coin" }
        }
    }
}

/// The columns of a report on gains.
enum GainForm: String, CaseIterable {
    /// Those of Form 8949.
    case form8949 = "8949"
    /// Everything, in ISO 8601 and full precision.
    case generic
}

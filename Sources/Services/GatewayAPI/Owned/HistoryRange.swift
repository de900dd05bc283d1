import Instruments
import JSON
import LedgerFiles
import Portfolio

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

    func write(to line: inout JSONWriter) {
        let inflow = part.reduce(Amount.zero) { $0 + $1.inflow }
        let outflow = part.reduce(Amount.zero) { $0 + $1.outflow }
        let isKnown = part.allSatisfy(\.hasKnownFlows)
        var profit: Amount?
        if isKnown, let start, let end = part.last?.value { profit = end - start - inflow + outflow }
        line.text("range", range.rawValue)
        line.pair("from", part.first.map(PlanJSON.date))
        line.pair("to", part.last.map(PlanJSON.date))
        line.amount("start_value", start)
        line.amount("end_value", part.last?.value)
        line.amount("inflow", isKnown ? inflow : nil)
        line.amount("outflow", isKnown ? outflow : nil)
        line.amount("profit", profit)
    }
}

/// The columns of a report on gains.
enum GainForm: String, CaseIterable {
    /// Those of Form 8949.
    case form8949 = "8949"
    /// Everything, in ISO 8601 and full precision.
    case generic
}

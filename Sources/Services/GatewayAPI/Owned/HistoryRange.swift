import Instruments
import LedgerFiles
import Portfolio
import Shapes

/// What changed over a range of days, without what was put in and taken out.
struct RangeChange: WireBody {
    static let shape = BodyShape<RangeChange>("RangeChange") {
        Field("range", \.range.rawValue, as: .words(HistoryRange.allCases.map(\.rawValue)))
        Field("from", \.part.first?.date, as: date, example: "2026-10-22")
        Field("to", \.part.last?.date, as: date, example: "2026-11-20")
        Field("start_value", \.start, "In the base currency, as all of these.", example: "15000")
        Field("end_value", { $0.part.last?.value }, example: "15250")
        Field("inflow", \.inflow, "What was put in; null where a price is missing.", example: "0")
        Field("outflow", \.outflow, "What was taken out; null where a price is missing.", example: "0")
        Field("profit", \.profit, "Without what was put in and taken out.", example: "250")
    }

    private static let date = Schema.nullable(.text("date"))

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

    private var isKnown: Bool { part.allSatisfy(\.hasKnownFlows) }

    private var inflow: Amount? { isKnown ? part.reduce(.zero) { $0 + $1.inflow } : nil }

    private var outflow: Amount? { isKnown ? part.reduce(.zero) { $0 + $1.outflow } : nil }

    private var profit: Amount? {
        guard let inflow, let outflow, let start, let end = part.last?.value else { return nil }
        return end - start - inflow + outflow
    }
}

package import Portfolio

/// How far back somebody looks; a month has 30 days.
package enum HistoryRange: String, Sendable, CaseIterable {
    /// The last day, today.
    case day = "1D"
    /// 7 days.
    case week = "1W"
    /// 30 days.
    case month = "1M"
    /// 91 days.
    case quarter = "3M"
    /// 182 days.
    case half = "6M"
    /// 365 days.
    case year = "1Y"
    /// Since the first transaction.
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
    package func part(of days: [DailyHistory.Day]) -> [DailyHistory.Day] {
        self.days.map { Array(days.suffix($0)) } ?? days
    }

    /// The last days of a history, with what was there before them.
    package func part(of history: DailyHistory) -> DailyHistory { days.map(history.last) ?? history }
}

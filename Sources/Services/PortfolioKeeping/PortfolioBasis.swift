import Instruments
import Portfolio

/// What a portfolio's value is compared with for its profit and its change of the day.
struct PortfolioBasis: Hashable, Sendable {
    /// The UTC day that it was computed for, counted from 1970-01-01.
    var day: Int64
    /// All that came in less all that went out; `nil` when the worth of some of it is not known.
    var contributed: Amount?
    /// The value at the day's start, and what came in less what went out since; `nil` when it is not known.
    var dayStart: Amount?

    /// The day that contains an instant.
    static func day(of time: Timestamp) -> Int64 { time.nanoseconds / 86_400_000_000_000 }

    /// Takes a history that ends at an instant.
    init(_ history: DailyHistory, at now: Timestamp) {
        day = PortfolioBasis.day(of: now)
        var sum = Amount.zero
        for entry in history.days { sum += entry.inflow - entry.outflow }
        // A live value counts money that was never put in as owed, the history as put in.
        guard !history.hasUnknownFlows, let owed = history.owed else { return }
        contributed = sum - owed
        // Nothing is there before the first row.
        guard let today = history.days.last, today.end > now else { return }
        let before = history.days.count > 1 ? history.days[history.days.count - 2].value : .zero
        dayStart = before.map { $0 + today.inflow - today.outflow - owed }
    }
}

package import Instruments
package import Statistics

/// What a ledger was worth at the end of each UTC day, and what came into it and went out of it.
package struct DailyHistory: Sendable {
    /// One day.
    package struct Day: Sendable {
        /// Its end, the first instant of the next day.
        package var end: Timestamp
        /// At its end; `nil` when a price was missing.
        package var value: Amount?
        /// What came in: deposits, gifts, openings, and what had to be there to pay for purchases.
        package var inflow = Amount.zero
        /// What went out: withdrawals, gifts, what was spent, and money that was put in to pay and came back.
        package var outflow = Amount.zero
        /// Whether all that came in and went out had a price; where not, both are only what is known.
        package var hasKnownFlows = true
        /// What had no price that day, so that the value or a flow is not known; by name.
        package var missingPrices: [Asset] = []
        /// What counts by its last known price, which was older than ``Valuation/staleAfter``; by name.
        package var stalePrices: [Asset] = []

        /// Describes a day without flows.
        package init(end: Timestamp, value: Amount? = nil) {
            self.end = end
            self.value = value
        }
    }

    /// From the day of the first row to the day that contains the end.
    package let days: [Day]
    /// Assets that had no price on a day when they were held.
    package let missingPrices: [Asset]
    /// Assets that were valued on a day by a price older than ``Valuation/staleAfter``.
    package let stalePrices: [Asset]
    /// Whether something came in or went out that had no price then and no stated value.
    package var hasUnknownFlows: Bool { days.contains { !$0.hasKnownFlows } }
    /// Part of the inflow that no row states: money that a purchase took below zero, and that no later
    /// deposit brought.
    package let impliedContributions: Amount
    /// What was there before; counted as put in on a day of its own where it is not zero.
    package let startValue: Amount?
    /// What was put in, each part of it once: money that came back and was put in again is no second part.
    package let capital: Amount
    /// Money that is below zero at the end, at the prices of then; `nil` when one of them is not known.
    package let owed: Amount?

    /// Nanoseconds.
    static let day: Int64 = 86_400_000_000_000

    /// Replays a ledger day by day.
    ///
    /// Flows count at the prices known when they happened. A purchase with money that the ledger does not
    /// have is taken for money put in at that moment, since a loan without interest is less likely. A deposit
    /// that follows is that money, booked late; what a sale or anything else brings instead has gone back.
    /// So nobody holds more money than the ledger says.
    ///
    /// - Parameters:
    ///   - ledger: What happened.
    ///   - base: The currency of all values.
    ///   - prices: What was known when.
    ///   - end: The last instant that counts.
    ///   - goesOn: Is asked once a day; after a `false` the days end there.
    package init(
        _ ledger: Ledger, base: Asset, prices: PriceHistory, until end: Timestamp,
        while goesOn: () -> Bool = { true }
    ) {
        var walk = DailyHistoryBuilder(ledger, base: base, prices: prices)
        var days: [Day] = []
        if let first = ledger.transactions.first, first.time <= end {
            // A day that ends beyond the range of time is not counted.
            var start = DailyHistory.startOfDay(first.time)
            while start <= end, start.rawValue <= .max - DailyHistory.day, goesOn() {
                let next = start.adding(nanoseconds: DailyHistory.day)
                days.append(walk.day(endingAt: next, until: end))
                start = next
            }
        }
        self.days = days
        missingPrices = walk.missing.sorted { $0.rawValue < $1.rawValue }
        stalePrices = walk.stale.sorted { $0.rawValue < $1.rawValue }
        startValue = .zero
        impliedContributions = walk.implied
        capital = days.reduce(-walk.recycled) { $0 + $1.inflow }
        owed = walk.owed(at: end)
    }

    /// The last days, after one that puts in what was there before them; all of it where there are no more.
    package func last(_ count: Int) -> DailyHistory { DailyHistory(lastOf: self, count) }

    private init(lastOf all: DailyHistory, _ count: Int) {
        let part = all.days.suffix(count)
        let before = all.days.count > part.count ? all.days[all.days.count - part.count - 1] : nil
        var start = before
        start?.inflow = before?.value ?? .zero
        start?.outflow = .zero
        start?.hasKnownFlows = before?.value != nil
        let days = (start.map { [$0] } ?? []) + part
        self.days = days
        startValue = before == nil ? .zero : before?.value
        capital = before == nil ? all.capital : days.reduce(.zero) { $0 + $1.inflow }
        (missingPrices, stalePrices) = (all.missingPrices, all.stalePrices)
        (impliedContributions, owed) = (all.impliedContributions, all.owed)
    }

    private static func startOfDay(_ time: Timestamp) -> Timestamp {
        let rest = time.rawValue % day
        return time.adding(nanoseconds: rest < 0 ? -rest - day : -rest)
    }

    /// The same as numbers, for statistics; `nil` of none, and while a value or a flow is not known.
    package var series: ValueSeries? {
        var result: [ValueSeries.Day] = []
        for day in days {
            guard let value = day.value, day.hasKnownFlows else { return nil }
            result.append(
                .init(value: .init(value), inflow: .init(day.inflow), outflow: .init(day.outflow)))
        }
        return result.isEmpty ? nil : ValueSeries(result)
    }
}

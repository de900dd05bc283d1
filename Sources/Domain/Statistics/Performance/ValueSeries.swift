import Glibc

/// What something was worth at the end of each day, and what came in and went out.
///
/// Money comes in before the day begins and goes out after it has ended, so that a day's return is
/// (value + out) / (value before + in) - 1. Days follow one another without a gap.
/// Source: Portfolio Performance's manual, "True time-weighted rate of return", 2024, which states the same
/// convention.
public struct ValueSeries: Sendable {
    /// One day.
    public struct Day: Sendable {
        /// At its end.
        public var value: Double
        /// What came in, 0 or more.
        public var inflow: Double
        /// What went out, 0 or more.
        public var outflow: Double

        public init(value: Double, inflow: Double = 0, outflow: Double = 0) {
            self.value = value
            self.inflow = inflow
            self.outflow = outflow
        }
    }

    /// The days in order.
    public var days: [Day]

    /// Takes days in order.
    public init(_ days: [Day]) { self.days = days }

    /// The return of each day as a ratio, -1 or more; 0 where nothing was there to earn it.
    ///
    /// The first day counts from what came in on it.
    public var returns: [Double] {
        var before = 0.0
        return days.map { day in
            defer { before = day.value }
            let invested = before + day.inflow
            return invested == 0 ? 0 : (day.value + day.outflow) / invested - 1
        }
    }

    /// Time-weighted return: the product of the days' growth, less one.
    ///
    /// Flows do not matter to it.
    public var timeWeightedReturn: Double { Returns.cumulative(returns) }

    /// Profit over what was put in: (value + out - in) / in; `nil` when nothing was put in.
    public var simpleReturn: Double? {
        let put = days.reduce(0) { $0 + $1.inflow }
        guard put > 0, let last = days.last else { return nil }
        let taken = days.reduce(0) { $0 + $1.outflow }
        return (last.value + taken - put) / put
    }

    /// Money-weighted return of a year; `nil` as ``MoneyWeightedReturn/yearly(_:)`` says.
    public var moneyWeightedReturn: Double? {
        var flows: [MoneyWeightedReturn.Flow] = []
        for (index, day) in days.enumerated() where day.inflow != 0 || day.outflow != 0 {
            flows.append(.init(day: Double(index), amount: day.outflow - day.inflow))
        }
        guard let last = days.last else { return nil }
        flows.append(.init(day: Double(days.count - 1), amount: last.value))
        return MoneyWeightedReturn.yearly(flows)
    }
}

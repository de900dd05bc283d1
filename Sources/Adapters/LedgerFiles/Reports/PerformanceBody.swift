import Instruments
package import Portfolio
package import Shapes
import Statistics

/// How a ledger did; what cannot be known is null.
package struct PerformanceBody: WireBody {
    package static let shape = BodyShape<PerformanceBody>(
        "Performance",
        "Over a range of days; money is in the base currency, returns and risks are parts of one: \"0.125\" "
            + "is 12.5 %. Null is what cannot be known."
    ) {
        Field(all: \.flows)
        Field(all: \.returns)
        Field(all: \.risk)
        Field(ifPresent: "benchmark", \.benchmark, "The same days of what it is compared with.")
        Field("days", \.days, "Days of the range, as far as there are any.", example: 30)
        Field(
            "missing_prices", { $0.history.missingPrices.map(\.rawValue) }, "Assets without a price.",
            example: [])
        Field(
            "stale_prices", { $0.history.stalePrices.map(\.rawValue) },
            "Assets that counted by an old price on some day.", example: [])
        Field(
            "stale_days", { $0.history.days.count { !$0.stalePrices.isEmpty } },
            "Days whose value is by the last known prices, not by those of the day.", example: 0)
    }

    private let history: DailyHistory
    private let flows: PerformanceFlows
    private let returns: PerformanceReturns
    private let risk: PerformanceRisk
    private let benchmark: BenchmarkBody?

    /// Takes what was read.
    package init(of loaded: LoadedLedger) {
        history = loaded.range.part(of: loaded.history)
        let figures = history.series.map { PerformanceFigures($0) }
        flows = PerformanceFlows(loaded: loaded, history: history)
        returns = PerformanceReturns(flows: flows, figures: figures)
        risk = PerformanceRisk(figures: figures)
        let base = loaded.report.base
        benchmark = loaded.benchmark.map { [history] benchmark in
            BenchmarkBody(
                benchmark: benchmark, both: BenchmarkComparison(history, with: benchmark, in: base))
        }
    }

    /// A range of days that has something before it counts the day before, too.
    private var days: Int { history.days.count - (flows.hasStart ? 1 : 0) }
}

/// What came in and went out, and what is there.
private struct PerformanceFlows: WireBody {
    static let shape = BodyShape<PerformanceFlows>("PerformanceFlows") {
        Field(
            "range", \.loaded.range.rawValue, as: .words(HistoryRange.allCases.map(\.rawValue)),
            example: "1M")
        Field(
            "from", \.from, "The end of the day before the range, or the first transaction.",
            as: .nullable(.time), example: "2026-10-22T00:00:00Z")
        Field("to", \.loaded.moment.plain, as: .time, example: "2026-11-21T12:00:00Z")
        Field("start_value", \.history.startValue, "What was there before.", example: "15000")
        Field("value", \.history.days.last?.value, "What is there at the end.", example: "15250")
        Field("contributions", \.contributions, "What came in during the range.", example: "0")
        Field(
            ifPresent: "implied_contributions", \.impliedContributions,
            "The part of them that no transaction states: money that purchases took below zero. Only where "
                + "nothing was there before.")
        Field("withdrawals", { $0.isKnown ? $0.outflow : nil }, "What left during the range.", example: "0")
        Field("profit", \.profit, "Value and withdrawals less what was there and came in.", example: "250")
    }

    let loaded: LoadedLedger
    let history: DailyHistory
    let inflow: Amount
    let outflow: Amount

    init(loaded: LoadedLedger, history: DailyHistory) {
        (self.loaded, self.history) = (loaded, history)
        inflow = history.days.reduce(.zero) { $0 + $1.inflow }
        outflow = history.days.reduce(.zero) { $0 + $1.outflow }
    }

    var hasStart: Bool { history.startValue != .zero }
    private var isKnown: Bool { !history.hasUnknownFlows }

    private var from: String? {
        hasStart ? history.days.first?.end.plain : loaded.report.rows.first?.time.plain
    }

    private var contributions: Amount? { isKnown ? history.startValue.map { inflow - $0 } : nil }

    private var impliedContributions: Amount?? {
        hasStart ? nil : .some(isKnown ? history.impliedContributions : nil)
    }

    private var profit: Amount? {
        isKnown ? history.days.last?.value.map { $0 + outflow - inflow } : nil
    }

    /// Needs the last value only, so it exists where a day in between has no price.
    var simpleReturn: Double? {
        guard let value = history.days.last?.value, history.capital.isPositive, !history.hasUnknownFlows
        else { return nil }
        return (value + outflow - inflow).divided(by: history.capital, places: 18).map { Double($0) }
    }

    var dayChange: Amount? {
        guard let last = history.days.last, let value = last.value, last.hasKnownFlows else { return nil }
        guard history.days.count > 1 else { return value + last.outflow - last.inflow }
        return history.days[history.days.count - 2].value.map { value + last.outflow - last.inflow - $0 }
    }
}

private struct PerformanceReturns: WireBody {
    static let shape = BodyShape<PerformanceReturns>("PerformanceReturns") {
        Field(
            "simple_return", { Amount(ratio: $0.flows.simpleReturn) }, "Profit over what was put in.",
            example: "0.016666666666666667")
        Field("twr", { Amount(ratio: $0.figures?.timeWeightedReturn) }, "Time-weighted.", example: "0.016")
        Field(
            "twr_annualized", { Amount(ratio: $0.figures?.yearlyTimeWeightedReturn) },
            "The same for a year at that pace; null for less than a year.")
        Field(
            "xirr", { Amount(ratio: $0.flows.history.moneyWeightedReturn) }, "Money-weighted, of a year.",
            example: "0.22")
        Field("day_change", \.flows.dayChange, "What the last day earned.", example: "50")
        Field("day_return", { Amount(ratio: $0.figures?.lastDay) }, "Of the last day.", example: "0.0033")
    }

    var flows: PerformanceFlows
    var figures: PerformanceFigures?
}

private struct PerformanceRisk: WireBody {
    static let shape = BodyShape<PerformanceRisk>("PerformanceRisk") {
        Field(
            "max_drawdown", { Amount(ratio: $0.figures?.maximumDrawdown) }, "The deepest fall, 0 or less.",
            example: "-0.02")
        Field("risk_days", { $0.figures?.days ?? 0 }, "Days with a return.", example: 29)
        Field(
            "volatility", { Amount(ratio: $0.figures?.volatility) }, "Deviation of daily returns, of a year.",
            example: "0.35")
        Field(
            "volatility_range", { Amount(ratio: $0.figures?.rangeVolatility) },
            "Deviation of logarithmic returns, of the range.", example: "0.1")
        Field(
            "sharpe", { Amount(ratio: $0.figures?.sharpe) }, "Mean return over volatility, of a year.",
            example: "0.6")
        Field(
            "sortino", { Amount(ratio: $0.figures?.sortino) },
            "Mean return over downside deviation, of a year.", example: "0.9")
        Field(
            "calmar", { Amount(ratio: $0.figures?.calmar) }, "Return of a year over the deepest fall.",
            example: "11")
        Field(
            "var_historical_95", { Amount(ratio: $0.figures?.historicalValueAtRisk) },
            "The daily return that one day in twenty falls short of, as it happened.", example: "-0.015")
        Field(
            "var_parametric_95", { Amount(ratio: $0.figures?.parametricValueAtRisk) },
            "The same for a normal distribution.", example: "-0.017")
    }

    var figures: PerformanceFigures?
}

/// The same days of a benchmark's price beside ours.
private struct BenchmarkBody: WireBody {
    static let shape = BodyShape<BenchmarkBody>(
        "Benchmark", "An asset or an instrument by its daily closes, beside the portfolio."
    ) {
        Field(ifPresent: "instrument", { $0.benchmark.isInstrument ? $0.benchmark.name : nil })
        Field(
            ifPresent: "asset", { $0.benchmark.isInstrument ? nil : $0.benchmark.name },
            "In place of \"instrument\".", example: "BTC")
        Field(
            "from", \.both.start?.plain, "The end of the day that returns count from.", as: .nullable(.time),
            example: "2026-10-22T00:00:00Z")
        Field("days", \.both.days, "Days with a return of both.", example: 30)
        Field("stale_days", \.both.staleDays, "Days whose price of it was older than four days.", example: 0)
        Field("return", { Amount(ratio: $0.both.theirReturn) }, "Of the benchmark.", example: "0.01")
        Field(
            "excess_return", { Amount(ratio: $0.both.excessReturn) },
            "The portfolio's time-weighted return of the same days less the benchmark's.", example: "0.006")
        Field(
            "beta", { Amount(ratio: $0.both.beta) }, "How much the portfolio moves with it.", example: "0.8")
        Field(
            "correlation", { Amount(ratio: $0.both.correlation) }, "How much both move together, -1 to 1.",
            example: "0.9")
    }

    var benchmark: Benchmark
    var both: BenchmarkComparison
}

extension DailyHistory {
    /// The money-weighted return of a year; `nil` while the last value or a flow is not known.
    ///
    /// Days in between need no value. There may be none, as `MoneyWeightedReturn/yearly(_:)` says.
    package var moneyWeightedReturn: Double? {
        guard let value = days.last?.value, !hasUnknownFlows else { return nil }
        var flows: [MoneyWeightedReturn.Flow] = []
        for (index, day) in days.enumerated() where !(day.outflow - day.inflow).isZero {
            flows.append(.init(day: Double(index), amount: Double(day.outflow - day.inflow)))
        }
        flows.append(.init(day: Double(days.count - 1), amount: Double(value)))
        return MoneyWeightedReturn.yearly(flows)
    }
}

import Instruments
public import JSON
public import Portfolio
import Statistics

/// How a ledger did, as JSON: ratios are strings such as `"0.125"`, and null where they cannot be known.
public struct PerformanceJSON {
    private let loaded: LoadedLedger

    /// Takes what was read.
    public init(loaded: LoadedLedger) { self.loaded = loaded }

    /// Writes the member `performance`.
    public func write(to line: inout JSONWriter) {
        let history = loaded.range.part(of: loaded.history)
        let hasStart = history.startValue != .zero
        let series = history.series
        let figures = series.map { PerformanceFigures($0) }
        let inflow = history.days.reduce(Amount.zero) { $0 + $1.inflow }
        let outflow = history.days.reduce(Amount.zero) { $0 + $1.outflow }
        line.key("performance")
        line.beginObject()
        line.text("range", loaded.range.rawValue)
        line.key("from")
        line.string(
            hasStart ? history.days.first?.end.plain : loaded.report.ledger.transactions.first?.time.plain)
        line.text("to", loaded.moment.plain)
        line.amount("start_value", history.startValue)
        line.amount("value", history.days.last?.value)
        let isKnown = !history.hasUnknownFlows
        line.amount("contributions", isKnown ? history.startValue.map { inflow - $0 } : nil)
        if !hasStart {
            line.amount("implied_contributions", isKnown ? history.impliedContributions : nil)
        }
        line.amount("withdrawals", isKnown ? outflow : nil)
        line.amount("profit", isKnown ? history.days.last?.value.map { $0 + outflow - inflow } : nil)
        line.ratio("simple_return", simpleReturn(history, inflow, outflow))
        line.ratio("twr", figures?.timeWeightedReturn)
        line.ratio("twr_annualized", figures?.yearlyTimeWeightedReturn)
        line.ratio("xirr", history.moneyWeightedReturn)
        line.amount("day_change", dayChange(history))
        line.ratio("day_return", figures?.lastDay)
        line.ratio("max_drawdown", figures?.maximumDrawdown)
        line.key("risk_days")
        line.integer(figures?.days ?? 0)
        line.ratio("volatility", figures?.volatility)
        line.ratio("volatility_range", figures?.rangeVolatility)
        line.ratio("sharpe", figures?.sharpe)
        line.ratio("sortino", figures?.sortino)
        line.ratio("calmar", figures?.calmar)
        line.ratio("var_historical_95", figures?.historicalValueAtRisk)
        line.ratio("var_parametric_95", figures?.parametricValueAtRisk)
        if let benchmark = loaded.benchmark { write(benchmark, history, to: &line) }
        line.key("days")
        line.integer(history.days.count - (hasStart ? 1 : 0))
        line.key("missing_prices")
        line.beginArray()
        for asset in history.missingPrices { line.string(asset.rawValue) }
        line.endArray()
        line.texts("stale_prices", history.stalePrices.map(\.rawValue))
        // Values that are the last known ones, not those of their day.
        line.key("stale_days")
        line.integer(history.days.count { !$0.stalePrices.isEmpty })
        line.endObject()
    }

    /// The same days of the benchmark's price beside ours.
    private func write(_ benchmark: Benchmark, _ history: DailyHistory, to line: inout JSONWriter) {
        let both = BenchmarkComparison(history, with: benchmark, in: loaded.report.base)
        line.key("benchmark")
        line.beginObject()
        line.text(benchmark.isInstrument ? "instrument" : "asset", benchmark.name)
        line.key("from")
        line.string(both.start?.plain)
        line.key("days")
        line.integer(both.days)
        line.key("stale_days")
        line.integer(both.staleDays)
        line.ratio("return", both.theirReturn)
        line.ratio("excess_return", both.excessReturn)
        line.ratio("beta", both.beta)
        line.ratio("correlation", both.correlation)
        line.endObject()
    }

    /// Needs the last value only, so it exists where a day in between has no price.
    private func simpleReturn(_ history: DailyHistory, _ inflow: Amount, _ outflow: Amount) -> Double? {
        guard let value = history.days.last?.value, history.capital.isPositive, !history.hasUnknownFlows
        else { return nil }
        return (value + outflow - inflow).divided(by: history.capital, places: 18).map { Double($0) }
    }

    private func dayChange(_ history: DailyHistory) -> Amount? {
        guard let last = history.days.last, let value = last.value, last.hasKnownFlows else { return nil }
        guard history.days.count > 1 else { return value + last.outflow - last.inflow }
        return history.days[history.days.count - 2].value.map { value + last.outflow - last.inflow - $0 }
    }
}

extension DailyHistory {
    /// The money-weighted return of a year; `nil` while the last value or a flow is not known.
    ///
    /// Days in between need no value. There may be none, as `MoneyWeightedReturn/yearly(_:)` says.
    public var moneyWeightedReturn: Double? {
        guard let value = days.last?.value, !hasUnknownFlows else { return nil }
        var flows: [MoneyWeightedReturn.Flow] = []
        for (index, day) in days.enumerated() where !(day.outflow - day.inflow).isZero {
            flows.append(.init(day: Double(index), amount: Double(day.outflow - day.inflow)))
        }
        flows.append(.init(day: Double(days.count - 1), amount: Double(value)))
        return MoneyWeightedReturn.yearly(flows)
    }
}

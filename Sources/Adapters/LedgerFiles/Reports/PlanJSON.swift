import Instruments
public import JSON
public import Portfolio

/// What a portfolio could become, and how it is shown to others, as JSON; each writes one object.
public enum PlanJSON {
    /// How far holdings are from their targets, and the trades that restore them.
    public static func write(_ result: Rebalancing, to line: inout JSONWriter) {
        line.beginObject()
        line.list("drifts", result.drifts) { drift, line in
            line.text("asset", drift.asset.rawValue)
            line.amount("share", drift.share)
            line.amount("target", drift.target)
            line.amount("drift", drift.drift)
        }
        line.list("trades", result.trades) { trade, line in
            line.text("side", trade.isBuy ? "buy" : "sell")
            line.text("asset", trade.asset.rawValue)
            line.amount("amount", trade.amount)
            line.amount("value", trade.value)
            line.amount("fee", trade.fee)
        }
        line.endObject()
    }

    /// What transactions would change.
    public static func write(_ result: WhatIf, to line: inout JSONWriter) {
        line.beginObject()
        line.amount("realized", result.realized)
        line.list("disposals", result.newDisposals) { disposal, line in
            line.text("time", disposal.time.plain)
            line.text("wallet", disposal.wallet)
            line.holding(disposal.subject)
            line.amount("proceeds", disposal.proceeds)
            line.amount("cost_basis", disposal.costBasis)
            line.amount("gain", disposal.gain)
        }
        line.list("balances", result.after.balances) { balance, line in
            line.text("wallet", balance.wallet)
            line.holding(balance.holding)
        }
        line.endObject()
    }

    /// What a link shows: ranges in percent, null where one is open.
    public static func write(_ view: SharedView, to line: inout JSONWriter) {
        line.beginObject()
        line.list("allocation", view.parts) { part, line in
            line.text("asset", part.asset.rawValue)
            line.key("share")
            write(part.share, to: &line)
        }
        line.key("return")
        if let gain = view.timeWeightedReturn { write(gain, to: &line) } else { line.null() }
        line.endObject()
    }

    private static func write(_ band: SharedView.Band, to line: inout JSONWriter) {
        line.beginObject()
        line.pair("from", band.from.map { "\($0)" })
        line.pair("to", band.to.map { "\($0)" })
        line.endObject()
    }

    /// Writes the members of a day: what is not known is null, and `missing` names why; what counts by its
    /// last known price, which is an old one, is named by `stale`.
    public static func write(day: DailyHistory.Day, to line: inout JSONWriter) {
        line.text("day", date(day))
        line.amount("value", day.value)
        line.amount("inflow", day.hasKnownFlows ? day.inflow : nil)
        line.amount("outflow", day.hasKnownFlows ? day.outflow : nil)
        line.texts("missing", day.missingPrices.map(\.rawValue))
        line.texts("stale", day.stalePrices.map(\.rawValue))
    }

    /// The day that ends, such as `2024-12-31`.
    public static func date(_ day: DailyHistory.Day) -> String {
        String(day.end.adding(nanoseconds: -1).iso8601(fractionDigits: 0).prefix(10))
    }

    /// Writes the members of a part of an allocation.
    public static func write(share: AllocationShare, to line: inout JSONWriter) {
        line.text("name", share.name)
        line.amount("value", share.value)
        line.amount("share", share.share)
    }
}

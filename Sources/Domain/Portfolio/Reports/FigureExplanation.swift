import Instruments

/// Why a figure is what it is, one step after the other.
package enum FigureExplanation {
    /// How a disposal comes to its gain: each lot, its share of cost and proceeds, its term.
    ///
    /// Money is written as `text` does, which is every digit unless it is said otherwise.
    package static func lines(
        _ disposal: Disposal, in report: LotReport, as text: MoneyText = .exact
    ) -> [String] {
        let base = report.base
        let row = report.ledger.transactions[disposal.entry]
        let about = disposal.kind == .fee ? "fee of a \(row.kind.rawValue)" : disposal.kind.rawValue
        var lines = [
            "\(disposal.time.plain) \(about) of \(disposal.subject.amount) \(disposal.subject.asset) "
                + "from \(disposal.wallet)"
        ]
        if let proceeds = disposal.proceeds {
            lines.append("  brought \(text.money(proceeds)) \(base)" + proceedsReason(disposal, row, report))
        } else {
            lines.append("  no price of \(disposal.subject.asset) in \(base) is known: no gain is computed")
        }
        let shares = report.proceeds(of: disposal)
        for (index, piece) in report.pieces[disposal.pieces].enumerated() {
            let term = piece.isLong(at: disposal.time, by: report.longTerm) ? "long" : "short"
            let days = disposal.time.nanoseconds(since: piece.acquired) / 86_400_000_000_000
            let share = shares.map { ", share of proceeds \(text.money($0[index]))" } ?? ""
            let assumed = piece.assumed.map { ", cost assumed (\($0.rawValue))" } ?? ""
            lines.append(
                "  lot of \(piece.acquired.plain): \(piece.amount) at cost \(text.money(piece.costBasis))"
                    + "\(share), held \(days) days, \(term)\(assumed)")
        }
        for stale in report.stalePrices where stale.entry == disposal.entry {
            let age = disposal.time.nanoseconds(since: stale.priced) / 86_400_000_000_000
            lines.append("  by a price of \(stale.asset) of \(stale.priced.plain), \(age) days old: stale")
        }
        guard let gain = disposal.gain, let proceeds = disposal.proceeds else { return lines }
        let (won, cost) = (text.money(gain), text.money(disposal.costBasis))
        lines.append("  gain \(won) \(text.equals) \(text.money(proceeds)) - \(cost)")
        if let percent = gain.divided(by: disposal.costBasis, places: 8) {
            lines.append(
                "  \((percent * Amount(units: 100)).text(places: 2)) % = gain \(won) / cost \(cost)")
        }
        return lines
    }

    private static func proceedsReason(_ disposal: Disposal, _ row: Transaction, _ report: LotReport)
        -> String
    {
        guard disposal.kind == row.kind, let counter = row.counter, row.kind.isExchange else {
            return ", its fair value"
        }
        let fees = report.fees.filter { $0.entry == disposal.entry && $0.treatment == .proceeds }
        let taken = fees.map { " less fee \($0.paid.amount) \($0.paid.asset)" }.joined()
        return " for \(row.kind == .buy ? row.subject.amount : counter.amount) "
            + "\(row.kind == .buy ? row.subject.asset : counter.asset)\(taken)"
    }

    /// How each percentage of a position comes about.
    ///
    /// Money is written as `text` does, which is every digit unless it is said otherwise.
    package static func lines(
        _ position: Valuation.Position, of valuation: Valuation, as text: MoneyText = .exact
    ) -> [String] {
        let asset = position.holding.asset
        guard let price = position.price, let value = position.value else {
            return ["\(asset): no price in \(valuation.base) is known, so it has no value here"]
        }
        var lines = [
            "\(asset): \(position.holding.amount) × \(text.price(price.price)) \(valuation.base) "
                + "(price of \(price.time.plain)\(position.isStale ? ", stale" : "")) \(text.equals) \(text.money(value))"
        ]
        if let cost = position.costBasis, let gain = position.unrealized,
            let percent = gain.divided(by: cost, places: 8)
        {
            let paid = text.money(cost)
            lines.append(
                "  unrealized \((percent * Amount(units: 100)).text(places: 2)) % = "
                    + "(\(text.money(value)) - \(paid)) / \(paid)")
        }
        if let total = valuation.total, let share = value.divided(by: total, places: 8) {
            lines.append(
                "  \((share * Amount(units: 100)).text(places: 2)) % of the whole = "
                    + "\(text.money(value)) / \(text.money(total))")
        }
        return lines
    }
}

package import Instruments

/// Gains and losses of one calendar year (UTC), one line for each piece of a lot.
package struct GainReport: Sendable {
    /// What was sold out of one lot.
    package struct Line: Sendable {
        package let subject: Holding
        /// From where.
        package let wallet: String
        /// When the lot was acquired.
        package let acquired: Timestamp
        /// When it was disposed of.
        package let disposed: Timestamp
        /// What it brought, less fees; `nil` when no price is known.
        package let proceeds: Amount?
        package let costBasis: Amount
        /// Whether it was held long, see ``LotReport/longTerm``.
        package let isLong: Bool
        /// Why the cost is not what its owner stated; `nil` where it is.
        package let assumed: AssumedBasis?
        /// When the oldest price was noted that proceeds or cost are by, where it was old; else `nil`.
        package let stalePrice: Timestamp?

        /// Proceeds less cost; `nil` when no price is known.
        package var gain: Amount? { proceeds.map { $0 - costBasis } }
    }

    /// Sums of one term.
    package struct Totals: Sendable, Equatable {
        /// What it brought.
        package var proceeds = Amount.zero
        package var costBasis = Amount.zero
        /// Lines whose proceeds nobody knows; they are in neither sum.
        package var unknown = 0
        /// Proceeds less cost.
        package var gain: Amount { proceeds - costBasis }
    }

    /// The calendar year.
    package let year: Int
    /// In order of disposal, then as the method took them.
    package let lines: [Line]

    /// Collects a year of a report.
    package init(_ report: LotReport, year: Int) {
        self.year = year
        let stale = Dictionary(report.stalePrices.map { ($0.entry, $0.priced) }, uniquingKeysWith: min)
        lines = report.disposals.filter { $0.time.civilDay.year == Int64(year) }.flatMap { disposal in
            let proceeds = report.proceeds(of: disposal)
            return report.pieces[disposal.pieces].enumerated().map { index, piece in
                Line(
                    subject: Holding(piece.amount, disposal.subject.asset), wallet: disposal.wallet,
                    acquired: piece.acquired, disposed: disposal.time, proceeds: proceeds?[index],
                    costBasis: piece.costBasis,
                    isLong: piece.isLong(at: disposal.time, by: report.longTerm), assumed: piece.assumed,
                    stalePrice: [stale[disposal.entry], stale[piece.acquiredBy]].compactMap { $0 }.min())
            }
        }
    }

    /// Sums of what was held long, or not.
    package func totals(isLong: Bool) -> Totals {
        lines.filter { $0.isLong == isLong }.reduce(into: Totals()) { totals, line in
            guard let proceeds = line.proceeds else {
                totals.unknown += 1
                return
            }
            totals.proceeds += proceeds
            totals.costBasis += line.costBasis
        }
    }
}

/// An open lot that is worth less than it cost.
///
/// A fact, not advice. ``repurchases`` says which rows acquired the same asset in the window of the wash-sale
/// rule, were the lot sold at the moment: from 30 days before the day of the sale to 30 days after it, 61
/// days in all. The rule speaks of stock and securities.
///
/// Source: 26 U.S.C. 1091(a), "a period beginning 30 days before the date of such sale or disposition and
/// ending 30 days after such date"; IRS Publication 550, "Wash Sales", read 2026-11.
package struct LossCandidate: Sendable {
    /// Days before and after a sale that the rule looks at.
    package static let washSaleDays = 30

    package let lot: OpenLot
    /// What it is worth.
    package let value: Amount
    /// Value less cost, below zero.
    package let unrealized: Amount
    /// Whether it was held long, see ``LotReport/longTerm``.
    package let isLong: Bool
    /// Rows that acquired the asset inside the window, this lot's own left out.
    package let repurchases: [Int]

    /// The days that the rule looks at, in UTC: that of the sale, and as many before and after it.
    ///
    /// From the first instant of the first day to the last one of the last.
    package static func washSaleWindow(around sale: Timestamp) -> ClosedRange<Timestamp> {
        let day: Int64 = 86_400_000_000_000
        let rest = sale.nanoseconds % day
        let start = sale.adding(nanoseconds: rest < 0 ? -rest - day : -rest)
        let span = Int64(washSaleDays) * day
        return start.adding(nanoseconds: -span)...start.adding(nanoseconds: span + day - 1)
    }

    /// The lots with losses at a moment, the largest loss first.
    ///
    /// Assets without a price are left out.
    package static func all(in report: LotReport, prices: PriceHistory, at time: Timestamp) -> [LossCandidate]
    {
        let window = washSaleWindow(around: time)
        var acquisitions: [Asset: [Int]] = [:]
        for (index, row) in report.rows.enumerated() where window.contains(row.time) {
            let asset = row.kind.isReceipt ? row.subject.asset : row.gotten?.asset
            if let asset { acquisitions[asset, default: []].append(index) }
        }
        return report.lots.compactMap { lot -> LossCandidate? in
            guard let price = prices.price(of: lot.holding.asset, in: report.base, at: time) else {
                return nil
            }
            let value = lot.holding.amount * price.price
            guard value < lot.costBasis else { return nil }
            return LossCandidate(
                lot: lot, value: value, unrealized: value - lot.costBasis,
                isLong: report.longTerm.isReached(from: lot.acquired, to: time),
                repurchases: (acquisitions[lot.holding.asset] ?? []).filter { $0 != lot.acquiredBy })
        }.sorted { $0.unrealized < $1.unrealized }
    }
}

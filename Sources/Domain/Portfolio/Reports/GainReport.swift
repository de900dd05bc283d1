public import Instruments

/// Gains and losses of one calendar year (UTC), one line for each piece of a lot.
public struct GainReport: Sendable {
    /// What was sold out of one lot.
    public struct Line: Sendable {
        /// What and how much.
        public let subject: Holding
        /// From where.
        public let wallet: String
        /// When the lot was acquired.
        public let acquired: Timestamp
        /// When it was disposed of.
        public let disposed: Timestamp
        /// What it brought, less fees; `nil` when no price is known.
        public let proceeds: Amount?
        /// What it cost.
        public let costBasis: Amount
        /// Whether it was held long, see ``LotReport/longTerm``.
        public let isLong: Bool
        /// Why the cost is not what its owner stated; `nil` where it is.
        public let assumed: AssumedBasis?
        /// When the oldest price was noted that proceeds or cost are by, where it was old; else `nil`.
        public let stalePrice: Timestamp?

        /// Proceeds less cost; `nil` when no price is known.
        public var gain: Amount? { proceeds.map { $0 - costBasis } }
    }

    /// Sums of one term.
    public struct Totals: Sendable, Equatable {
        /// What it brought.
        public var proceeds = Amount.zero
        /// What it cost.
        public var costBasis = Amount.zero
        /// Lines whose proceeds nobody knows; they are in neither sum.
        public var unknown = 0
        /// Proceeds less cost.
        public var gain: Amount { proceeds - costBasis }
    }

    /// The calendar year.
    public let year: Int
    /// In order of disposal, then as the method took them.
    public let lines: [Line]

    /// Collects a year of a report.
    public init(_ report: LotReport, year: Int) {
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
    public func totals(isLong: Bool) -> Totals {
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
public struct LossCandidate: Sendable {
    /// Days before and after a sale that the rule looks at.
    public static let washSaleDays = 30

    /// The lot.
    public let lot: OpenLot
    /// What it is worth.
    public let value: Amount
    /// Value less cost, below zero.
    public let unrealized: Amount
    /// Whether it was held long, see ``LotReport/longTerm``.
    public let isLong: Bool
    /// Rows that acquired the asset inside the window, this lot's own left out.
    public let repurchases: [Int]

    /// The days that the rule looks at, in UTC: that of the sale, and as many before and after it.
    ///
    /// From the first instant of the first day to the last one of the last.
    public static func washSaleWindow(around sale: Timestamp) -> ClosedRange<Timestamp> {
        let day: Int64 = 86_400_000_000_000
        let rest = sale.nanoseconds % day
        let start = sale.adding(nanoseconds: rest < 0 ? -rest - day : -rest)
        let span = Int64(washSaleDays) * day
        return start.adding(nanoseconds: -span)...start.adding(nanoseconds: span + day - 1)
    }

    /// The lots with losses at a moment, the largest loss first.
    ///
    /// Assets without a price are left out.
    public static func all(in report: LotReport, prices: PriceBook, at time: Timestamp) -> [LossCandidate] {
        let window = washSaleWindow(around: time)
        var acquisitions: [Asset: [Int]] = [:]
        for (index, row) in report.ledger.transactions.enumerated()
        where window.contains(row.time) {
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

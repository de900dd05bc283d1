public import Instruments
public import Portfolio

/// A ledger that was read, and what it comes to.
public struct LoadedLedger: Sendable {
    /// What was read, with the lines that it came from.
    public var imported: ImportedLedger
    /// What it comes to.
    public var report: LotReport
    /// Which lots were taken.
    public var policy: LotPolicy
    /// What was known of prices.
    public var prices: PriceBook
    /// The last instant that counts, when one was given.
    public var end: Timestamp?
    /// What the performance is compared with.
    public var benchmark: Asset?

    /// Joins what was read with what it comes to.
    public init(
        imported: ImportedLedger, report: LotReport, policy: LotPolicy, prices: PriceBook,
        end: Timestamp? = nil, benchmark: Asset? = nil
    ) {
        self.imported = imported
        self.report = report
        self.policy = policy
        self.prices = prices
        self.end = end
        self.benchmark = benchmark
    }

    /// The moment of the valuation: the end, else the newest row or price, so that a file says the same
    /// tomorrow.
    public var moment: Timestamp {
        end ?? max(report.ledger.transactions.last?.time ?? .zero, prices.lastTime ?? .zero)
    }

    /// What is held at that moment.
    public var valuation: Valuation { Valuation(report, prices: prices, at: moment) }

    /// The end of each day until then.
    public var history: DailyHistory {
        DailyHistory(report.ledger, base: report.base, prices: prices, until: moment)
    }
}

public import Instruments

/// The sum that must come out: realized + unrealized + income - fees + currency effect
/// = value + withdrawals - deposits.
public struct Reconciliation: Sendable {
    /// Gains less losses of disposals.
    public let realized: Amount
    /// Value of the open lots less their cost.
    public let unrealized: Amount
    /// Value of what came in as income.
    public let income: Amount
    /// Fees that are costs of their own.
    public let fees: Amount
    /// What money in other currencies gained by their rates; what is left to explain, so zero where all money
    /// is in the base currency.
    public let currencyEffect: Amount
    /// What everything is worth.
    public let value: Amount
    /// What left.
    public let withdrawals: Amount
    /// What came in.
    public let deposits: Amount

    /// `nil` while a price, a gain or an income is not known: nothing is guessed.
    public init?(_ report: LotReport, _ valuation: Valuation) {
        guard let value = valuation.total, let unrealized = valuation.unrealized,
            let realized = report.realized, let income = report.incomeTotal
        else { return nil }
        self.realized = realized
        self.unrealized = unrealized
        self.income = income
        fees = report.expensedFees
        self.value = value
        withdrawals = report.withdrawals
        deposits = report.deposits
        currencyEffect = value + withdrawals - deposits - (realized + unrealized + income - fees)
    }

    /// Value and withdrawals less deposits.
    public var profit: Amount { value + withdrawals - deposits }
}

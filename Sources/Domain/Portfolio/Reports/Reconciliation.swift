package import Instruments

/// The sum that must come out: realized + unrealized + income - fees + currency effect
/// = value + withdrawals - deposits.
package struct Reconciliation: Sendable {
    /// Gains less losses of disposals.
    package let realized: Amount
    /// Value of the open lots less their cost.
    package let unrealized: Amount
    /// Value of what came in as income.
    package let income: Amount
    /// Fees that are costs of their own.
    package let fees: Amount
    /// What money in other currencies gained by their rates; what is left to explain, so zero where all money
    /// is in the base currency.
    package let currencyEffect: Amount
    /// What everything is worth.
    package let value: Amount
    /// What left.
    package let withdrawals: Amount
    /// What came in.
    package let deposits: Amount

    /// `nil` while a price, a gain or an income is not known: nothing is guessed.
    package init?(_ report: LotReport, _ valuation: Valuation) {
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
    package var profit: Amount { value + withdrawals - deposits }
}

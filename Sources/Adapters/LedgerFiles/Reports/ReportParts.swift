import Instruments
package import Portfolio
package import Shapes

/// Gains of what belongs together.
struct Profit: WireBody {
    static let shape = BodyShape<Profit>("Profit") {
        Field("realized", \.realized, "By disposals; null where a gain is not known.", example: "100")
        Field("unrealized", \.unrealized, "Of open lots; null where a price is missing.", example: "250")
    }

    var realized: Amount?
    var unrealized: Amount?
}

struct ProfitByAsset: WireBody {
    static let shape = BodyShape<ProfitByAsset>("ProfitByAsset") {
        Field("asset", \.name, example: "BTC")
        Field(all: \.profit)
    }

    var name: String
    var profit: Profit
}

struct ProfitByWallet: WireBody {
    static let shape = BodyShape<ProfitByWallet>("ProfitByWallet") {
        Field("wallet", \.name, example: "Cold")
        Field(all: \.profit)
    }

    var name: String
    var profit: Profit
}

/// The sums of a report; null is one of which a part is not known.
struct ReportTotals: WireBody {
    static let shape = BodyShape<ReportTotals>(
        "ReportTotals", "In the base currency; null where a part is not known."
    ) {
        Field("realized", \.report.realized, "Gains less losses of disposals.", example: "100")
        Field("realized_known", \.report.knownRealized, "The part that is known.", example: "100")
        Field("unrealized", \.valuation.unrealized, "value_of_coins less cost_of_coins.", example: "250")
        Field("income", \.report.incomeTotal, "What came in as income.", example: "0")
        Field("income_known", \.report.knownIncome, "The part that is known.", example: "0")
        Field("fees", \.report.feeTotal, "All that was paid.", example: "12")
        Field(
            "fees_expensed", { body in body.report.feeTotal.map { _ in body.report.expensedFees } },
            "The part that is a cost of its own.", example: "0")
        Field("cost_basis", \.report.costBasis, "What the open lots cost.", example: "15000")
        Field("value", \.valuation.total, "Of all that is held.", example: "15250")
        Field(all: { ValuationParts($0.valuation) })
        Field("deposits", \.report.deposits, "What came in from outside.", example: "15000")
        Field("withdrawals", \.report.withdrawals, "What left.", example: "0")
        Field(
            "currency_effect", { Reconciliation($0.report, $0.valuation)?.currencyEffect },
            "What money in other currencies gained by their rates.", example: "0")
    }

    var report: LotReport
    var valuation: Valuation
}

/// What a value is the sum of: money beside coins, and what these cost.
package struct ValuationParts: WireBody {
    package static let shape = BodyShape<ValuationParts>("ValuationParts") {
        Field(
            "value_of_coins", \.valuation.coinValue,
            "Of all that has a cost, a part of the whole; null while a price is missing.", example: "15250")
        Field("cost_of_coins", \.valuation.coinCost, "What these cost.", example: "15000")
        Field(
            "value_of_money", \.valuation.moneyValue,
            "The rest of the whole, which costs itself; null while a rate is missing.", example: "0")
    }

    let valuation: Valuation

    /// Takes a whole apart.
    package init(_ valuation: Valuation) { self.valuation = valuation }
}

/// What came in as income.
struct IncomeBody: WireBody {
    static let shape = BodyShape<IncomeBody>("Income") {
        Field("time", \.row.time.plain, as: .time, example: "2026-01-05T00:00:00Z")
        Field("kind", \.row.kind.rawValue, as: .transactionKind, example: "staking")
        Field("wallet", \.row.wallet, example: "Cold")
        Field(all: \.row.subject)
        Field("value", \.income.value, "In the base currency; null without a price.", example: "61")
        Field(
            "external_id", \.row.externalID, "The transaction's; empty where it has none.", example: "r1")
    }

    let income: IncomeEntry
    let row: Transaction

    init(_ income: IncomeEntry, in report: LotReport) {
        (self.income, row) = (income, report.ledger.transactions[income.entry])
    }
}

/// A fee that was paid.
struct FeeBody: WireBody {
    static let shape = BodyShape<FeeBody>("PaidFee") {
        Field("time", \.row.time.plain, as: .time, example: "2026-01-03T00:00:00Z")
        Field("wallet", \.row.wallet, example: "Cold")
        Field(all: \.fee.paid)
        Field(
            "value", { $0.fee.isAssumed ? nil : $0.fee.value }, "In the base currency; null without a price.",
            example: "12")
        Field(
            "treatment", \.fee.treatment.rawValue,
            "Part of the cost of what was bought, taken off what a sale brought, or a cost of its own.",
            as: .words([FeeTreatment.basis, .proceeds, .expense].map(\.rawValue)))
        Field(
            "external_id", \.row.externalID,
            "Of the transaction that it was paid for; empty where it has none.", example: "s1")
    }

    let fee: FeeEntry
    let row: Transaction

    init(_ fee: FeeEntry, in report: LotReport) {
        (self.fee, row) = (fee, report.ledger.transactions[fee.entry])
    }
}

extension MissingPrice: WireBody {
    package static let shape = BodyShape<MissingPrice>("MissingPrice", "A price that was needed.") {
        Field("asset", \.asset.rawValue, example: "BTC")
        Field("time", \.time.plain, as: .time, example: "2026-01-02T00:00:00Z")
    }
}

/// A price that was used for a value and was old by then.
struct StalePriceBody: WireBody {
    static let shape = BodyShape<StalePriceBody>("StalePrice", "A price that was old when it was used.") {
        Field("asset", \.price.asset.rawValue, example: "BTC")
        Field("time", \.row.time.plain, "The transaction's.", as: .time, example: "2026-01-12T00:00:00Z")
        Field(
            "price_time", \.price.priced.plain, "When the price was noted.", as: .time,
            example: "2026-01-02T00:00:00Z")
        Field(
            "external_id", \.row.externalID, "The transaction's; empty where it has none.", example: "s1")
    }

    let price: StalePrice
    let row: Transaction

    init(_ price: StalePrice, in report: LotReport) {
        (self.price, row) = (price, report.ledger.transactions[price.entry])
    }
}

/// What is odd about a ledger and does not stop it.
struct WarningBody: WireBody {
    static let shape = BodyShape<WarningBody>("LedgerWarning") {
        Field("time", \.time, as: .time, example: "2026-01-02T00:00:00Z")
        Field(
            "warning", \.text, "One sentence.",
            example: "wallet \"Cold\" goes to -5 USD at 2026-01-02T00:00:00Z")
    }

    var time: String
    var text: String
}

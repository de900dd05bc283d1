package import Instruments
import LedgerFiles
import Portfolio
package import Shapes

/// A transaction as it is shown at a moment.
package struct ShownTransaction: WireBody {
    package static let shape = BodyShape<ShownTransaction>("Transaction") {
        Field(all: \.row)
        Field(
            "waits_until", \.waitsUntil,
            "When it begins to count, where that is to come: until then it is in no holding, cost, gain or "
                + "value. Null where it counts, and of one that is not in force.", as: .nullable(.time))
    }

    let row: StoredTransaction
    let now: Timestamp

    /// - Parameters:
    ///   - row: What is stored.
    ///   - now: By which it counts or waits.
    package init(_ row: StoredTransaction, at now: Timestamp) { (self.row, self.now) = (row, now) }

    private var waitsUntil: String? {
        row.superseded == nil ? row.transaction.waitsUntil(at: now)?.plain : nil
    }
}

extension StoredTransaction: WireBody {
    package static let shape = BodyShape<StoredTransaction>("StoredTransaction") {
        Field("number", \.number, "Within its portfolio, from 1; kept for ever.", example: 1)
        Field("revision", \.revision, "Rises with each edit, from 1.", example: 1)
        Field(
            "in_force", { $0.superseded == nil }, "Whether it was neither edited nor removed.", example: true)
        Field("time", \.transaction.time.plain, as: .time, example: "2026-01-02T00:00:00Z")
        Field(
            "kind", \.transaction.kind.rawValue, as: .words(TransactionKind.allCases.map(\.rawValue)),
            example: "buy")
        Field("wallet", \.transaction.wallet, "Where it happened.", example: "Cold")
        Field("to_wallet", \.transaction.toWallet, "Where a transfer went.")
        Field(all: \.transaction.subject)
        Field(
            "counter_asset", \.transaction.counter?.asset.rawValue, "What it was exchanged or valued in.",
            example: "USD")
        Field(
            "counter_amount", \.transaction.counter?.amount, "In the counter asset's own unit.",
            example: "15000")
        Field("fee_asset", \.transaction.fee?.asset.rawValue)
        Field("fee_amount", \.transaction.fee?.amount, "In the fee asset's own unit.")
        Field(
            "external_id", \.transaction.externalID, "As its source names it; empty for none.", example: "")
        Field("note", \.transaction.note, example: "")
        Field(
            "price_source", \.transaction.priceSource, "Where the counter amount comes from, in words.",
            example: "")
        Field("tags", \.transaction.tags, example: [])
        Field(
            "lots", { $0.transaction.lots.map(ChosenLot.init) },
            "From which lots it is taken; empty for the rule.",
            example: [])
    }
}

/// How much of a lot is taken.
private struct ChosenLot: WireBody {
    static let shape = BodyShape<ChosenLot>("ChosenLot") {
        Field(
            "external_id", \.choice.acquiredBy, "Of the transaction that acquired the lot.", example: "buy-1")
        Field("amount", \.choice.amount, "In the asset's own unit.", example: "0.25")
    }

    let choice: LotChoice
}

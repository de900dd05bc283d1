import ArgumentParser
import Instruments
import JSON
import LedgerFiles
import MarketStore
import Portfolio
import PortfolioStore
import Store

/// The fields of a transaction, each as the column of our files has it.
///
/// An amount takes what follows as it is, so that a negative one is answered as such.
struct TransactionFlags: ParsableArguments {
    @Option(help: "When, such as 2024-12-31T12:00:00Z. Default: now.") var time: String?
    @Option(help: "buy, sell, swap, deposit, withdrawal, transfer, fee, staking, …") var kind: String?
    @Option(help: "Where the asset is.") var wallet: String?
    @Option(help: "Where a transfer goes.") var toWallet: String?
    @Option(help: "What is bought, sold, given or received, such as BTC.") var asset: String?
    @Option(parsing: .unconditional, help: "How much of it, a plain decimal.") var amount: String?
    @Option(help: "What was given or got for it, such as USD.") var counterAsset: String?
    @Option(parsing: .unconditional, help: "How much of that; of a receipt its fair value or basis.")
    var counterAmount: String?
    @Option(help: "What the fee was paid in.") var feeAsset: String?
    @Option(parsing: .unconditional, help: "The fee.") var feeAmount: String?
    @Option(help: "The source's own name for it, unique in the portfolio.") var externalID: String?
    @Option(help: "Anything.") var note: String?
    @Option(help: "Where its prices are from.") var priceSource: String?
    @Option(help: "Words to find it by, joined by semicolons.") var tags: String?
    @Option(help: "Lots that a disposal takes: external_id=amount, joined by semicolons.") var lots: String?
    @Flag(help: "Take an asset that no market of this installation trades.") var newAsset = false

    private var given: [(String, String?)] {
        [
            ("time", time), ("kind", kind), ("wallet", wallet), ("to_wallet", toWallet), ("asset", asset),
            ("amount", amount), ("counter_asset", counterAsset), ("counter_amount", counterAmount),
            ("fee_asset", feeAsset), ("fee_amount", feeAmount), ("external_id", externalID), ("note", note),
            ("price_source", priceSource), ("tags", tags), ("lots", lots),
        ]
    }

    var isEmpty: Bool { given.allSatisfy { $0.1 == nil } }

    /// The transaction that the flags make of another one, or of nothing.
    ///
    /// - Throws: ``PortfolioRefused`` naming the field.
    func row(over old: Transaction?, base: Asset, at now: Timestamp) throws(PortfolioRefused) -> Transaction {
        var line = JSONWriter()
        line.beginArray()
        line.beginObject()
        let known = old.map(Self.fields) ?? ["time": now.plain]
        for (name, value) in given {
            guard let text = value ?? known[name], !text.isEmpty else { continue }
            line.text(name, text)
        }
        line.endObject()
        line.endArray()
        do {
            return try LedgerJSON.read(line.bytes, base: base).transactions[0]
        } catch {
            let value = given.first { $0.0 == error.field }?.1 ?? known[error.field]
            throw PortfolioRefused(
                index: 0,
                .unreadable(
                    field: error.field, value: value.map { "\"\($0)\"" } ?? "not given", reason: error.reason)
            )
        }
    }

    private static func fields(_ row: Transaction) -> [String: String] {
        [
            "time": row.time.plain, "kind": row.kind.rawValue, "wallet": row.wallet,
            "to_wallet": row.toWallet ?? "", "asset": row.subject.asset.rawValue,
            "amount": row.subject.amount.description, "counter_asset": row.counter?.asset.rawValue ?? "",
            "counter_amount": row.counter?.amount.description ?? "",
            "fee_asset": row.fee?.asset.rawValue ?? "", "fee_amount": row.fee?.amount.description ?? "",
            "external_id": row.externalID, "note": row.note, "price_source": row.priceSource,
            "tags": row.tags.joined(separator: ";"),
            "lots": row.lots.map { "\($0.acquiredBy)=\($0.amount)" }.joined(separator: ";"),
        ]
    }

    /// Refuses an asset that nobody knows: not the markets, not the ledger, and it is no currency.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names.
    func check(_ row: Transaction, of portfolio: StoredPortfolio, in database: Database) async throws {
        guard !newAsset else { return }
        let user = portfolio.user
        let unknown = try await database.withSession { try $0.unknownAsset(in: row, by: user) }
        guard let unknown else { return }
        throw CommandFailure(
            .failed, "\(unknown.fault); --new-asset takes it as it is")
    }
}

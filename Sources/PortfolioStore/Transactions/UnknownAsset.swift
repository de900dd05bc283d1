public import AccountStore
public import Instruments
import MarketStore
public import Portfolio
public import Store

/// An asset that nobody knows: not the markets, not the ledger, and it is no currency.
public struct UnknownAsset: Hashable, Sendable {
    /// Where it is named, such as `fee_asset`.
    public var field: String
    /// What is named.
    public var asset: Asset
    /// Known names that are near.
    public var nearest: [String]

    /// What is accepted, in words.
    public var accepted: String {
        "an asset that is traded"
            + (nearest.isEmpty ? "" : "; nearest are \(nearest.joined(separator: ", "))")
    }
}

extension Session {
    /// The first asset of a transaction that nobody knows; `nil` when all are known, or while there are no
    /// markets, since nobody can say then what there is.
    ///
    /// - Throws: ``StoreError``.
    public func unknownAsset(
        in row: Transaction, of portfolio: PortfolioID, by user: UserID
    ) throws(StoreError) -> UnknownAsset? {
        let named = [
            ("asset", row.subject.asset), ("counter_asset", row.counter?.asset),
            ("fee_asset", row.fee?.asset),
        ]
        guard named.contains(where: { $0.1?.isCurrency == false }) else { return nil }
        var known: Set<String> = []
        for instrument in try rows(ListInstruments()) {
            known.formUnion([instrument.base.rawValue, instrument.quote.rawValue])
        }
        guard !known.isEmpty else { return nil }
        for stored in try rows(LedgerRows(of: portfolio, by: user)) {
            known.insert(stored.transaction.subject.asset.rawValue)
            if let counter = stored.transaction.counter { known.insert(counter.asset.rawValue) }
        }
        for (field, asset) in named {
            guard let asset, !asset.isCurrency, !known.contains(asset.rawValue) else { continue }
            return UnknownAsset(
                field: field, asset: asset, nearest: NearestNames.symbols(to: asset.rawValue, among: known))
        }
        return nil
    }
}

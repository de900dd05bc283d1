import Instruments
import MarketStore
package import Portfolio
import Store

/// A transaction as it was from one change on.
package struct StoredTransaction: Hashable, Sendable {
    /// Its number within its portfolio, from 1; kept for ever.
    package var number: Int64
    /// Rises with each edit, from 1.
    package var revision: Int32
    /// The change that made this revision.
    package var change: Int64
    /// The change that edited or removed it; `nil` while it is in force.
    package var superseded: Int64?
    /// What it says.
    package var transaction: Transaction
}

extension StoredTransaction {
    static let columnNames: StaticString = """
        number, revision, change, superseded, time, kind, wallet, to_wallet, asset, amount, counter_asset, \
        counter_amount, fee_asset, fee_amount, external_id, note, tags, price_source, lots
        """

    static let columns = SQL(stringLiteral: columnNames)

    init(_ row: inout RowReader) throws(StoreError) {
        let (number, revision) = (try row.int64(), try row.int32())
        let (change, superseded) = (try row.int64(), try row.int64OrNil())
        let time = try row.nanoseconds()
        let kind = try row.word(TransactionKind.self)
        let (wallet, toWallet) = (try row.text(), try row.textOrNil())
        let asset = try row.text()
        var transaction = Transaction(
            time: time, kind: kind, wallet: wallet, toWallet: toWallet,
            subject: Holding(try row.amount(), Asset(rawValue: asset)))
        transaction.counter = try row.holdingOrNil()
        transaction.fee = try row.holdingOrNil()
        (transaction.externalID, transaction.note) = (try row.text(), try row.text())
        (transaction.tags, transaction.priceSource) = (try row.textArray(), try row.text())
        for text in try row.textArray() {
            guard let choice = LotChoice(stored: text) else { throw row.refusal() }
            transaction.lots.append(choice)
        }
        self.init(
            number: number, revision: revision, change: change, superseded: superseded,
            transaction: transaction)
    }
}

extension RowReader {
    /// An asset and an amount, both or neither.
    fileprivate mutating func holdingOrNil() throws(StoreError) -> Holding? {
        let asset = try textOrNil()
        guard let amount = try amountOrNil(), let asset else { return nil }
        return Holding(amount, Asset(rawValue: asset))
    }
}

extension LotChoice {
    var stored: String { "\(acquiredBy)=\(amount)" }

    fileprivate init?(stored: String) {
        guard let sign = stored.lastIndex(of: "="),
            let amount = try? Amount(parsing: String(stored[stored.index(after: sign)...]))
        else { return nil }
        self.init(acquiredBy: String(stored[..<sign]), amount: amount)
    }
}

import Instruments
import LedgerFiles
import Portfolio

/// A second of one part of a user's account.
struct BinanceMoment: Hashable {
    var time: Timestamp
    var user: String
    var account: String
}

/// A row of Binance's history, read.
struct BinanceRow {
    let line: Int
    let moment: BinanceMoment
    let operation: String
    let asset: Asset
    /// Below zero for what went.
    let change: Amount
    let remark: String

    init(_ fields: Fields, _ operation: String) throws(FileFault) {
        guard let asset = try fields.asset("Coin"), let change = try fields.signedAmount("Change") else {
            throw fields.fault("Change", "coin and change must both be there")
        }
        line = fields.line
        moment = BinanceMoment(
            time: try fields.time("UTC_Time", zone: 0), user: fields.text("User_ID") ?? "",
            account: fields.text("Account") ?? "")
        self.operation = operation
        self.asset = asset
        self.change = change
        remark = fields.text("Remark") ?? ""
    }

    var time: Timestamp { moment.time }

    /// What came or went, without its sign.
    var moved: Holding { Holding(change.magnitude, asset) }

    var isFee: Bool { operation == "Fee" || operation == "Transaction Fee" }

    /// The row by itself.
    func transaction(_ kind: TransactionKind, _ wallet: String) -> Transaction {
        Transaction(time: time, kind: kind, wallet: wallet, subject: moved, note: remark)
    }
}

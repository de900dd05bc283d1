import Instruments
import LedgerFiles
import Portfolio

/// CoinTracking's trade list.
///
/// Source of the columns and types: CoinTracking's "CSV import" page and BittyTax's
/// `conv/parsers/cointracking.py`, 2024. Three columns are called `Cur.`: of what was bought, sold and paid
/// as a fee, in this order. What was bought and sold contains the fee already ("Buy 1 BTC, Sell 505 USD, Fee
/// 5 USD" is one that paid 505), so that the fee's columns are for people; a fee by itself is an "Other Fee".
/// Source: CoinTracking's help, "Entering fees". Times are those of the account, so their zone must be given.
enum CoinTrackingFormat {
    private static let incoming: [String: TransactionKind] = [
        "Deposit": .deposit, "Income": .income, "Gift/Tip": .giftIn, "Reward/Bonus": .income,
        "Reward / Bonus": .income, "Mining": .mining, "Airdrop": .airdrop, "Staking": .staking,
        "Masternode": .staking, "Lending Income": .lending, "Interest Income": .interest,
        "Dividends Income": .dividend, "Hard Fork": .fork, "Gift": .giftIn,
    ]
    private static let outgoing: [String: TransactionKind] = [
        "Withdrawal": .withdrawal, "Spend": .spend, "Donation": .giftOut, "Gift": .giftOut,
        "Stolen": .loss, "Lost": .loss, "Other Fee": .fee,
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(bytes, "CoinTracking", needing: ["Type", "Buy", "Sell", "Cur.", "Date"])
        // A header may call all three the same: each stands behind its amount.
        var columns = table.columns
        for name in ["Buy", "Sell", "Fee"] {
            if let column = table.columns[name] { columns["\(name) Cur."] = column + 1 }
        }
        var result = ImportedLedger()
        for plain in table.rows {
            let row = Fields(row: plain.row, columns: columns)
            let type = try row.required("Type")
            let bought = try holding(row, "Buy")
            let sold = try holding(row, "Sell")
            let time = try row.time("Date", zone: options.zone, TimeText.dayFirst)
            let wallet = row.text("Exchange") ?? options.wallet ?? "CoinTracking"
            let note = row.text("Comment") ?? ""
            let id = row.text(anyOf: ["Tx-ID", "Tx ID"]) ?? ""
            if type == "Trade", let bought, let sold {
                let pair = ForeignExchange(given: sold, gotten: bought)
                try result.append(
                    pair.transaction(time, wallet, fee: nil, id: id, note: note), line: row.line)
            } else if let kind = bought != nil ? incoming[type] : outgoing[type], let what = bought ?? sold {
                try result.append(
                    Transaction(
                        time: time, kind: kind, wallet: wallet, subject: what, externalID: id, note: note),
                    line: row.line)
            } else {
                result.skip(row.line, "type \"\(type)\" is not taken")
            }
        }
        result.distinguishIDs()
        return result
    }

    private static func holding(_ row: Fields, _ name: String) throws(FileFault) -> Holding? {
        guard let amount = try row.signedAmount(name), !amount.isZero else { return nil }
        guard let asset = try row.asset("\(name) Cur.") else { throw row.fault("\(name) Cur.", "is missing") }
        return Holding(amount.magnitude, asset)
    }
}

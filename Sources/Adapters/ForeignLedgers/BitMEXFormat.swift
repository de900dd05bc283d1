import Instruments
import LedgerFiles
import Portfolio

/// BitMEX's wallet history.
///
/// Source of the columns `transactTime,transactType,amount,fee,address,transactStatus,walletBalance`: BitMEX
/// API reference, `GET /user/walletHistory`, of which the file is the table; amounts are whole satoshis where
/// no `currency` says otherwise. A profit or loss of a day is income or loss in the coin.
enum BitMEXFormat {
    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "BitMEX", needing: ["transactTime", "transactType", "amount", "transactStatus"])
        var result = ImportedLedger()
        for row in table.rows {
            let type = try row.required("transactType")
            guard row.text("transactStatus") == "Completed" else {
                result.skip(row.line, "status \"\(row.text("transactStatus") ?? "")\" is not Completed")
                continue
            }
            let unit = try unit(row)
            guard let raw = try row.signedAmount("amount") else { throw row.fault("amount", "is missing") }
            let amount = raw * unit.factor
            let kind: TransactionKind
            switch type {
            case "Deposit": kind = .deposit
            case "Withdrawal": kind = .withdrawal
            case "RealisedPNL", "Funding", "CashRebalance": kind = amount.isNegative ? .loss : .income
            case "AffiliatePayout", "ReferralBonus", "Bonus": kind = .income
            default:
                result.skip(row.line, "type \"\(type)\" is not taken")
                continue
            }
            guard !amount.isZero else {
                result.skip(row.line, "an amount of nothing")
                continue
            }
            let fee = try row.signedAmount("fee").flatMap {
                Holding($0.magnitude * unit.factor, unit.asset).ifAny
            }
            try result.append(
                Transaction(
                    time: try row.time("transactTime", zone: options.zone), kind: kind,
                    wallet: options.wallet ?? "BitMEX", subject: Holding(amount.magnitude, unit.asset),
                    fee: kind == .withdrawal ? fee : nil, externalID: row.text("transactID") ?? "", note: type
                ),
                line: row.line)
        }
        return result
    }

    /// What one unit of an amount is.
    private static func unit(_ row: Fields) throws(FileFault) -> (asset: Asset, factor: Amount) {
        switch row.text("currency") {
        case nil, "XBt", "BTC", "XBT": return (Asset(rawValue: "BTC"), Amount(units: 1, places: 8))
        case "USDt": return (Asset(rawValue: "USDT"), Amount(units: 1, places: 6))
        case let other?: throw row.fault("currency", "\"\(other)\" is none of XBt, USDt")
        }
    }
}

import Instruments
import LedgerFiles
import Portfolio

/// Bitstamp's transactions, in the form of before and after 2023.
///
/// Source of both headers and of the types: BittyTax's `conv/parsers/bitstamp.py`, 2025. The older form
/// writes `0.5 BTC` in one column and `Jan. 05, 2021, 03:04 PM`; times are UTC.
enum BitstampFormat {
    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "Bitstamp", needing: ["Type", "Datetime", "Amount", "Value", "Fee"])
        var result = ImportedLedger()
        for row in table.rows {
            let type = try row.required("Type")
            guard let subject = try holding(row, "Amount") else { throw row.fault("Amount", "is missing") }
            let time = try row.time("Datetime", zone: options.zone ?? 0, TimeText.monthName)
            let wallet = options.wallet ?? "Bitstamp"
            let fee = try holding(row, "Fee")?.ifAny
            let id = row.text("ID") ?? ""
            var kind = TransactionKind.deposit
            var counter: Holding?
            switch type {
            case "Deposit", "Ripple deposit": break
            case "Withdrawal", "Ripple payment": kind = .withdrawal
            case "Staking reward": kind = .staking
            case "Market", "Trade":
                let subtype = row.text(anyOf: ["Subtype", "Sub Type"]) ?? ""
                guard subtype == "Buy" || subtype == "Sell", let value = try holding(row, "Value") else {
                    result.skip(row.line, "a trade of subtype \"\(subtype)\" is not taken")
                    continue
                }
                kind = subtype == "Buy" ? .buy : .sell
                counter = value
            default:
                result.skip(row.line, "type \"\(type)\" is not taken")
                continue
            }
            try result.append(
                Transaction(
                    time: time, kind: kind, wallet: wallet, subject: subject, counter: counter, fee: fee,
                    externalID: id),
                line: row.line)
        }
        return result
    }

    /// An amount with its asset beside it, or in a column of its own.
    private static func holding(_ row: Fields, _ name: String) throws(FileFault) -> Holding? {
        guard let text = row.text(name) else { return nil }
        if row.columns["\(name) currency"] != nil {
            guard let asset = try row.asset("\(name) currency"), let amount = try row.signedAmount(name)
            else {
                return nil
            }
            return Holding(amount.magnitude, asset)
        }
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, let amount = try? Amount(parsing: words[0]) else {
            throw row.fault(name, "\"\(text)\" is not an amount and its asset, such as 0.5 BTC")
        }
        return Holding(amount.magnitude, Asset(rawValue: words[1]))
    }
}

import Instruments
import Portfolio

/// Koinly's transactions, and its universal template, which has no `Type`.
///
/// Source of the columns, types and labels: Koinly Help, "How to create a custom CSV file with your data",
/// and BittyTax's `conv/parsers/koinly.py`, 2024. Times are UTC. Amounts sent do not include the fee.
enum Koinly {
    private static let incoming: [String: TransactionKind] = [
        "": .deposit, "gift": .giftIn, "airdrop": .airdrop, "fork": .fork, "mining": .mining,
        "reward": .income, "income": .income, "other_income": .income, "loan_interest": .interest,
        "lending interest": .lending, "staking": .staking, "cashback": .income, "salary": .income,
    ]
    private static let outgoing: [String: TransactionKind] = [
        "": .withdrawal, "gift": .giftOut, "donation": .giftOut, "lost": .loss, "stolen": .loss,
        "cost": .spend, "fee": .fee, "margin_fee": .fee, "loan_fee": .fee, "interest_payment": .spend,
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "Koinly",
            needing: ["Date", "Sent Amount", "Sent Currency", "Received Amount", "Received Currency"])
        var result = ImportedLedger()
        for row in table.rows {
            if let transaction = try transaction(row, table, options) {
                try result.append(transaction, line: row.line)
            } else {
                let label = row.text("Label") ?? ""
                result.skip(row.line, "type \"\(row.text("Type") ?? "")\", label \"\(label)\" is not taken")
            }
        }
        result.distinguishIDs()
        return result
    }

    private static func transaction(_ row: Fields, _ table: ForeignTable, _ options: ImportOptions)
        throws(FileFault) -> Transaction?
    {
        let sent = try holding(row, "Sent")
        let received = try holding(row, "Received")
        let from = row.text("Sending Wallet") ?? options.wallet ?? "Koinly"
        let to = row.text("Receiving Wallet") ?? options.wallet ?? "Koinly"
        var result = Transaction(
            time: try row.time("Date", zone: options.zone ?? 0), kind: .deposit, wallet: from,
            subject: sent ?? received ?? Holding(.zero, Asset(rawValue: "")), fee: try holding(row, "Fee"),
            externalID: row.text(anyOf: ["TxHash"]) ?? "", note: row.text("Description") ?? "")
        let label = (row.text("Label") ?? "").lowercased()
        if let sent, let received {
            if sent.asset == received.asset {
                guard from != to else { return nil }
                // What did not arrive was the fee, where the row names none.
                let lost = sent.amount - received.amount
                (result.kind, result.toWallet, result.subject) = (.transfer, to, received)
                if result.fee == nil, lost.isPositive { result.fee = Holding(lost, sent.asset) }
                return result
            }
            return ForeignExchange(given: sent, gotten: received)
                .transaction(result.time, from, fee: result.fee, id: result.externalID, note: result.note)
        }
        guard let kind = received != nil ? incoming[label] : sent != nil ? outgoing[label] : nil else {
            return nil
        }
        result.kind = kind
        if received != nil { result.wallet = to }
        result.counter = try value(row, table, options)
        return result
    }

    /// `Net Value (USD)`, or the template's `Net Worth Amount`.
    private static func value(_ row: Fields, _ table: ForeignTable, _ options: ImportOptions)
        throws(FileFault)
        -> Holding?
    {
        if let amount = try row.signedAmount("Net Worth Amount") {
            return Holding(amount.magnitude, try row.asset("Net Worth Currency") ?? options.base)
        }
        guard let name = table.header.first(where: { $0.hasPrefix("Net Value (") && $0.hasSuffix(")") }),
            let amount = try row.signedAmount(name)
        else { return nil }
        return Holding(amount.magnitude, Asset(rawValue: String(name.dropFirst(11).dropLast())))
    }

    private static func holding(_ row: Fields, _ name: String) throws(FileFault) -> Holding? {
        guard let amount = try row.signedAmount("\(name) Amount"), !amount.isZero else { return nil }
        guard let asset = try row.asset("\(name) Currency") else {
            throw row.fault("\(name) Currency", "is missing")
        }
        return Holding(amount.magnitude, asset)
    }
}

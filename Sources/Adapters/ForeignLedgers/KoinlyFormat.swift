import Instruments
import LedgerFiles
import Portfolio

/// Koinly's transactions, in the form of today and of before, and its universal template, which has no
/// `Type`.
///
/// Source of the columns, types and labels: Koinly Help, "How to create a custom CSV file with your data" and
/// "Bulk edit in Excel", and BittyTax's `conv/parsers/koinly.py`, 2024 and 2026. Times are UTC. Amounts sent
/// do not include the fee. What is not there is empty or 0.
enum KoinlyFormat {
    private static let incoming: [String: TransactionKind] = [
        "": .deposit, "gift": .giftIn, "airdrop": .airdrop, "fork": .fork, "mining": .mining,
        "reward": .income, "income": .income, "other income": .income, "loan interest": .interest,
        "lending interest": .lending, "staking": .staking, "cashback": .income, "salary": .income,
    ]
    private static let outgoing: [String: TransactionKind] = [
        "": .withdrawal, "gift": .giftOut, "donation": .giftOut, "lost": .loss, "stolen": .loss,
        "cost": .spend, "fee": .fee, "margin fee": .fee, "loan fee": .fee, "interest payment": .spend,
    ]

    /// What the columns are called.
    private struct Layout {
        var date = "Date"
        var sent = "Sent"
        var received = "Received"
        var sender = "Sending Wallet"
        var receiver = "Receiving Wallet"
        var id = "TxHash"

        static let today = Layout(
            date: "Date (UTC)", sent: "From", received: "To", sender: "From Wallet (read-only)",
            receiver: "To Wallet (read-only)", id: KoinlyNumbers.id)

        var needed: [String] {
            [date] + [sent, received].flatMap { ["\($0) Amount", "\($0) Currency"] }
        }
    }

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let needed = [KoinlyNumbers.id] + Layout.today.needed
        // A file without these columns is of another layout, whose fault is the one that is told.
        if let table = try? ForeignTable(bytes, "Koinly", needing: needed) {
            let numbers = KoinlyNumbers(table)
            return try read(numbers.plain, Layout.today, table, options)
        }
        let layout = Layout()
        let table = try ForeignTable(bytes, "Koinly", needing: layout.needed)
        var result = try read(table.rows, layout, table, options)
        result.distinguishIDs()
        return result
    }

    private static func read(
        _ rows: [Fields], _ layout: Layout, _ table: ForeignTable, _ options: ImportOptions
    ) throws(FileFault) -> ImportedLedger {
        var result = ImportedLedger()
        var (first, swaps) = (0, 0)
        for row in rows {
            if row.text("Deleted")?.lowercased() == "true" {
                result.skip(row.line, "deleted in Koinly")
            } else if var transaction = try transaction(row, layout, table, options) {
                // The other side of a swap is its coin: what Koinly says that it was worth is for people.
                if transaction.kind == .swap, let worth = try value(row, table, options)?.ifAny {
                    let text = "net value \(worth.amount) \(worth.asset)"
                    transaction.note = transaction.note.isEmpty ? text : "\(transaction.note); \(text)"
                    if swaps == 0 { first = row.line }
                    swaps += 1
                }
                try result.append(transaction, line: row.line)
            } else {
                let label = row.text(anyOf: ["Label", "Tag"]) ?? ""
                result.skip(row.line, "type \"\(row.text("Type") ?? "")\", label \"\(label)\" is not taken")
            }
        }
        if swaps > 0 {
            result.remarks.append(
                SkippedLine(
                    line: first,
                    reason:
                        "the net value of \(swaps) swaps, this one the first, stands in their notes only: "
                        + "a swap has none, its gain needs a price of one of its coins at that time"))
        }
        return result
    }

    private static func transaction(
        _ row: Fields, _ layout: Layout, _ table: ForeignTable, _ options: ImportOptions
    ) throws(FileFault) -> Transaction? {
        let sent = try holding(row, layout.sent)
        let received = try holding(row, layout.received)
        let from = row.text(layout.sender) ?? options.wallet ?? "Koinly"
        let to = row.text(layout.receiver) ?? options.wallet ?? "Koinly"
        var result = Transaction(
            time: try row.time(layout.date, zone: options.zone ?? 0), kind: .deposit, wallet: from,
            subject: sent ?? received ?? Holding(.zero, Asset(rawValue: "")), fee: try holding(row, "Fee"),
            externalID: row.text(layout.id) ?? "", note: row.text("Description") ?? "")
        let label = (row.text(anyOf: ["Label", "Tag"]) ?? "").lowercased()
            .split(separator: "_").joined(separator: " ")
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

    /// The template's `Net Worth Amount`, else `Net Value (USD)`, of today `Net Value (read-only)`.
    private static func value(_ row: Fields, _ table: ForeignTable, _ options: ImportOptions)
        throws(FileFault)
        -> Holding?
    {
        let isToday = row.columns[KoinlyNumbers.id] != nil
        // Today's form writes 0 as well where it knows of no value.
        if let amount = try row.signedAmount("Net Worth Amount"), !isToday || !amount.isZero {
            return Holding(amount.magnitude, try row.asset("Net Worth Currency") ?? options.base)
        }
        if isToday {
            guard let amount = try row.signedAmount("Net Value (read-only)"), !amount.isZero,
                let currency = try row.asset("Value Currency (read-only)")
            else { return nil }
            return Holding(amount.magnitude, currency)
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

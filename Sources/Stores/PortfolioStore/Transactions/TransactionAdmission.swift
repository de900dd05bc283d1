import Instruments
import Portfolio

/// What a transaction is checked against by itself before the ledger is.
enum TransactionAdmission {
    /// The first thing that cannot be stored, if any.
    static func refusal(of row: Transaction) -> PortfolioRefused.Reason? {
        let lines: [(String, String, Int)] = [
            ("wallet", row.wallet, 128), ("to_wallet", row.toWallet ?? "", 128),
            ("asset", row.subject.asset.rawValue, 64),
            ("counter_asset", row.counter?.asset.rawValue ?? "", 64),
            ("fee_asset", row.fee?.asset.rawValue ?? "", 64), ("external_id", row.externalID, 512),
            ("price_source", row.priceSource, 512),
        ]
        for (field, text, limit) in lines
        where text.utf8.count > limit || !text.isPlainLine || text.first == " " || text.last == " " {
            return fault(field, text, "one line of at most \(limit) bytes, without blanks around it")
        }
        if row.note.utf8.count > 4_096 || row.note.utf8.contains(0) {
            return fault("note", row.note, "at most 4096 bytes without a NUL character")
        }
        let accepted = "at most 64 of at most 64 bytes, none with a semicolon"
        for tag in row.tags
        where row.tags.count > 64 || tag.isEmpty || tag.utf8.count > 64 || !tag.isPlainLine
            || tag.contains(";")
        {
            return fault("tags", tag, accepted)
        }
        for choice in row.lots
        where row.lots.count > 4_096 || choice.acquiredBy.contains(";") || !choice.acquiredBy.isPlainLine {
            let accepted = "at most 4096 external ids of one line, none with a semicolon"
            return fault("lots", choice.acquiredBy, accepted)
        }
        return amountRefusal(of: row)
    }

    private static func amountRefusal(of row: Transaction) -> PortfolioRefused.Reason? {
        let amounts = [
            ("amount", row.subject.amount), ("counter_amount", row.counter?.amount),
            ("fee_amount", row.fee?.amount),
        ]
        for (field, amount) in amounts {
            guard let amount, amount.description.utf8.count > Amount.digitLimit + 2 else { continue }
            return fault(field, amount.description, "at most \(Amount.digitLimit) digits")
        }
        return nil
    }

    private static func fault(_ field: String, _ value: String, _ accepted: String) -> PortfolioRefused.Reason
    {
        .fault(FieldFault(field, "\"\(value.prefix(80))\"", accepted: accepted))
    }

    /// Two spellings of one asset are two assets to every sum: that is never what was meant.
    ///
    /// - Parameters:
    ///   - rows: New ones.
    ///   - known: What is named already.
    /// - Returns: The first spelling that differs from one before it, with its place among the rows.
    static func misspelling(in rows: [Transaction], beside known: [String]) -> PortfolioRefused? {
        var spellings = Dictionary(
            known.map { ($0.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var seen = Set(known)
        for (index, row) in rows.enumerated() {
            for (field, asset) in [
                ("asset", row.subject.asset), ("counter_asset", row.counter?.asset),
                ("fee_asset", row.fee?.asset),
            ] {
                guard let name = asset?.rawValue, seen.insert(name).inserted else { continue }
                if let other = spellings.updateValue(name, forKey: name.uppercased()) {
                    return PortfolioRefused(
                        index: index,
                        .fault(FieldFault(field, "\"\(name)\"", accepted: "\"\(other)\", as before")))
                }
            }
        }
        return nil
    }
}

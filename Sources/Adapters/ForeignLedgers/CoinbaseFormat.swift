import Instruments
import LedgerFiles
import Portfolio

/// Coinbase's transaction history.
///
/// Source of the columns and types: Coinbase Help, "Download your transaction history", and the columns that
/// the public parser of BittyTax (`conv/parsers/coinbase.py`) and Ghostfolio's converters read, 2024. Times
/// are UTC. `Subtotal` is without the fee, `Total` with it. "Price Currency" is what amounts are valued in:
/// where the notes say that something else was paid, as in "Bought 0.1 BTC for 4016 USDC" or "for €400.00
/// EUR", that is what was paid, fee included. A conversion's fee is inside of it.
enum CoinbaseFormat {
    private static let income: [String: TransactionKind] = [
        "rewards income": .staking, "staking income": .staking, "inflation reward": .staking,
        "coinbase earn": .income, "learning reward": .income, "incentives rewards payout": .income,
        "reward income": .staking, "airdrop": .airdrop, "interest payout": .interest,
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "Coinbase", needing: ["Timestamp", "Transaction Type", "Asset", "Quantity Transacted"])
        var result = ImportedLedger()
        for row in table.rows {
            let time = try row.time("Timestamp", zone: 0)
            guard let asset = try row.asset("Asset") else { throw row.fault("Asset", "is missing") }
            let amount = try money(row, "Quantity Transacted") ?? .zero
            let type = try row.required("Transaction Type")
            guard amount.isPositive else {
                result.skip(row.line, "\"\(type)\" of nothing")
                continue
            }
            let subject = Holding(amount, asset)
            var transaction = Transaction(
                time: time, kind: .deposit, wallet: options.wallet ?? "Coinbase", subject: subject,
                externalID: row.text("ID") ?? "", note: row.text("Notes") ?? "")
            if try fill(&transaction, type, row) {
                try result.append(transaction, line: row.line)
            } else {
                result.skip(row.line, "type \"\(type)\" is not taken")
            }
        }
        return result
    }

    private static func fill(_ transaction: inout Transaction, _ type: String, _ row: Fields)
        throws(FileFault)
        -> Bool
    {
        let currency = Asset(
            rawValue: row.text(anyOf: ["Price Currency", "Spot Price Currency"]) ?? "USD")
        let subtotal = try money(row, "Subtotal").map { Holding($0, currency) }
        let fee = try money(row, "Fees and/or Spread").flatMap { Holding($0, currency).ifAny }
        switch type {
        case "Buy", "Advanced Trade Buy", "Advance Trade Buy", "Sell", "Advanced Trade Sell",
            "Advance Trade Sell":
            transaction.kind = type.hasSuffix("Buy") ? .buy : .sell
            if let paid = try paid(row), paid.asset != currency {
                transaction.counter = paid
                return true
            }
            guard let subtotal else { throw row.fault("Subtotal", "is missing") }
            transaction.counter = subtotal
            transaction.fee = fee
        case "Convert":
            guard let gotten = converted(row.text("Notes") ?? "") else {
                throw row.fault("Notes", "does not say \"Converted 1 A to 2 B\"")
            }
            transaction.kind = .swap
            transaction.counter = gotten
        case "Receive", "Deposit", "Exchange Withdrawal", "Pro Withdrawal": transaction.kind = .deposit
        case "Send", "Withdrawal", "Exchange Deposit", "Pro Deposit": transaction.kind = .withdrawal
        default:
            guard let kind = income[type.lowercased()] else { return false }
            transaction.kind = kind
            transaction.counter = subtotal
        }
        return true
    }

    /// `Bought 0.1 BTC for 4016 USDC on BTC-USDC at 40000 USDC/BTC`, or `Bought 0.01 BTC for €400.00 EUR`.
    private static func paid(_ row: Fields) throws(FileFault) -> Holding? {
        let words = (row.text("Notes") ?? "").split(separator: " ").map(String.init)
        guard words.count >= 5, ["Bought", "Sold"].contains(words[0]), words[3] == "for" else { return nil }
        let digits = words[4].drop { $0.isLetter || $0.isCurrencySymbol }
        guard digits.first?.isNumber == true, let code = code(words) else { return nil }
        guard let amount = grouped(digits) else {
            throw row.fault("Notes", "\"\(words[4])\" is not an amount of money")
        }
        return amount.isPositive ? Holding(amount, Asset(rawValue: code)) : nil
    }

    /// What was paid in: the word behind the amount, else what the amount's sign means alone.
    private static func code(_ words: [String]) -> String? {
        if words.count > 5, words[5] != words[5].lowercased(),
            words[5].allSatisfy({ $0.isLetter || $0.isNumber })
        {
            return words[5]
        }
        switch words[4].first {
        case "€": return "EUR"
        case "£": return "GBP"
        default: return nil
        }
    }

    /// `Converted 0.5 BTC to 7.25 ETH`.
    private static func converted(_ note: String) -> Holding? {
        let words = note.split(separator: " ").map(String.init)
        guard words.count >= 6, words[0] == "Converted", words[3] == "to",
            let amount = try? Amount(parsing: words[4].filter { $0 != "," })
        else { return nil }
        return Holding(amount, Asset(rawValue: words[5]))
    }

    /// Newer files write `-$1,234.56`: the sign repeats the type, the comma parts thousands.
    private static func money(_ row: Fields, _ name: String) throws(FileFault) -> Amount? {
        guard let text = row.text(name) else { return nil }
        let symbol = text.drop { $0 == "-" }.first
        guard let symbol, "$€£".contains(symbol) else { return try row.signedAmount(name)?.magnitude }
        guard let amount = grouped(text.drop { "-$€£".contains($0) }) else {
            throw row.fault(name, "\"\(text)\" is not an amount of money")
        }
        return amount
    }

    /// `1,234.56`; `nil` where the commas do not part thousands.
    private static func grouped(_ digits: Substring) -> Amount? {
        let groups = digits.prefix { $0 != "." }.split(separator: ",", omittingEmptySubsequences: false)
        guard groups.dropFirst().allSatisfy({ $0.count == 3 }), (groups.first?.count ?? 0) > 0 else {
            return nil
        }
        return try? Amount(parsing: digits.filter { $0 != "," })
    }
}

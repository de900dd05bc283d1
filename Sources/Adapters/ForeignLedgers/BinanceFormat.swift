import Instruments
import LedgerFiles
import Portfolio

/// Binance's transaction history of all wallets.
///
/// Source of the columns `User_ID,UTC_Time,Account,Operation,Coin,Change,Remark` and of the operations:
/// Binance FAQ, "How to download spot trading transaction history statement", and BittyTax's
/// `conv/parsers/binance/parse_binance_statements.py`, 2025. Times are UTC; one trade is several rows of the
/// same second, or of two that follow each other. The sign of `Change` says whether a coin came or went, for
/// every operation.
enum BinanceFormat {
    private static let trades: Set<String> = [
        "Buy", "Sell", "Fee", "Transaction Related", "Transaction Buy", "Transaction Spend",
        "Transaction Sold", "Transaction Revenue", "Transaction Fee", "Buy Crypto",
    ]
    /// Trades of their own, written with capitals here and there.
    private static let conversions: Set<String> = [
        "binance convert", "small assets exchange bnb", "large otc trading",
    ]
    private static let income: [String: TransactionKind] = [
        "Staking Rewards": .staking, "ETH 2.0 Staking Rewards": .staking, "POS savings interest": .staking,
        "Simple Earn Flexible Interest": .lending, "Simple Earn Locked Rewards": .staking,
        "Savings Interest": .lending, "Airdrop Assets": .airdrop, "Launchpool Interest": .staking,
        "Commission Rebate": .income, "Referral Commission": .income, "Referral Kickback": .income,
        "Commission History": .income, "Cashback Voucher": .income,
    ]

    private static let deposits: Set<String> = ["Deposit", "Fiat Deposit"]
    private static let withdrawals: Set<String> = [
        "Withdraw", "Withdrawal", "Fiat Withdraw", "Fiat Withdrawal",
    ]
    /// What takes a coin away and gives another one for it, as when a token is replaced.
    private static let replacements: Set<String> = [
        "Distribution", "Token Swap - Distribution", "Token Swap - Redenomination/Rebranding",
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "Binance", needing: ["UTC_Time", "Account", "Operation", "Coin", "Change"])
        var result = ImportedLedger()
        var rows: [BinanceRow] = []
        for fields in table.rows {
            let operation = try fields.required("Operation")
            guard isTaken(operation) else {
                result.skip(fields.line, "operation \"\(operation)\" is not taken")
                continue
            }
            let row = try BinanceRow(fields, operation)
            guard !row.change.isZero else {
                result.skip(row.line, "a change of nothing")
                continue
            }
            rows.append(row)
        }
        let wallet = options.wallet ?? "Binance"
        let returned = returned(rows)
        var replaced: [BinanceMoment: [BinanceRow]] = [:]
        for row in rows where replacements.contains(row.operation) {
            replaced[row.moment, default: []].append(row)
        }
        let groups = groups(rows)
        for row in rows {
            if series(of: row) != nil {
                // A group is booked where it begins.
                if let group = groups[row.line] { try book(group, &result, wallet) }
                continue
            }
            if let other = returned[row.line] {
                result.skip(
                    row.line, "a withdrawal that came back, with line \(other): the coins never left")
            } else if replacements.contains(row.operation) {
                try replace(row, replaced[row.moment] ?? [], &result, wallet)
            } else {
                try result.append(row.transaction(kind(of: row), wallet), line: row.line)
            }
        }
        result.skipped.sort { $0.line < $1.line }
        return result
    }

    private static func isTaken(_ operation: String) -> Bool {
        trades.contains(operation) || isConversion(operation) || deposits.contains(operation)
            || withdrawals.contains(operation) || replacements.contains(operation)
            || income[operation] != nil
    }

    /// The sign says whether the coins came or went, whatever the operation is called.
    ///
    /// A deposit or an income that is taken back leaves as a withdrawal, without a gain: the ledger has no
    /// income below zero.
    private static func kind(of row: BinanceRow) -> TransactionKind {
        if row.change.isNegative { return .withdrawal }
        return income[row.operation] ?? .deposit
    }

    /// Withdrawals that failed and the rows that brought them back, each with the other's line.
    ///
    /// With neither of the two booked the coins keep their lots; a deposit would begin a new one, of a cost
    /// that nobody knows. What came back must be what went, to the last digit: all else is a deposit.
    private static func returned(_ rows: [BinanceRow]) -> [Int: Int] {
        let moves = rows.filter { withdrawals.contains($0.operation) }
            .sorted { ($0.time, $0.line) < ($1.time, $1.line) }
        var gone: [Holding: [Int]] = [:]
        var lines: [Int: Int] = [:]
        for row in moves {
            if row.change.isNegative {
                gone[row.moved, default: []].append(row.line)
            } else if let line = gone[row.moved]?.popLast() {
                lines[row.line] = line
                lines[line] = row.line
            }
        }
        return lines
    }

    /// Books a row of those that replace a coin.
    ///
    /// One coin that went and one that came in the same second are a swap. Of several nobody knows which one
    /// became which: they leave and come without a gain and without an income. A distribution in a second in
    /// which nothing went is an airdrop.
    private static func replace(
        _ row: BinanceRow, _ beside: [BinanceRow], _ result: inout ImportedLedger, _ wallet: String
    ) throws(FileFault) {
        let given = beside.filter(\.change.isNegative)
        let gotten = beside.filter(\.change.isPositive)
        if given.count == 1, gotten.count == 1, given[0].asset != gotten[0].asset {
            guard row.line == min(given[0].line, gotten[0].line) else { return }
            let exchange = ForeignExchange(given: given[0].moved, gotten: gotten[0].moved)
            let note = beside.map(\.remark).first { !$0.isEmpty } ?? row.operation
            return try result.append(
                exchange.transaction(row.time, wallet, fee: nil, id: "", note: note), line: row.line)
        }
        let isAirdrop = given.isEmpty && row.operation == "Distribution"
        let kind: TransactionKind =
            row.change.isNegative ? .withdrawal : isAirdrop ? .airdrop : .deposit
        try result.append(row.transaction(kind, wallet), line: row.line)
    }

    // MARK: Trades

    /// What rows must have in common, besides their second, to be of one trade.
    private struct Series: Hashable {
        var user: String
        var account: String
        var operation: String
    }

    static func isConversion(_ operation: String) -> Bool { conversions.contains(operation.lowercased()) }

    /// `nil` for a row that is no part of a trade.
    private static func series(of row: BinanceRow) -> Series? {
        let isTrade = trades.contains(row.operation)
        guard isTrade || isConversion(row.operation) else { return nil }
        return Series(
            user: row.moment.user, account: row.moment.account,
            operation: isTrade ? "" : row.operation.lowercased())
    }

    /// The groups of rows that make trades, by the line of the first of each.
    private static func groups(_ rows: [BinanceRow]) -> [Int: BinanceGroup] {
        var seconds: [Series: [Timestamp: [BinanceRow]]] = [:]
        for row in rows {
            guard let series = series(of: row) else { continue }
            seconds[series, default: [:]][row.time, default: []].append(row)
        }
        var groups: [Int: BinanceGroup] = [:]
        for rows in seconds.values {
            let inTime = rows.sorted { $0.key < $1.key }.map { BinanceGroup($0.value) }
            for group in BinanceGroup.joined(inTime) { groups[group.rows[0].line] = group }
        }
        return groups
    }

    /// Books the exchanges of a group, each with the fee that is surely its own.
    ///
    /// That is the fee of the only exchange there is, or one in a coin that no other exchange got. Any other
    /// fee is a cost by itself.
    private static func book(
        _ group: BinanceGroup, _ result: inout ImportedLedger, _ wallet: String
    ) throws(FileFault) {
        let first = group.rows[0]
        guard let exchanges = group.exchanges else {
            let reason = group.reason
            for row in group.rows { result.skip(row.line, reason) }
            return
        }
        let isOnly = exchanges.count == 1
        var getters: [Asset: Int] = [:]
        for exchange in exchanges { getters[exchange.gotten.asset, default: 0] += 1 }
        var fees = group.fees
        for exchange in exchanges {
            let gotten = exchange.gotten
            let coin = isOnly ? fees.keys.min { $0.rawValue < $1.rawValue } : gotten.asset
            var fee: Holding?
            if let coin, let amount = fees[coin],
                isOnly || (getters[coin] == 1 && amount <= gotten.amount)
            {
                fee = Holding(amount, coin)
                fees[coin] = nil
            }
            try result.append(
                exchange.transaction(group.time, wallet, fee: fee, id: "", note: isOnly ? first.remark : ""),
                line: first.line)
        }
        for (coin, amount) in fees.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let fee = Holding(amount, coin)
            try result.append(
                Transaction(time: group.time, kind: .fee, wallet: wallet, subject: fee), line: first.line)
        }
        for row in group.refunds { result.skip(row.line, "a fee that came back") }
    }
}

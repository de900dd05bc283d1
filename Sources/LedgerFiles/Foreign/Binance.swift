import Instruments
import Portfolio

/// Binance's transaction history of all wallets.
///
/// Source of the columns `User_ID,UTC_Time,Account,Operation,Coin,Change,Remark` and of the operations:
/// Binance FAQ, "How to download spot trading transaction history statement", and BittyTax's
/// `conv/parsers/binance/parse_binance_statements.py`, 2025. Times are UTC; one trade is several rows of the
/// same second. The sign of `Change` says whether a coin came or went, for every operation.
enum Binance {
    private static let trades: Set<String> = [
        "Buy", "Sell", "Fee", "Transaction Related", "Transaction Buy", "Transaction Spend",
        "Transaction Sold", "Transaction Revenue", "Transaction Fee", "Binance Convert",
        "Small Assets Exchange BNB", "Small assets exchange BNB", "Large OTC trading", "Buy Crypto",
    ]
    private static let income: [String: TransactionKind] = [
        "Staking Rewards": .staking, "ETH 2.0 Staking Rewards": .staking, "POS savings interest": .staking,
        "Simple Earn Flexible Interest": .lending, "Simple Earn Locked Rewards": .staking,
        "Savings Interest": .lending, "Airdrop Assets": .airdrop,
        "Launchpool Interest": .staking, "Commission Rebate": .income, "Referral Commission": .income,
        "Referral Kickback": .income, "Commission History": .income, "Cashback Voucher": .income,
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
        var group: [BinanceRow] = []
        for row in rows {
            if trades.contains(row.operation) {
                if let first = group.first, first.moment != row.moment {
                    try close(&group, &result, wallet)
                }
                group.append(row)
                continue
            }
            try close(&group, &result, wallet)
            if let other = returned[row.line] {
                result.skip(
                    row.line, "a withdrawal that came back, with line \(other): the coins never left")
            } else if replacements.contains(row.operation) {
                try replace(row, replaced[row.moment] ?? [], &result, wallet)
            } else {
                try result.append(row.transaction(kind(of: row), wallet), line: row.line)
            }
        }
        try close(&group, &result, wallet)
        result.skipped.sort { $0.line < $1.line }
        return result
    }

    private static func isTaken(_ operation: String) -> Bool {
        trades.contains(operation) || deposits.contains(operation) || withdrawals.contains(operation)
            || replacements.contains(operation) || income[operation] != nil
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

    /// Makes one trade of the rows of one second.
    private static func close(
        _ group: inout [BinanceRow], _ result: inout ImportedLedger, _ wallet: String
    ) throws(FileFault) {
        defer { group = [] }
        guard let first = group.first else { return }
        var changes: [Asset: Amount] = [:]
        var fees: [Asset: Amount] = [:]
        for row in group {
            if row.isFee {
                fees[row.asset, default: .zero] -= row.change
            } else {
                changes[row.asset, default: .zero] += row.change
            }
        }
        let given = changes.filter(\.value.isNegative)
        let gotten = changes.filter(\.value.isPositive)
        guard given.count == 1, gotten.count == 1, let give = given.first, let get = gotten.first else {
            for row in group {
                result.skip(
                    row.line, "trades of one second with \(given.count) coins given and \(gotten.count) got")
            }
            return
        }
        let exchange = ForeignExchange(
            given: Holding(-give.value, give.key), gotten: Holding(get.value, get.key))
        let paid = fees.filter(\.value.isPositive).sorted { $0.key.rawValue < $1.key.rawValue }
            .map { Holding($0.value, $0.key) }
        try result.append(
            exchange.transaction(first.time, wallet, fee: paid.first, id: "", note: first.remark),
            line: first.line)
        for fee in paid.dropFirst() {
            try result.append(
                Transaction(time: first.time, kind: .fee, wallet: wallet, subject: fee), line: first.line)
        }
    }
}

import Instruments
import Portfolio

/// Binance's transaction history of all wallets.
///
/// Source of the columns `User_ID,UTC_Time,Account,Operation,Coin,Change,Remark` and of the operations:
/// Binance FAQ, "How to download spot trading transaction history statement", and BittyTax's
/// `conv/parsers/binance/parse_binance_statements.py`, 2025. Times are UTC; one trade is several rows of the
/// same second.
enum Binance {
    private static let trades: Set<String> = [
        "Buy", "Sell", "Fee", "Transaction Related", "Transaction Buy", "Transaction Spend",
        "Transaction Sold", "Transaction Revenue", "Transaction Fee", "Binance Convert",
        "Small Assets Exchange BNB", "Small assets exchange BNB", "Large OTC trading", "Buy Crypto",
    ]
    private static let income: [String: TransactionKind] = [
        "Staking Rewards": .staking, "ETH 2.0 Staking Rewards": .staking, "POS savings interest": .staking,
        "Simple Earn Flexible Interest": .lending, "Simple Earn Locked Rewards": .staking,
        "Savings Interest": .lending, "Distribution": .airdrop, "Airdrop Assets": .airdrop,
        "Launchpool Interest": .staking, "Commission Rebate": .income, "Referral Commission": .income,
        "Referral Kickback": .income, "Commission History": .income, "Cashback Voucher": .income,
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        let table = try ForeignTable(
            bytes, "Binance", needing: ["UTC_Time", "Account", "Operation", "Coin", "Change"])
        var result = ImportedLedger()
        var group: [Fields] = []
        for row in table.rows {
            let operation = try row.required("Operation")
            if trades.contains(operation) {
                if let first = group.first, !belongs(row, to: first) { try close(&group, &result, options) }
                group.append(row)
                continue
            }
            try close(&group, &result, options)
            try single(row, operation, &result, options)
        }
        try close(&group, &result, options)
        return result
    }

    private static func belongs(_ row: Fields, to first: Fields) -> Bool {
        row.text("UTC_Time") == first.text("UTC_Time") && row.text("Account") == first.text("Account")
    }

    private static func single(
        _ row: Fields, _ operation: String, _ result: inout ImportedLedger, _ options: ImportOptions
    ) throws(FileFault) {
        let kind: TransactionKind
        switch operation {
        case "Deposit", "Fiat Deposit": kind = .deposit
        case "Withdraw", "Withdrawal", "Fiat Withdraw", "Fiat Withdrawal": kind = .withdrawal
        default:
            guard let known = income[operation] else {
                return result.skip(row.line, "operation \"\(operation)\" is not taken")
            }
            kind = known
        }
        guard let asset = try row.asset("Coin"), let change = try row.signedAmount("Change") else {
            throw row.fault("Change", "coin and change must both be there")
        }
        guard !change.isZero else { return result.skip(row.line, "a change of nothing") }
        try result.append(
            Transaction(
                time: try row.time("UTC_Time", zone: 0), kind: kind, wallet: options.wallet ?? "Binance",
                subject: Holding(change.magnitude, asset), note: row.text("Remark") ?? ""),
            line: row.line)
    }

    /// Makes one trade of the rows of one second.
    private static func close(
        _ group: inout [Fields], _ result: inout ImportedLedger, _ options: ImportOptions
    ) throws(FileFault) {
        defer { group = [] }
        guard let first = group.first else { return }
        var changes: [Asset: Amount] = [:]
        var fees: [Asset: Amount] = [:]
        for row in group {
            guard let asset = try row.asset("Coin"), let change = try row.signedAmount("Change") else {
                throw row.fault("Change", "coin and change must both be there")
            }
            let isFee = ["Fee", "Transaction Fee"].contains(row.text("Operation") ?? "")
            if isFee {
                fees[asset, default: .zero] -= change
            } else {
                changes[asset, default: .zero] += change
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
        let time = try first.time("UTC_Time", zone: 0)
        let wallet = options.wallet ?? "Binance"
        try result.append(
            exchange.transaction(time, wallet, fee: paid.first, id: "", note: first.text("Remark") ?? ""),
            line: first.line)
        for fee in paid.dropFirst() {
            try result.append(
                Transaction(time: time, kind: .fee, wallet: wallet, subject: fee), line: first.line)
        }
    }
}

import Instruments
import LedgerFiles
import Portfolio

/// Kraken's ledgers, and its trades.
///
/// Source of the columns `txid,refid,time,type,subtype,aclass,asset,amount,fee,balance`, of asset names and
/// of pairs that share a `refid`: Kraken Support, "How to interpret ledger history fields", and BittyTax's
/// `conv/parsers/kraken.py`, 2025. Times are UTC; the balance changes by amount less fee.
enum KrakenFormat {
    private static let renamed = [
        "XXBT": "BTC", "XBT": "BTC", "XXDG": "DOGE", "XDG": "DOGE", "XETH": "ETH", "XETC": "ETC",
        "XLTC": "LTC", "XMLN": "MLN", "XREP": "REP", "XXLM": "XLM", "XXMR": "XMR", "XXRP": "XRP",
        "XZEC": "ZEC", "ZUSD": "USD", "ZEUR": "EUR", "ZGBP": "GBP", "ZCAD": "CAD", "ZJPY": "JPY",
        "ZAUD": "AUD", "ETH2": "ETH",
    ]
    private static let income: [String: TransactionKind] = [
        "staking": .staking, "earn": .staking, "dividend": .dividend, "reward": .income, "airdrop": .airdrop,
    ]

    static func read(_ bytes: [UInt8], _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        // A file without these columns is the other one, whose fault is the one that is told.
        if let trades = try? ForeignTable(bytes, "Kraken", needing: KrakenTrades.columns) {
            return try KrakenTrades.read(trades, options)
        }
        let table = try ForeignTable(
            bytes, "Kraken", needing: ["txid", "refid", "time", "type", "asset", "amount", "fee"])
        var result = ImportedLedger()
        var halves: [String: Fields] = [:]
        var moves: [String: Int] = [:]
        for row in table.rows where row.text("type") == "transfer" {
            moves[row.text("refid") ?? "", default: 0] += 1
        }
        for row in table.rows {
            let type = try row.required("type")
            guard row.text("txid") != nil else {
                result.skip(row.line, "no txid: a request, of which the settled row comes as well")
                continue
            }
            switch type {
            case "trade", "spend", "receive":
                let reference = try row.required("refid")
                if let other = halves.removeValue(forKey: reference) {
                    try exchange(other, row, &result, options)
                } else {
                    halves[reference] = row
                }
            case "transfer" where moves[row.text("refid") ?? ""] ?? 0 > 1 && !isInternal(row):
                result.skip(
                    row.line,
                    "several transfers of one refid, as when a coin is replaced by another: enter it")
            default: try single(row, type, &result, options)
            }
        }
        for row in halves.values.sorted(by: { $0.line < $1.line }) {
            result.skip(row.line, "the other half of the trade is not in the file")
        }
        return result
    }

    private static func holding(_ row: Fields) throws(FileFault) -> Holding {
        guard let asset = try row.asset("asset"), let amount = try row.signedAmount("amount") else {
            throw row.fault("amount", "asset and amount must both be there")
        }
        return Holding(amount, plain(asset.rawValue))
    }

    /// The coin that a name of Kraken's means.
    ///
    /// What is staked or earns is the same coin under a name with a suffix; what is bonded says for how many
    /// days before it: DOT28.S.
    static func plain(_ name: String) -> Asset {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        var plain = parts.first ?? name
        if parts.count == 2, parts[1] == "S", plain.count > 3, plain.suffix(2).allSatisfy(\.isNumber) {
            plain.removeLast(2)
        }
        return Asset(rawValue: renamed[plain] ?? plain)
    }

    private static func fee(_ row: Fields, _ asset: Asset) throws(FileFault) -> Holding? {
        try row.signedAmount("fee").flatMap { Holding($0.magnitude, asset).ifAny }
    }

    private static func exchange(
        _ first: Fields, _ second: Fields, _ result: inout ImportedLedger, _ options: ImportOptions
    ) throws(FileFault) {
        let (one, two) = (try holding(first), try holding(second))
        guard one.amount.isNegative != two.amount.isNegative, !one.amount.isZero, !two.amount.isZero else {
            result.skip(first.line, "a trade needs one amount given and one got")
            result.skip(second.line, "a trade needs one amount given and one got")
            return
        }
        let (given, gotten) = one.amount.isNegative ? (one, two) : (two, one)
        let fees = [try fee(first, one.asset), try fee(second, two.asset)].compactMap { $0 }
        let time = try first.time("time", zone: 0)
        let wallet = options.wallet ?? "Kraken"
        let pair = ForeignExchange(given: Holding(-given.amount, given.asset), gotten: gotten)
        let id = first.text("refid") ?? ""
        try result.append(
            pair.transaction(time, wallet, fee: fees.first, id: id, note: ""), line: first.line)
        for fee in fees.dropFirst() {
            try result.append(
                Transaction(time: time, kind: .fee, wallet: wallet, subject: fee), line: second.line)
        }
    }

    private static func single(
        _ row: Fields, _ type: String, _ result: inout ImportedLedger, _ options: ImportOptions
    ) throws(FileFault) {
        let what = try holding(row)
        guard !what.amount.isZero else {
            // What a margin position costs moves nothing but its fee.
            guard let fee = try row.signedAmount("fee"), fee.isPositive else {
                return result.skip(row.line, "an amount of nothing")
            }
            return try result.append(
                Transaction(
                    time: try row.time("time", zone: 0), kind: .fee, wallet: options.wallet ?? "Kraken",
                    subject: Holding(fee, what.asset), externalID: row.text("txid") ?? "", note: type),
                line: row.line)
        }
        guard let kind = kind(of: row, type, isGiven: what.amount.isNegative) else {
            return result.skip(
                row.line, isInternal(row) ? "moves inside Kraken" : "type \"\(type)\" is not taken")
        }
        // A negative fee is one that comes back, with a deposit or withdrawal that failed.
        let fee = try row.signedAmount("fee") ?? .zero
        let back = fee.isNegative ? -fee : .zero
        let paid = fee.isPositive ? Holding(fee, what.asset) : nil
        try result.append(
            Transaction(
                time: try row.time("time", zone: 0), kind: kind, wallet: options.wallet ?? "Kraken",
                subject: Holding(what.amount.magnitude + back, what.asset), fee: paid,
                externalID: row.text("txid") ?? "", note: type == "transfer" ? "transfer" : ""),
            line: row.line)
    }

    private static func isInternal(_ row: Fields) -> Bool {
        let moves = ["spottostaking", "spotfromstaking", "stakingtospot", "stakingfromspot"]
        return (moves + earning).contains(row.text("subtype") ?? "")
    }

    private static let earning = ["allocation", "deallocation", "migration", "autoallocation"]

    /// What a row does; `nil` for what moves inside Kraken, and for what is not known.
    ///
    /// A deposit or withdrawal with the other sign takes back one that failed. A transfer without a subtype
    /// is a coin of a fork or an airdrop that comes in, or one that is no longer traded and leaves; futures
    /// are another account, of which the file knows nothing.
    private static func kind(of row: Fields, _ type: String, isGiven: Bool) -> TransactionKind? {
        guard !isInternal(row) else { return nil }
        switch type {
        case "deposit", "withdrawal": return isGiven ? .withdrawal : .deposit
        case "transfer":
            switch row.text("subtype") {
            case nil: return isGiven ? .withdrawal : .airdrop
            case "spottofutures", "spotfromfutures": return isGiven ? .withdrawal : .deposit
            default: return nil
            }
        default: return isGiven ? nil : income[type]
        }
    }
}

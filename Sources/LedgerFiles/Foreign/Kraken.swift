import Instruments
import Portfolio

/// Kraken's ledgers.
///
/// Source of the columns `txid,refid,time,type,subtype,aclass,asset,amount,fee,balance`, of asset names and
/// of pairs that share a `refid`: Kraken Support, "How to interpret ledger history fields", and BittyTax's
/// `conv/parsers/kraken.py`, 2025. Times are UTC; the balance changes by amount less fee.
enum Kraken {
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
        let table = try ForeignTable(
            bytes, "Kraken", needing: ["txid", "refid", "time", "type", "asset", "amount", "fee"])
        var result = ImportedLedger()
        var halves: [String: Fields] = [:]
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
        // What is staked or earns is the same coin under a name with a suffix.
        let plain = asset.rawValue.split(separator: ".").first.map(String.init) ?? asset.rawValue
        return Holding(amount, Asset(rawValue: renamed[plain] ?? plain))
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
        let isInternal = ["spottostaking", "spotfromstaking", "stakingtospot", "stakingfromspot"].contains(
            row.text("subtype") ?? "")
        let kind: TransactionKind
        switch type {
        case "deposit": kind = .deposit
        case "withdrawal": kind = .withdrawal
        default:
            guard let known = income[type], what.amount.isPositive,
                !["allocation", "deallocation", "migration", "autoallocation"].contains(row.text("subtype"))
            else {
                return result.skip(
                    row.line, isInternal ? "moves inside Kraken" : "type \"\(type)\" is not taken")
            }
            kind = known
        }
        guard !what.amount.isZero else { return result.skip(row.line, "an amount of nothing") }
        try result.append(
            Transaction(
                time: try row.time("time", zone: 0), kind: kind, wallet: options.wallet ?? "Kraken",
                subject: Holding(what.amount.magnitude, what.asset), fee: try fee(row, what.asset),
                externalID: row.text("txid") ?? ""),
            line: row.line)
    }
}

import Instruments
import LedgerFiles
import Portfolio

/// Kraken's trades.
///
/// Source of the columns `txid,ordertxid,pair,time,type,ordertype,price,cost,fee,vol,margin,misc,ledgers`:
/// Kraken Support, "How to interpret Trades history fields"; cost and fee are in the quote currency. Times
/// are UTC. The ledgers contain the same trades with all else: whoever imports both has each trade twice.
enum KrakenTrades {
    static let columns = ["txid", "ordertxid", "pair", "time", "type", "cost", "fee", "vol"]

    static func read(_ table: ForeignTable, _ options: ImportOptions) throws(FileFault) -> ImportedLedger {
        var result = ImportedLedger()
        for row in table.rows {
            let type = try row.required("type")
            if let margin = try row.signedAmount("margin"), !margin.isZero {
                result.skip(row.line, "a trade on margin: its profit is in the ledgers")
                continue
            }
            guard let (base, quote) = pair(try row.required("pair")) else {
                throw row.fault("pair", "\"\(row.text("pair") ?? "")\" ends in no currency that is known")
            }
            guard type == "buy" || type == "sell" else {
                result.skip(row.line, "type \"\(type)\" is not taken")
                continue
            }
            let volume = try row.requiredAmount("vol")
            let cost = try row.requiredAmount("cost")
            guard volume.isPositive, cost.isPositive else {
                result.skip(row.line, "a trade of nothing")
                continue
            }
            let (coins, money) = (Holding(volume, base), Holding(cost, quote))
            let exchange =
                type == "buy"
                ? ForeignExchange(given: money, gotten: coins) : ForeignExchange(given: coins, gotten: money)
            try result.append(
                exchange.transaction(
                    try row.time("time", zone: 0), options.wallet ?? "Kraken",
                    fee: try row.amount("fee").flatMap { Holding($0, quote).ifAny },
                    id: row.text("txid") ?? "", note: ""),
                line: row.line)
        }
        return result
    }

    /// The longest first, so that USDT is not taken for something in T.
    private static let quotes = [
        "PYUSD", "USDT", "USDC", "DAI", "USD", "EUR", "GBP", "CAD", "JPY", "CHF", "AUD", "AED", "XBT", "BTC",
        "ETH", "DOT",
    ]
    /// Names of four letters with their kind before them, as both sides of an old pair have: XXBTZUSD.
    private static let longQuotes: Set<String> = [
        "ZUSD", "ZEUR", "ZGBP", "ZCAD", "ZJPY", "ZAUD", "XXBT", "XETH",
    ]

    static func pair(_ name: String) -> (base: Asset, quote: Asset)? {
        let sides = name.split(separator: "/").map(String.init)
        if sides.count == 2 { return (KrakenFormat.plain(sides[0]), KrakenFormat.plain(sides[1])) }
        let (first, last) = (String(name.dropLast(4)), String(name.suffix(4)))
        if name.count == 8, longQuotes.contains(last),
            first.hasPrefix("X") || first.hasPrefix("Z") || first == "USDT"
        {
            return (KrakenFormat.plain(first), KrakenFormat.plain(last))
        }
        guard let quote = quotes.first(where: { name.hasSuffix($0) && name.count > $0.count }) else {
            return nil
        }
        return (KrakenFormat.plain(String(name.dropLast(quote.count))), KrakenFormat.plain(quote))
    }
}

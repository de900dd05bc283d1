import Venues

extension VenueSample {
    /// Source: HTX, "Spot API reference", "Market depth MBP", "Trade detail" and "Get all supported trading
    /// symbols (V2)".
    static let huobi = VenueSample(
        description: Huobi.description, first: "btcusdt", second: "ethusdt",
        list: """
            {"status":"ok","data":[{"sc":"btcusdt","bc":"btc","qc":"usdt","tpp":2,"tap":6,"state":"online"}]}
            """,
        image: #"{"id":"1:0","status":"ok","subbed":"market.btcusdt.mbp.150","ts":1600000000000}"# + "\n"
            + #"{"id":"1:0","rep":"market.btcusdt.mbp.150","status":"ok","ts":1600000000000,"#
            + #""data":{"seqNum":10,"bids":[[100.0,2.0]],"asks":[[101.0,1.0]]}}"#,
        changes: [huobiChange(11, 100, 3), huobiChange(12, 99, 4), huobiChange(13, 98, 5)],
        trades: { rows in
            let data = rows.enumerated().map { place, row in huobiTrade(row, place, id: "tradeId") }
            return [
                #"{"ch":"market.btcusdt.trade.detail","ts":1600000000001,"#
                    + #""tick":{"id":1,"ts":1600000000000,"data":[\#(data.joined(separator: ","))]}}"#
            ]
        },
        tradesAnswer: { rows in
            // Newest first.
            let groups = rows.enumerated().reversed().map { place, row in
                #"{"id":\#(place),"ts":1600000000000,"data":[\#(huobiTrade(row, place, id: "trade-id"))]}"#
            }
            let list = groups.joined(separator: ",")
            return "@https://api.huobi.pro/market/history/trade?symbol=btcusdt&size=2000 "
                + #"{"status":"ok","ch":"market.btcusdt.trade.detail","data":[\#(list)]}"#
        },
        asksForImage: #""req""#, verbs: (#""sub""#, #""unsub""#))

    private static func huobiChange(_ number: Int, _ price: Int, _ size: Int) -> String {
        #"{"ch":"market.btcusdt.mbp.150","ts":1600000000000,"tick":{"seqNum":\#(number),"#
            + #""prevSeqNum":\#(number - 1),"bids":[[\#(price).0,\#(size).0]],"asks":[]}}"#
    }

    private static func huobiTrade(_ row: TradeRow, _ place: Int, id: String) -> String {
        #"{"id":100182534526255757567432481,"ts":1600000000000,"\#(id)":\#(place),"#
            + #""amount":\#(row.size),"price":\#(row.price),"direction":"buy"}"#
    }
}

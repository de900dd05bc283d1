import Venues

extension VenueSample {
    /// Source: Poloniex, "Spot WebSocket, Market data" and "Spot API, Trades", examples.
    static let poloniex = VenueSample(
        description: Poloniex.description, first: "BTC_USDT", second: "ETH_USDT",
        list: """
            [{"symbol":"BTC_USDT","baseCurrencyName":"BTC","quoteCurrencyName":"USDT","state":"NORMAL",\
            "symbolTradeLimit":{"symbol":"BTC_USDT","priceScale":2,"quantityScale":6,"minQuantity":"0.00001"}}]
            """,
        image: poloniexBook(
            "snapshot", 10, after: 9, bids: #"["100","2.000"]"#, asks: #"["101.00","1"]"#),
        changes: [
            poloniexBook("update", 11, after: 10, bids: #"["100","3.00"]"#),
            poloniexBook("update", 15, after: 11, bids: #"["99","4"]"#),
            poloniexBook("update", 16, after: 15, bids: #"["98","5"]"#),
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"channel":"trades","data":[{"symbol":"BTC_USDT",\#(poloniexTrade(row, place, "sell"))}]}"#
            }
        },
        tradesAnswer: { rows in
            let data = rows.enumerated().map { place, row in "{\(poloniexTrade(row, place, "SELL"))}" }
            return "@https://api.poloniex.com/markets/BTC_USDT/trades?limit=1000 "
                + "[\(data.joined(separator: ","))]"
        })

    static func poloniexBook(
        _ action: String, _ id: Int, after last: Int, bids: String = "", asks: String = "",
        of symbol: String = "BTC_USDT"
    ) -> String {
        #"{"channel":"book_lv2","data":[\#(poloniexRow(id, after: last, bids: bids, asks: asks, of: symbol))],"#
            + #""action":"\#(action)"}"#
    }

    static func poloniexRow(
        _ id: Int, after last: Int, bids: String = "", asks: String = "", of symbol: String = "BTC_USDT"
    ) -> String {
        #"{"symbol":"\#(symbol)","createTime":1600000000000,"asks":[\#(asks)],"bids":[\#(bids)],"#
            + #""lastId":\#(last),"id":\#(id),"ts":1600000000005}"#
    }

    private static func poloniexTrade(_ row: TradeRow, _ place: Int, _ side: String) -> String {
        #""id":"\#(place)","price":"\#(row.price)","quantity":"\#(row.size)","amount":"1","#
            + #""takerSide":"\#(side)","ts":160000000000\#(place),"createTime":1600000000000"#
    }
}

import Venues

extension VenueSample {
    /// Source: KuCoin API documentation, "Orderbook - Increment", "Get Part OrderBook", "Trade" and "Get All
    /// Symbols".
    static let kucoin = VenueSample(
        description: KuCoin.description, first: "BTC-USDT", second: "ETH-USDT",
        list: """
            {"code":"200000","data":[{"symbol":"BTC-USDT","name":"BTC-USDT","baseCurrency":"BTC",\
            "quoteCurrency":"USDT","baseIncrement":"0.00000001","priceIncrement":"0.1","enableTrading":true}]}
            """,
        image: "@https://api.kucoin.com/api/v1/market/orderbook/level2_100?symbol=BTC-USDT "
            + #"{"code":"200000","data":{"time":1600000000000,"sequence":"10","bids":[["100","2"]],"#
            + #""asks":[["101","1"]]}}"#,
        changes: [kucoinChange(100, 3, 11), kucoinChange(99, 4, 12), kucoinChange(98, 5, 13)],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"data":{"symbol":"BTC-USDT","sequence":"1","side":"buy","size":"\#(row.size)","#
                    + #""price":"\#(row.price)","time":"1600000000000000001","type":"match","#
                    + #""tradeId":"t\#(place)"},"subject":"trade.l3match","topic":"/market/match:BTC-USDT","#
                    + #""type":"message"}"#
            }
        },
        tradesAnswer: { _ in nil }, confirmation: kucoinAcknowledgement)

    /// The answer to a message, by its number.
    static let kucoinAcknowledgement: @Sendable (String) -> String? = { text in
        text.firstMatch(of: /^{"id":(\d+),"type":"(un)?subscribe"/).map { #"{"id":"\#($0.1)","type":"ack"}"# }
    }

    private static func kucoinChange(_ price: Int, _ size: Int, _ number: Int) -> String {
        #"{"data":{"sequenceStart":\#(number),"symbol":"BTC-USDT","changes":{"asks":[],"bids":[["\#(price)","#
            + #""\#(size)","\#(number)"]]},"sequenceEnd":\#(number)},"subject":"trade.l2update","#
            + #""topic":"/market/level2:BTC-USDT","type":"message"}"#
    }
}

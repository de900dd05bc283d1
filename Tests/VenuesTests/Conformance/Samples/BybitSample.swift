import Venues

extension VenueSample {
    /// Source: Bybit, "V5 API", examples of "Orderbook", "Trade", "Get instruments info" and "Get recent
    /// public trades".
    static func bybit(_ description: VenueDescription) -> VenueSample {
        let isInverse = description.countsContracts
        let category = isInverse ? "inverse" : description.saysMarkPrices ? "linear" : "spot"
        let symbol = isInverse ? "BTCUSD" : "BTCUSDT"
        let quote = isInverse ? "USD" : "USDT"
        return VenueSample(
            description: description, first: symbol, second: isInverse ? "ETHUSD" : "ETHUSDT",
            list: """
                {"retCode":0,"retMsg":"OK","result":{"category":"\(category)","nextPageCursor":"","list":[\
                {"symbol":"\(symbol)","status":"Trading","baseCoin":"BTC","quoteCoin":"\(quote)",\
                "priceFilter":{"tickSize":"0.01"},"lotSizeFilter":{"qtyStep":"0.001"}}]},"time":1}
                """,
            image: bybitBook("snapshot", symbol, 10, bid: (100, 2), asks: #"["101.00","1.000"]"#),
            changes: [
                bybitBook("delta", symbol, 11, bid: (100, 3)), bybitBook("delta", symbol, 12, bid: (99, 4)),
                bybitBook("delta", symbol, 13, bid: (98, 5)),
            ],
            trades: { rows in
                let data = rows.enumerated().map { place, row in
                    #"{"T":1600000000000,"s":"\#(symbol)","S":"Buy","v":"\#(row.size)","p":"\#(row.price)","#
                        + #""L":"PlusTick","i":"t\#(place)","BT":false}"#
                }.joined(separator: ",")
                return [
                    #"{"topic":"publicTrade.\#(symbol)","type":"snapshot","ts":1,"data":[\#(data)]}"#
                ]
            },
            tradesAnswer: { rows in
                // The newest come first.
                let data = rows.enumerated().reversed().map { place, row in
                    #"{"execId":"t\#(place)","symbol":"\#(symbol)","price":"\#(row.price)","#
                        + #""size":"\#(row.size)","side":"Buy","time":"1600000000000"}"#
                }.joined(separator: ",")
                let url = "https://api.bybit.com/v5/market/recent-trade?category=\(category)&symbol=\(symbol)"
                return "@\(url)&limit=60 "
                    + #"{"retCode":0,"retMsg":"OK","result":{"category":"x","list":[\#(data)]}}"#
            })
    }

    private static func bybitBook(
        _ type: String, _ symbol: String, _ number: Int, bid: (Int, Int), asks: String = ""
    ) -> String {
        #"{"topic":"orderbook.1000.\#(symbol)","type":"\#(type)","ts":1600000000000,"data":{"s":"\#(symbol)","#
            + #""b":[["\#(bid.0).00","\#(bid.1).000"]],"a":[\#(asks)],"u":\#(number),"seq":7},"#
            + #""cts":1600000000000}"#
    }
}

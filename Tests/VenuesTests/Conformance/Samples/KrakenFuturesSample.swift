import Venues

extension VenueSample {
    /// Source: Kraken, "Futures WebSocket v1", examples of `book` and `trade`; "Futures REST API", examples of
    /// instruments and trade history.
    static let krakenFutures = VenueSample(
        description: KrakenFutures.description, first: "PF_XBTUSD", second: "PF_ETHUSD",
        list: """
            {"result":"success","instruments":[{"symbol":"PF_XBTUSD","type":"flexible_futures","tickSize":1,\
            "contractSize":1,"tradeable":true,"contractValueTradePrecision":4,"base":"BTC","quote":"USD"},\
            {"symbol":"in_xbtusd","type":"spot index","tradeable":false}],"serverTime":"2026-01-01T00:00:00Z"}
            """,
        image: """
            {"feed":"book_snapshot","product_id":"PF_XBTUSD","timestamp":1600000000000,"seq":10,"tickSize":null,\
            "bids":[{"price":100.0,"qty":2.0}],"asks":[{"price":101.0,"qty":1.0}]}
            """,
        changes: [
            krakenFuturesChange(11, 100, 3), krakenFuturesChange(12, 99, 4), krakenFuturesChange(13, 98, 5),
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"feed":"trade","product_id":"PF_XBTUSD","uid":"t\#(place)","side":"buy","type":"fill","#
                    + #""seq":\#(place),"time":1600000000000,"qty":\#(row.size),"price":\#(row.price)}"#
            }
        },
        tradesAnswer: { rows in
            let data = rows.enumerated().map { place, row in
                #"{"time":"2026-01-01T00:00:0\#(place).000Z","trade_id":\#(place),"price":\#(row.price),"#
                    + #""size":\#(row.size),"side":"buy","type":"fill","uid":"t\#(place)"}"#
            }
            return "@https://futures.kraken.com/derivatives/api/v3/history?symbol=PF_XBTUSD "
                + #"{"result":"success","history":[\#(data.joined(separator: ","))]}"#
        })

    static func krakenFuturesChange(
        _ sequence: Int, _ price: Int, _ size: Int, side: String = "buy"
    ) -> String {
        #"{"feed":"book","product_id":"PF_XBTUSD","side":"\#(side)","seq":\#(sequence),"price":\#(price).0,"#
            + #""qty":\#(size).0,"timestamp":1600000000000}"#
    }
}

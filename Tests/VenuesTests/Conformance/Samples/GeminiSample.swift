import Venues

extension VenueSample {
    /// Source: Gemini, developer documentation, "Market Data v2" and "Trade history", examples of messages.
    static let gemini = VenueSample(
        description: Gemini.description, first: "BTCUSD", second: "ETHUSD",
        list: """
            [{"symbol":"BTCUSD","base_currency":"BTC","quote_currency":"USD","tick_size":1E-8,\
            "quote_increment":0.01,"min_order_size":"0.00001","status":"open","product_type":"spot"}]
            """,
        image: #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","100","2"],["sell","101.0","1"]],"#
            + #""trades":[],"auction_events":[]}"#,
        changes: [
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","100.00","3"]]}"#,
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","99","4.0"]]}"#,
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","98","5"]]}"#,
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"type":"trade","symbol":"BTCUSD","event_id":\#(place),"timestamp":1600000000000,"#
                    + #""price":"\#(row.price)","quantity":"\#(row.size)","side":"sell"}"#
            }
        },
        tradesAnswer: { rows in
            let data = rows.enumerated().reversed().map { place, row in
                #"{"timestamp":1600000000,"timestampms":1600000000000,"tid":\#(place),"#
                    + #""price":"\#(row.price)","amount":"\#(row.size)","exchange":"gemini","type":"buy"}"#
            }
            return "@https://api.gemini.com/v1/trades/btcusd?since_tid=0&limit_trades=500 "
                + "[\(data.joined(separator: ","))]"
        })
}

import Venues

extension VenueSample {
    /// Source: Coinbase Developer Documentation, "Advanced Trade WebSocket channels", examples of `level2`
    /// and `market_trades`.
    static let coinbase = VenueSample(
        description: Coinbase.description, first: "BTC-USD", second: "ETH-USD",
        list: """
            {"products":[{"product_id":"BTC-USD","base_currency_id":"BTC","quote_currency_id":"USD",\
            "price_increment":"0.01","base_increment":"0.00000001","product_type":"SPOT","alias":"",\
            "status":"online"}],"num_products":1}
            """,
        image: coinbaseBook(nil, "snapshot", [("bid", "100.00", "2.0"), ("offer", "101", "1")]),
        changes: [
            coinbaseBook(1, "update", [("bid", "100", "3.00")]),
            coinbaseBook(2, "update", [("bid", "99.00", "4")]),
            coinbaseBook(3, "update", [("bid", "98", "5")]),
        ],
        trades: { rows in
            let data = coinbaseTrades(rows).joined(separator: ",")
            return [
                #"{"channel":"market_trades","timestamp":"2026-01-01T00:00:00.123456789Z","#
                    + #""events":[{"type":"update","trades":[\#(data)]}]}"#
            ]
        },
        tradesAnswer: { rows in
            let data = coinbaseTrades(rows).reversed().joined(separator: ",")
            return "@https://api.coinbase.com/api/v3/brokerage/market/products/BTC-USD/ticker?limit=1000 "
                + #"{"trades":[\#(data)],"best_bid":"100","best_ask":"101"}"#
        })

    /// A message of `level2`, with its number if it has one.
    static func coinbaseBook(
        _ number: Int?, _ type: String, _ levels: [(side: String, price: String, size: String)],
        of product: String = "BTC-USD"
    ) -> String {
        let updates = levels.map { level in
            #"{"side":"\#(level.side)","event_time":"1970-01-01T00:00:00Z","#
                + #""price_level":"\#(level.price)","new_quantity":"\#(level.size)"}"#
        }.joined(separator: ",")
        let counted = number.map { #""sequence_num":\#($0),"# } ?? ""
        return #"{"channel":"l2_data","client_id":"","timestamp":"2026-01-01T00:00:00.5Z",\#(counted)"#
            + #""events":[{"type":"\#(type)","product_id":"\#(product)","updates":[\#(updates)]}]}"#
    }

    private static func coinbaseTrades(_ rows: [TradeRow]) -> [String] {
        rows.enumerated().map { place, row in
            #"{"trade_id":"\#(place)","product_id":"BTC-USD","price":"\#(row.price)","size":"\#(row.size)","#
                + #""time":"2026-01-01T00:00:00.000001Z","side":"BUY"}"#
        }
    }
}

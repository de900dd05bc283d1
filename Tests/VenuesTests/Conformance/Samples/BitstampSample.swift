import Venues

extension VenueSample {
    /// Source: Bitstamp, "WebSocket API v2" and "HTTP API", examples of messages and answers.
    static let bitstamp = VenueSample(
        description: Bitstamp.description, first: "btcusd", second: "ethusd",
        list: """
            [{"name":"BTC/USD","market_symbol":"btcusd","base_currency":"BTC","base_decimals":8,\
            "counter_currency":"USD","counter_decimals":0,"trading":"Enabled","market_type":"SPOT"}]
            """,
        // No image is taken before the subscription is confirmed.
        image: #"{"event":"bts:subscription_succeeded","channel":"diff_order_book_btcusd","data":{}}"# + "\n"
            + bitstampImage(at: 10, bids: [("100", "2.00000000")], asks: [("101", "1.00000000")]),
        changes: [
            bitstampChange(at: 11, bids: [("100", "3.00000000")]),
            bitstampChange(at: 12, bids: [("99.0", "4.00000000")]),
            bitstampChange(at: 13, bids: [("98", "5.00000000")]),
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"data":{"id":\#(place),"timestamp":"1600000000","amount":\#(row.size),"#
                    + #""amount_str":"\#(row.size)","price":\#(row.price),"price_str":"\#(row.price)","#
                    + #""type":1,"microtimestamp":"1600000000000000","buy_order_id":1,"sell_order_id":2},"#
                    + #""channel":"live_trades_btcusd","event":"trade"}"#
            }
        },
        tradesAnswer: { _ in nil })

    /// The whole book as of so many microseconds after a second.
    static func bitstampImage(
        at micros: Int, bids: [(String, String)], asks: [(String, String)]
    ) -> String {
        "@https://www.bitstamp.net/api/v2/order_book/btcusd/ {\(bitstampData(micros, bids, asks))}"
    }

    /// A change of so many microseconds after a second.
    static func bitstampChange(
        at micros: Int, bids: [(String, String)], asks: [(String, String)] = []
    ) -> String {
        #"{"data":{\#(bitstampData(micros, bids, asks))},"channel":"diff_order_book_btcusd","event":"data"}"#
    }

    private static func bitstampData(
        _ micros: Int, _ bids: [(String, String)], _ asks: [(String, String)]
    ) -> String {
        func side(_ levels: [(String, String)]) -> String {
            levels.map { #"["\#($0.0)","\#($0.1)"]"# }.joined(separator: ",")
        }
        return #""timestamp":"1600000000","microtimestamp":"\#(1_600_000_000_000_000 + micros)","#
            + #""bids":[\#(side(bids))],"asks":[\#(side(asks))]"#
    }
}

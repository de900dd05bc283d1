import Venues

extension VenueSample {
    /// Source: Bitget API documentation v2, examples of "Depth Channel", "Trading Channel" and "Get Market
    /// Trades".
    static let bitget = VenueSample(
        description: Bitget.description, first: "SPOT:BTCUSDT", second: "SPOT:ETHUSDT",
        list: """
            {"code":"00000","msg":"success","data":[{"symbol":"BTCUSDT","baseCoin":"BTC","quoteCoin":"USDT",\
            "pricePrecision":"2","quantityPrecision":"6","status":"online"}]}
            """,
        image: bitgetBook("snapshot", #""asks":[["101","1"]],"bids":[["100","2"]]"#, after: 0, number: 10),
        changes: [
            bitgetBook("update", #""asks":[],"bids":[["100","3"]]"#, after: 10, number: 12),
            bitgetBook("update", #""asks":[],"bids":[["99","4"]]"#, after: 12, number: 17),
            bitgetBook("update", #""asks":[],"bids":[["98","5"]]"#, after: 17, number: 18),
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                bitgetMessage("update", "trade", bitgetTrade(row, place))
            }
        },
        tradesAnswer: { rows in
            // Newest first.
            let data = rows.enumerated().reversed().map { bitgetTrade($1, $0) }.joined(separator: ",")
            return "@https://api.bitget.com/api/v2/spot/market/fills-history?symbol=BTCUSDT&limit=1000 "
                + #"{"code":"00000","msg":"success","requestTime":1,"data":[\#(data)]}"#
        }, product: "SPOT:")

    static func bitgetMessage(
        _ action: String, _ channel: String, _ data: String,
        of topic: (product: String, id: String) = ("SPOT", "BTCUSDT")
    ) -> String {
        let arg = #""instType":"\#(topic.product)","channel":"\#(channel)","instId":"\#(topic.id)""#
        return #"{"action":"\#(action)","arg":{\#(arg)},"data":[\#(data)],"ts":1695716059520}"#
    }

    static func bitgetBook(_ action: String, _ sides: String, after previous: Int, number: Int) -> String {
        bitgetMessage(
            action, "books",
            #"{\#(sides),"checksum":0,"pseq":\#(previous),"seq":\#(number),"ts":"1695716059516"}"#)
    }

    private static func bitgetTrade(_ row: TradeRow, _ place: Int) -> String {
        #"{"ts":"1695709835822","price":"\#(row.price)","size":"\#(row.size)","side":"buy","#
            + #""tradeId":"\#(place)"}"#
    }
}

import Venues

extension VenueSample {
    /// Source: Deribit API, examples of "book.(instrument_name).(interval)", "trades",
    /// "public/get_instruments" and "public/get_last_trades_by_instrument".
    static let deribit = VenueSample(
        description: Deribit.description, first: "BTC-PERPETUAL", second: "ETH-PERPETUAL",
        list: """
            {"jsonrpc":"2.0","result":[{"instrument_name":"BTC-PERPETUAL","kind":"future","tick_size":0.5,\
            "settlement_period":"perpetual","base_currency":"BTC","quote_currency":"USD",\
            "min_trade_amount":10.0,"contract_size":10.0,"future_type":"reversed"}],"usIn":1,"usOut":2}
            """,
        image: deribitBook(
            #""type":"snapshot""#, 10, bids: #"["new",100.0,2.0]"#, asks: #"["new",101.0,1.0]"#),
        changes: [
            deribitBook(#""type":"change","prev_change_id":10"#, 12, bids: #"["change",100.0,3.0]"#),
            deribitBook(#""type":"change","prev_change_id":12"#, 15, bids: #"["new",99.0,4.0]"#),
            deribitBook(#""type":"change","prev_change_id":15"#, 16, bids: #"["new",98.0,5.0]"#),
        ],
        trades: { rows in
            let data = deribitTrades(rows)
            return [
                #"{"jsonrpc":"2.0","method":"subscription","params":{"#
                    + #""channel":"trades.BTC-PERPETUAL.100ms","data":[\#(data)]}}"#
            ]
        },
        tradesAnswer: { rows in
            "@https://www.deribit.com/api/v2/public/get_last_trades_by_instrument?instrument_name=BTC-PERPETUAL"
                + #" {"jsonrpc":"2.0","result":{"trades":[\#(deribitTrades(rows))],"has_more":false}}"#
        },
        asksForImage: #"public/subscribe""#)

    private static func deribitTrades(_ rows: [TradeRow]) -> String {
        rows.enumerated().map { place, row in
            #"{"trade_seq":\#(place),"trade_id":"t\#(place)","timestamp":1600000000000,"price":\#(row.price),"#
                + #""instrument_name":"BTC-PERPETUAL","direction":"buy","amount":\#(row.size)}"#
        }.joined(separator: ",")
    }

    private static func deribitBook(
        _ head: String, _ number: Int, bids: String, asks: String = ""
    ) -> String {
        #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"book.BTC-PERPETUAL.100ms","data":{"#
            + #"\#(head),"timestamp":1600000000000,"instrument_name":"BTC-PERPETUAL","change_id":\#(number),"#
            + #""bids":[\#(bids)],"asks":[\#(asks)]}}}"#
    }
}

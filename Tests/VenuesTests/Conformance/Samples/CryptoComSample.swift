import Venues

extension VenueSample {
    /// Source: Crypto.com, "Exchange API v1", `book.{instrument_name}.{depth}`, `trade.{instrument_name}`,
    /// `public/get-trades` and `public/get-instruments`.
    static let cryptoCom = VenueSample(
        description: CryptoCom.description, first: "BTC_USD", second: "ETH_USD",
        list: """
            {"id":1,"method":"public/get-instruments","code":0,"result":{"data":[{"symbol":"BTC_USD",\
            "inst_type":"CCY_PAIR","base_ccy":"BTC","quote_ccy":"USD","quote_decimals":2,\
            "quantity_decimals":5,"price_tick_size":"0.01","qty_tick_size":"0.00001","tradable":true}]}}
            """,
        image: cryptoComBook(
            "book", #""asks":[["101.00","1","1"]],"bids":[["100.00","2","1"]],"t":1600000000000,"u":10"#),
        changes: [cryptoComChange(11, 100, 3), cryptoComChange(12, 99, 4), cryptoComChange(13, 98, 5)],
        trades: { rows in
            let data = rows.enumerated().map { place, row in cryptoComTrade(row, place) }
            let list = data.joined(separator: ",")
            return [
                #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","#
                    + #""subscription":"trade.BTC_USD","channel":"trade","data":[\#(list)]}}"#
            ]
        },
        tradesAnswer: { rows in
            // Newest first.
            let data = rows.enumerated().reversed().map { place, row in cryptoComTrade(row, place) }
            return "@https://api.crypto.com/exchange/v1/public/get-trades?instrument_name=BTC_USD&count=150 "
                + #"{"id":-1,"code":0,"result":{"data":[\#(data.joined(separator: ","))]}}"#
        })

    private static func cryptoComBook(_ channel: String, _ row: String) -> String {
        #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","#
            + #""subscription":"book.BTC_USD.50","channel":"\#(channel)","depth":50,"data":[{\#(row)}]}}"#
    }

    private static func cryptoComChange(_ number: Int, _ price: Int, _ size: Int) -> String {
        cryptoComBook(
            "book.update",
            #""update":{"asks":[],"bids":[["\#(price).00","\#(size)","1"]]},"t":1600000000000,"#
                + #""u":\#(number),"pu":\#(number - 1)"#)
    }

    private static func cryptoComTrade(_ row: TradeRow, _ place: Int) -> String {
        #"{"d":"\#(place)","t":1600000000000,"p":"\#(row.price)","q":"\#(row.size)","s":"BUY","i":"BTC_USD"}"#
    }
}

import Venues

extension VenueSample {
    /// Source: OKX API guide v5, examples of "Order book channel", "All trades channel" and "Get trades".
    static func okx(_ description: VenueDescription) -> VenueSample {
        VenueSample(
            description: description, first: "BTC-USDT", second: "ETH-USDT",
            list: """
                {"code":"0","msg":"","data":[{"instId":"BTC-USDT","instType":"SPOT","baseCcy":"BTC",\
                "quoteCcy":"USDT","tickSz":"0.1","lotSz":"0.00000001","state":"live"}]}
                """,
            image: okxBook(
                "snapshot", #""asks":[["101","1","0","1"]],"bids":[["100","2","0","1"]]"#, after: -1,
                number: 10),
            changes: [
                okxBook("update", #""asks":[],"bids":[["100","3","0","1"]]"#, after: 10, number: 12),
                okxBook("update", #""asks":[],"bids":[["99","4","0","1"]]"#, after: 12, number: 17),
                okxBook("update", #""asks":[],"bids":[["98","5","0","1"]]"#, after: 17, number: 18),
            ],
            trades: { rows in
                let arg = #"{"channel":"trades-all","instId":"BTC-USDT"}"#
                return rows.enumerated().map { #"{"arg":\#(arg),"data":[\#(okxTrade($1, $0))]}"# }
            },
            tradesAnswer: { rows in
                // Newest first.
                let data = rows.enumerated().reversed().map { okxTrade($1, $0) }.joined(separator: ",")
                return "@\(description.restURL)/api/v5/market/history-trades?instId=BTC-USDT "
                    + #"{"code":"0","msg":"","data":[\#(data)]}"#
            })
    }

    static func okxBook(_ action: String, _ sides: String, after previous: Int, number: Int) -> String {
        #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"\#(action)","data":[{\#(sides),"#
            + #""ts":"1597026383085","checksum":0,"prevSeqId":\#(previous),"seqId":\#(number)}]}"#
    }

    private static func okxTrade(_ row: TradeRow, _ place: Int) -> String {
        #"{"instId":"BTC-USDT","tradeId":"\#(place)","px":"\#(row.price)","sz":"\#(row.size)","#
            + #""side":"buy","ts":"1597026383085"}"#
    }
}

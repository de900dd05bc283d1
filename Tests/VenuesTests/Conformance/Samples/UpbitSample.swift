import Venues

extension VenueSample {
    /// Source: Upbit, "WebSocket, Orderbook" and "Trade", "Recent trades", "List of trading pairs".
    static let upbit = VenueSample(
        description: Upbit.description, first: "KRW-BTC", second: "KRW-ETH",
        list: #"[{"market":"KRW-BTC","korean_name":"비트코인","english_name":"Bitcoin"}]"#,
        image: upbitBook([(100, 2)]),
        changes: [
            upbitBook([(100, 3)]), upbitBook([(100, 3), (99, 4)]),
            upbitBook([(100, 3), (99, 4), (98, 5)]),
        ],
        trades: { rows in
            rows.enumerated().map { place, row in
                #"{"type":"trade","code":"KRW-BTC","timestamp":1600000000001,"#
                    + #""trade_timestamp":1600000000000,"trade_price":\#(row.price),"#
                    + #""trade_volume":\#(row.size),"ask_bid":"BID","sequential_id":\#(place),"#
                    + #""stream_type":"REALTIME"}"#
            }
        },
        tradesAnswer: { rows in
            // Newest first.
            let data = rows.enumerated().reversed().map { place, row in
                #"{"market":"KRW-BTC","timestamp":1600000000000,"trade_price":\#(row.price),"#
                    + #""trade_volume":\#(row.size),"ask_bid":"BID","sequential_id":\#(place)}"#
            }
            return "@https://api.upbit.com/v1/trades/ticks?market=KRW-BTC&count=500 "
                + "[\(data.joined(separator: ","))]"
        },
        hasDeltas: false, sendsWholeLists: true)

    /// A book with the one ask; where there are more bids, the other side has zeros.
    private static func upbitBook(_ bids: [(Int, Int)]) -> String {
        let units = bids.enumerated().map { place, bid in
            let ask = place == 0 ? (101, 1) : (0, 0)
            return #"{"ask_price":\#(ask.0),"bid_price":\#(bid.0),"ask_size":\#(ask.1),"bid_size":\#(bid.1)}"#
        }
        return #"{"type":"orderbook","code":"KRW-BTC","timestamp":1600000000000,"total_ask_size":1.0,"#
            + #""orderbook_units":[\#(units.joined(separator: ","))],"stream_type":"REALTIME"}"#
    }
}

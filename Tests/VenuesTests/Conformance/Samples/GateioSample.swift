import Venues

extension VenueSample {
    /// Source: Gate, "Spot WebSocket v4", "Futures WebSocket v4" and "API v4", examples of the order book
    /// update, of trades and of the lists of instruments.
    static func gateio(_ description: VenueDescription) -> VenueSample {
        let isFutures = description.saysMarkPrices
        let route = description.restURL + (isFutures ? "/api/v4/futures/usdt/" : "/api/v4/spot/")
        let name = isFutures ? "contract" : "currency_pair"
        func level(_ price: Int, _ size: Int) -> String {
            isFutures ? #"{"p":"\#(price).0","s":\#(size)}"# : #"["\#(price).0","\#(size).00"]"#
        }
        func change(_ first: Int, _ last: Int, _ price: Int, _ size: Int) -> String {
            let market = isFutures ? "futures" : "spot"
            return #"{"time":1600000000,"channel":"\#(market).order_book_update","event":"update","#
                + #""result":{"t":1600000000123,"e":"depthUpdate","E":1600000000,"s":"BTC_USDT","#
                + #""U":\#(first),"u":\#(last),"b":[\#(level(price, size))],"a":[]}}"#
        }
        return VenueSample(
            description: description, first: "BTC_USDT", second: "ETH_USDT",
            list: isFutures
                ? #"[{"name":"BTC_USDT","type":"direct","quanto_multiplier":"0.0001","order_price_round":"0.1"}]"#
                : """
                [{"id":"BTC_USDT","base":"BTC","quote":"USDT","amount_precision":6,"precision":1,\
                "trade_status":"tradable"}]
                """,
            image: "@\(route)order_book?\(name)=BTC_USDT&limit=100&with_id=true "
                + #"{"id":10,"current":1600000000123,"update":1600000000100,"asks":[\#(level(101, 1))],"#
                + #""bids":[\#(level(100, 2))]}"#,
            changes: [change(9, 12, 100, 3), change(13, 14, 99, 4), change(15, 16, 98, 5)],
            trades: { rows in
                rows.enumerated().map { place, row in gateioTrade(row, place, isFutures: isFutures) }
            },
            tradesAnswer: { rows in
                let data = rows.enumerated().map { place, row in
                    "{\(gateioTradeFields(row, place, isFutures: isFutures))}"
                }
                return "@\(route)trades?\(name)=BTC_USDT&from=1600000000&limit=1000 "
                    + "[\(data.joined(separator: ","))]"
            }, unusableRows: unusable.filter { !isFutures || !$0.size.hasPrefix("-") },
            confirmation: gateioSubscribed)
    }

    /// The answer to a subscription, by its number.
    static let gateioSubscribed: @Sendable (String) -> String? = { text in
        text.firstMatch(of: /"channel":"([a-z._]+)","id":(\d+),"event":"subscribe"/).map {
            #"{"time":1,"id":\#($0.2),"channel":"\#($0.1)","event":"subscribe","#
                + #""result":{"status":"success"},"error":null}"#
        }
    }

    private static func gateioTrade(_ row: TradeRow, _ place: Int, isFutures: Bool) -> String {
        let fields = gateioTradeFields(row, place, isFutures: isFutures)
        let channel = isFutures ? "futures.trades" : "spot.trades"
        let head = #"{"time":1600000000,"channel":"\#(channel)","event":"update""#
        return head + #","result":\#(isFutures ? "[{\(fields)}]" : "{\(fields)}")}"#
    }

    private static func gateioTradeFields(_ row: TradeRow, _ place: Int, isFutures: Bool) -> String {
        let time = "160000000000\(place)"
        return isFutures
            ? #""contract":"BTC_USDT","id":\#(place),"create_time_ms":\#(time),"size":\#(row.size),"#
                + #""price":"\#(row.price)""#
            : #""currency_pair":"BTC_USDT","id":\#(place),"create_time_ms":"\#(time).25","side":"buy","#
                + #""amount":"\#(row.size)","price":"\#(row.price)""#
    }
}

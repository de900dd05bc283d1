import Instruments

/// Sources: the venues' documentation of their trade messages, and recordings of them.
extension SpokenTrades {
    static let others: [String: SpokenTrades] = [
        "kucoin": kucoin,
        "gateio": gateio,
        "gateio-futures": gateioFutures,
        "bitfinex": bitfinex,
        "kraken-futures": krakenFutures,
        "poloniex": poloniex,
        "huobi": huobi,
        "upbit": upbit,
    ]

    private static func milliseconds(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000 }

    /// With a fraction: what is a time of this venue in milliseconds of 1970 would be taken for seconds.
    private static func seconds(_ time: Timestamp) -> String {
        DecimalNumber(units: milliseconds(time), scale: Scale(3) ?? .zero).description
    }

    private static let kucoin = SpokenTrades(
        symbol: "BTC-USDT", address: "/endpoint?token=simulated",
        subscription: #"{"id":1,"type":"subscribe","topic":"/market/match:BTC-USDT","response":true}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"type":"message","topic":"/market/match:BTC-USDT","subject":"trade.l3match","data":{"#
            + #""symbol":"BTC-USDT","side":"buy","size":"\#(size)","price":"\#(price)","#
            + #""time":"\#(time.nanoseconds)","tradeId":"\#(id)"}}"#
    }

    private static let gateio = SpokenTrades(
        symbol: "BTC_USDT", address: "/ws/v4/",
        subscription: #"{"time":1,"channel":"spot.trades","event":"subscribe","payload":["BTC_USDT"]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"time":1,"channel":"spot.trades","event":"update","result":{"id":\#(id),"#
            + #""create_time":\#(seconds(time)),"side":"buy","currency_pair":"BTC_USDT","#
            + #""amount":"\#(size)","price":"\#(price)"}}"#
    }

    private static let gateioFutures = SpokenTrades(
        symbol: "BTC_USDT", address: "/v4/ws/usdt",
        subscription: #"{"time":1,"channel":"futures.trades","event":"subscribe","payload":["BTC_USDT"]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"time":1,"channel":"futures.trades","event":"update","result":[{"id":\#(id),"#
            + #""create_time":\#(seconds(time)),"contract":"BTC_USDT","size":\#(size),"price":"\#(price)"}]}"#
    }

    private static let bitfinex = SpokenTrades(
        symbol: "tBTCUSD", address: "/ws/2",
        subscription: #"{"event":"subscribe","channel":"trades","symbol":"tBTCUSD"}"#,
        preface: #"{"event":"subscribed","channel":"trades","chanId":17,"symbol":"tBTCUSD","pair":"BTCUSD"}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"[17,"te",[\#(id),\#(milliseconds(time)),\#(size),\#(price)],\#(id)]"#
    }

    private static let krakenFutures = SpokenTrades(
        symbol: "PI_XBTUSD", address: "/ws/v1",
        subscription: #"{"event":"subscribe","feed":"trade","product_ids":["PI_XBTUSD"]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"feed":"trade","product_id":"PI_XBTUSD","uid":"\#(id)","side":"buy","type":"fill","seq":\#(id),"#
            + #""time":\#(milliseconds(time)),"qty":\#(size),"price":\#(price)}"#
    }

    private static let poloniex = SpokenTrades(
        symbol: "BTC_USDT", address: "/ws/public",
        subscription: #"{"event":"subscribe","channel":["trades"],"symbols":["BTC_USDT"]}"#
    ) { time, price, size, id in
        #"{"channel":"trades","data":[{"symbol":"BTC_USDT","amount":"1","quantity":"\#(size)","#
            + #""takerSide":"buy","createTime":\#(milliseconds(time)),"price":"\#(price)","id":"\#(id)","#
            + #""ts":\#(milliseconds(time))}]}"#
    }

    private static let huobi = SpokenTrades(
        symbol: "btcusdt", address: "/ws", subscription: #"{"sub":"market.btcusdt.trade.detail","id":"1"}"#
    ) { time, price, size, id in
        #"{"ch":"market.btcusdt.trade.detail","ts":\#(milliseconds(time)),"tick":{"id":\#(id),"#
            + #""ts":\#(milliseconds(time)),"data":[{"id":\#(id),"ts":\#(milliseconds(time)),"tradeId":\#(id),"#
            + #""amount":\#(size),"price":\#(price),"direction":"buy"}]}}"#
    }

    private static let upbit = SpokenTrades(
        symbol: "KRW-BTC", address: "/websocket/v1",
        subscription: #"[{"ticket":"t"},{"type":"trade","codes":["KRW-BTC"]},{"format":"SIMPLE"}]"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"ty":"trade","cd":"KRW-BTC","tms":\#(milliseconds(time)),"ttms":\#(milliseconds(time)),"#
            + #""tp":\#(price).0,"tv":\#(size).0,"ab":"BID","sid":\#(id),"st":"REALTIME"}"#
    }
}

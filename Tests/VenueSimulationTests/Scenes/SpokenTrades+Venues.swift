import Instruments

/// Sources: the venues' documentation of their trade messages.
extension SpokenTrades {
    /// By the names of the venues.
    static let byName: [String: SpokenTrades] = [
        "binance-coinm": coinMargined,
        "okx": arguments("trades-all"),
        "okcoin": arguments("trades"),
        "bybit": topics("spot"),
        "bybit-linear": topics("linear"),
        "bybit-inverse": topics("inverse"),
        "bitget": products,
        "deribit": remoteCalls,
        "coinbase": matches,
        "gemini": levels,
        "bitstamp": events,
        "crypto-com": results,
    ]

    private static let coinMargined = SpokenTrades(
        symbol: "BTCUSD_PERP", address: "/stream?streams=btcusd_perp@aggTrade"
    ) { time, price, size, id in
        #"{"stream":"btcusd_perp@aggTrade","data":{"e":"aggTrade","E":\#(ms(time)),"s":"BTCUSD_PERP","#
            + #""a":\#(id),"p":"\#(price)","q":"\#(size)","f":1,"l":1,"T":\#(ms(time)),"m":false}}"#
    }

    private static func arguments(_ channel: String) -> SpokenTrades {
        SpokenTrades(
            symbol: "BTC-USDT", address: "/ws/v5/business",
            subscription: #"{"op":"subscribe","args":[{"channel":"\#(channel)","instId":"BTC-USDT"}]}"#,
            countsTrades: false
        ) { time, price, size, id in
            #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","#
                + #""tradeId":"\#(id)","px":"\#(price)","sz":"\#(size)","side":"buy","ts":"\#(ms(time))"}]}"#
        }
    }

    private static func topics(_ category: String) -> SpokenTrades {
        let symbol = category == "inverse" ? "BTCUSD" : "BTCUSDT"
        return SpokenTrades(
            symbol: symbol, address: "/v5/public/\(category)",
            subscription: #"{"op":"subscribe","req_id":"1","args":["publicTrade.\#(symbol)"]}"#,
            countsTrades: false
        ) { time, price, size, id in
            #"{"topic":"publicTrade.\#(symbol)","type":"snapshot","ts":\#(ms(time)),"data":[{"T":\#(ms(time)),"#
                + #""s":"\#(symbol)","S":"Buy","v":"\#(size)","p":"\#(price)","i":"\#(id)","BT":false}]}"#
        }
    }

    private static let products = SpokenTrades(
        symbol: "SPOT:BTCUSDT", address: "/v2/ws/public",
        subscription:
            #"{"op":"subscribe","args":[{"instType":"SPOT","channel":"trade","instId":"BTCUSDT"}]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"action":"update","arg":{"instType":"SPOT","channel":"trade","instId":"BTCUSDT"},"data":[{"#
            + #""ts":"\#(ms(time))","price":"\#(price)","size":"\#(size)","side":"buy","tradeId":"\#(id)"}]}"#
    }

    private static let remoteCalls = SpokenTrades(
        symbol: "BTC-PERPETUAL", address: "/ws/api/v2",
        subscription:
            #"{"id":1,"method":"public/subscribe","params":{"channels":["trades.BTC-PERPETUAL.100ms"]}}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.BTC-PERPETUAL.raw","data":[{"#
            + #""trade_id":"\#(id)","timestamp":\#(ms(time)),"price":\#(price),"amount":\#(size),"#
            + #""direction":"buy","instrument_name":"BTC-PERPETUAL","trade_seq":\#(id)}]}}"#
    }

    private static let matches = SpokenTrades(
        symbol: "BTC-USD", address: "",
        subscription: #"{"type":"subscribe","product_ids":["BTC-USD"],"channels":["matches"]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"type":"match","trade_id":\#(id),"side":"sell","size":"\#(size)","price":"\#(price)","#
            + #""product_id":"BTC-USD","sequence":\#(id),"time":"\#(time.iso8601(fractionDigits: 6))"}"#
    }

    private static let levels = SpokenTrades(
        symbol: "BTCUSD", address: "/v2/marketdata",
        subscription: #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["BTCUSD"]}]}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"type":"trade","symbol":"BTCUSD","event_id":\#(id),"timestamp":\#(ms(time)),"#
            + #""price":"\#(price)","quantity":"\#(size)","side":"buy"}"#
    }

    private static let events = SpokenTrades(
        symbol: "btcusd", address: "",
        subscription: #"{"event":"bts:subscribe","data":{"channel":"live_trades_btcusd"}}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"event":"trade","channel":"live_trades_btcusd","data":{"id":\#(id),"amount":\#(size),"#
            + #""amount_str":"\#(size)","price":\#(price),"price_str":"\#(price)","type":0,"#
            + #""timestamp":"\#(ms(time) / 1_000)","microtimestamp":"\#(ms(time) * 1_000)"}}"#
    }

    private static let results = SpokenTrades(
        symbol: "BTC_USD", address: "/exchange/v1/market",
        subscription: #"{"id":1,"method":"subscribe","params":{"channels":["trade.BTC_USD"]}}"#,
        countsTrades: false
    ) { time, price, size, id in
        #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","channel":"trade","#
            + #""subscription":"trade.BTC_USD","data":[{"d":"\#(id)","t":\#(ms(time)),"#
            + #""p":"\#(price)","q":"\#(size)","s":"BUY","i":"BTC_USD"}]}}"#
    }

    private static func ms(_ time: Timestamp) -> Int64 { time.nanoseconds / 1_000_000 }
}

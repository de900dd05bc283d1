/// Sources: the venues' documentation of their book messages, of the generation that our sessions ask for.
extension SpokenBook {
    static let all = [okx, bybit, bitget, deribit, coinbase, gemini, bitstamp, cryptoCom]

    static let okx = SpokenBook(
        venue: "okx", address: "/ws/v5/public",
        subscriptions: [
            #"{"op":"subscribe","args":[{"channel":"books","instId":"BTC-USDT"}]}"#,
            #"{"op":"subscribe","args":[{"channel":"trades","instId":"BTC-USDT"}]}"#,
        ],
        confirmations: [
            #"{"event":"subscribe","arg":{"channel":"books","instId":"BTC-USDT"}}"#,
            #"{"event":"subscribe","arg":{"channel":"trades","instId":"BTC-USDT"}}"#,
        ],
        wrong: #"{"op":"subscribe","args":[{"channel":"books","instId":"NO-PE"}]}"#,
        refusal:
            #"{"event":"error","msg":"Wrong URL or channel:books,instId:NO-PE doesn't exist. Please use the correct URL, channel and parameters referring to API document.","code":"60018"}"#,
        messages: [
            #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"snapshot","data":[{"asks":[["101","7","0","1"]],"bids":[["99","5","0","1"]],"ts":"1","checksum":0,"prevSeqId":-1,"seqId":10}]}"#,
            #"{"arg":{"channel":"trades","instId":"BTC-USDT"},"data":[{"instId":"BTC-USDT","tradeId":"4","px":"101","sz":"1.50","side":"buy","ts":"1000"}]}"#,
            #"{"arg":{"channel":"books","instId":"BTC-USDT"},"action":"update","data":[{"asks":[],"bids":[["100","2.0","0","1"]],"ts":"2","checksum":0,"prevSeqId":10,"seqId":12}]}"#,
        ],
        ping: ("ping", "pong"))

    static let bybit = SpokenBook(
        venue: "bybit", address: "/v5/public/spot",
        subscriptions: [
            #"{"op":"subscribe","req_id":"7","args":["orderbook.50.BTCUSDT"]}"#,
            #"{"op":"subscribe","req_id":"8","args":["publicTrade.BTCUSDT"]}"#,
        ],
        confirmations: [
            #"{"success":true,"ret_msg":"","conn_id":"9fe93f9d-2b1b-4b0a-9e6f-3d0d1c6c0a01","req_id":"7","op":"subscribe"}"#,
            #"{"success":true,"ret_msg":"","conn_id":"9fe93f9d-2b1b-4b0a-9e6f-3d0d1c6c0a01","req_id":"8","op":"subscribe"}"#,
        ],
        wrong: #"{"op":"subscribe","req_id":"9","args":["orderbook.50.NOPE"]}"#,
        refusal:
            #"{"success":false,"ret_msg":"error:handler not found,topic:orderbook.50.NOPE","conn_id":"9fe93f9d-2b1b-4b0a-9e6f-3d0d1c6c0a01","req_id":"9","op":"subscribe"}"#,
        messages: [
            #"{"topic":"orderbook.50.BTCUSDT","type":"snapshot","ts":1,"data":{"s":"BTCUSDT","b":[["99","5"]],"a":[["101","7"]],"u":10,"seq":100},"cts":1}"#,
            #"{"topic":"publicTrade.BTCUSDT","type":"snapshot","ts":1000,"data":[{"T":1000,"s":"BTCUSDT","S":"Buy","v":"1.50","p":"101","L":"PlusTick","i":"4","BT":false}]}"#,
            #"{"topic":"orderbook.50.BTCUSDT","type":"delta","ts":2,"data":{"s":"BTCUSDT","b":[["100","2"]],"a":[],"u":11,"seq":105},"cts":2}"#,
        ],
        ping: (
            #"{"op":"ping"}"#,
            #"{"success":true,"ret_msg":"pong","conn_id":"9fe93f9d-2b1b-4b0a-9e6f-3d0d1c6c0a01","op":"ping"}"#
        ))

    static let bitget = SpokenBook(
        venue: "bitget", address: "/v2/ws/public",
        subscriptions: [
            #"{"op":"subscribe","args":[{"instType":"SPOT","channel":"books","instId":"BTCUSDT"}]}"#,
            #"{"op":"subscribe","args":[{"instType":"SPOT","channel":"trade","instId":"BTCUSDT"}]}"#,
        ],
        confirmations: [
            #"{"event":"subscribe","arg":{"instType":"SPOT","channel":"books","instId":"BTCUSDT"}}"#,
            #"{"event":"subscribe","arg":{"instType":"SPOT","channel":"trade","instId":"BTCUSDT"}}"#,
        ],
        wrong: #"{"op":"subscribe","args":[{"instType":"SPOT","channel":"books","instId":"NOPE"}]}"#,
        refusal:
            #"{"event":"error","arg":{"instType":"SPOT","channel":"books","instId":"NOPE"},"code":30001,"msg":"instType:SPOT,channel:books,instId:NOPE doesn't exist","op":"subscribe"}"#,
        messages: [
            #"{"action":"snapshot","arg":{"instType":"SPOT","channel":"books","instId":"BTCUSDT"},"data":[{"asks":[["101","7"]],"bids":[["99","5"]],"checksum":0,"seq":10,"pseq":0,"ts":"1"}],"ts":1}"#,
            #"{"action":"update","arg":{"instType":"SPOT","channel":"trade","instId":"BTCUSDT"},"data":[{"ts":"1000","price":"101","size":"1.50","side":"buy","tradeId":"4"}],"ts":1000}"#,
            #"{"action":"update","arg":{"instType":"SPOT","channel":"books","instId":"BTCUSDT"},"data":[{"asks":[],"bids":[["100","2.0"]],"checksum":0,"seq":12,"pseq":10,"ts":"2"}],"ts":2}"#,
        ],
        ping: ("ping", "pong"))

    static let deribit = SpokenBook(
        venue: "deribit", address: "/ws/api/v2",
        subscriptions: [
            #"{"jsonrpc":"2.0","id":7,"method":"public/subscribe","params":{"channels":["book.BTC-PERPETUAL.100ms"]}}"#,
            #"{"jsonrpc":"2.0","id":8,"method":"public/subscribe","params":{"channels":["trades.BTC-PERPETUAL.100ms"]}}"#,
        ],
        confirmations: [
            #"{"jsonrpc":"2.0","id":7,"result":["book.BTC-PERPETUAL.100ms"],"usIn":0,"usOut":0,"usDiff":0,"testnet":false}"#,
            #"{"jsonrpc":"2.0","id":8,"result":["trades.BTC-PERPETUAL.100ms"],"usIn":0,"usOut":0,"usDiff":0,"testnet":false}"#,
        ],
        wrong:
            #"{"jsonrpc":"2.0","id":9,"method":"public/subscribe","params":{"channels":["book.NOPE.100ms"]}}"#,
        refusal: #"{"jsonrpc":"2.0","id":9,"result":[],"usIn":0,"usOut":0,"usDiff":0,"testnet":false}"#,
        messages: [
            #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"book.BTC-PERPETUAL.raw","data":{"type":"snapshot","timestamp":1,"instrument_name":"BTC-PERPETUAL","change_id":10,"bids":[["new",99,5]],"asks":[["new",101,7]]}}}"#,
            #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"trades.BTC-PERPETUAL.raw","data":[{"trade_seq":4,"trade_id":"4","timestamp":1000,"price":101,"amount":1.5,"direction":"buy","instrument_name":"BTC-PERPETUAL"}]}}"#,
            #"{"jsonrpc":"2.0","method":"subscription","params":{"channel":"book.BTC-PERPETUAL.raw","data":{"type":"change","timestamp":2,"instrument_name":"BTC-PERPETUAL","change_id":12,"prev_change_id":10,"bids":[["new",100,2]],"asks":[]}}}"#,
        ],
        ping: (
            #"{"jsonrpc":"2.0","id":3,"method":"public/test","params":{}}"#,
            #"{"jsonrpc":"2.0","id":3,"result":{"version":"1.2.26"},"usIn":0,"usOut":0,"usDiff":0,"testnet":false}"#
        ))

    static let coinbase = SpokenBook(
        venue: "coinbase", address: "",
        subscriptions: [
            #"{"type":"subscribe","product_ids":["BTC-USD"],"channels":["level2_batch"]}"#,
            #"{"type":"subscribe","product_ids":["BTC-USD"],"channels":["matches"]}"#,
        ],
        confirmations: [
            #"{"type":"subscriptions","channels":[{"name":"level2_batch","product_ids":["BTC-USD"]}]}"#,
            #"{"type":"subscriptions","channels":[{"name":"level2_batch","product_ids":["BTC-USD"]},{"name":"matches","product_ids":["BTC-USD"]}]}"#,
        ],
        wrong: #"{"type":"subscribe","product_ids":["NO-PE"],"channels":["level2_batch"]}"#,
        refusal:
            #"{"type":"error","message":"Failed to subscribe","reason":"NO-PE is not a valid product"}"#,
        messages: [
            #"{"type":"snapshot","product_id":"BTC-USD","asks":[["101","7"]],"bids":[["99","5"]]}"#,
            #"{"type":"match","trade_id":4,"side":"sell","size":"1.50","price":"101","product_id":"BTC-USD","sequence":1,"time":"1970-01-01T00:00:01.000000Z"}"#,
            #"{"type":"l2update","product_id":"BTC-USD","changes":[["buy","100","2"]],"time":"1970-01-01T00:00:01.000000Z"}"#,
        ])

    static let gemini = SpokenBook(
        venue: "gemini", address: "/v2/marketdata",
        subscriptions: [#"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["BTCUSD"]}]}"#],
        confirmations: [nil],
        wrong: #"{"type":"subscribe","subscriptions":[{"name":"l2","symbols":["NOPE"]}]}"#,
        refusal: #"{"result":"error","reason":"InvalidSymbol","message":"Unknown symbol NOPE"}"#,
        messages: [
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","99","5"],["sell","101","7"]],"trades":[],"auction_events":[]}"#,
            #"{"type":"trade","symbol":"BTCUSD","event_id":4,"timestamp":1000,"price":"101","quantity":"1.50","side":"buy"}"#,
            #"{"type":"l2_updates","symbol":"BTCUSD","changes":[["buy","100","2"]]}"#,
        ])

    static let bitstamp = SpokenBook(
        venue: "bitstamp", address: "",
        subscriptions: [
            #"{"event":"bts:subscribe","data":{"channel":"diff_order_book_btcusd"}}"#,
            #"{"event":"bts:subscribe","data":{"channel":"live_trades_btcusd"}}"#,
        ],
        confirmations: [
            #"{"event":"bts:subscription_succeeded","channel":"diff_order_book_btcusd","data":{}}"#,
            #"{"event":"bts:subscription_succeeded","channel":"live_trades_btcusd","data":{}}"#,
        ],
        wrong: #"{"event":"bts:subscribe","data":{"channel":"diff_order_book_nope"}}"#,
        refusal:
            #"{"event":"bts:error","channel":"diff_order_book_nope","data":{"code":null,"message":"Bad subscription string."}}"#,
        messages: [
            #"{"event":"data","channel":"diff_order_book_btcusd","data":{"timestamp":"1","microtimestamp":"1000000","bids":[],"asks":[["101","7"]]}}"#,
            #"{"event":"trade","channel":"live_trades_btcusd","data":{"id":4,"amount":1.5,"amount_str":"1.50","price":101,"price_str":"101","type":0,"timestamp":"1","microtimestamp":"1000000"}}"#,
            #"{"event":"data","channel":"diff_order_book_btcusd","data":{"timestamp":"2","microtimestamp":"2000000","bids":[["100","2"]],"asks":[]}}"#,
        ],
        image: (
            "https://www.bitstamp.net/api/v2/order_book/btcusd/",
            #"{"timestamp":"1","microtimestamp":"1500000","bids":[["99","5"]],"asks":[["101","7"]]}"#
        ),
        ping: (
            #"{"event":"bts:heartbeat"}"#,
            #"{"event":"bts:heartbeat","channel":"","data":{"status":"success"}}"#
        ))

    static let cryptoCom = SpokenBook(
        venue: "crypto-com", address: "/exchange/v1/market",
        subscriptions: [
            #"{"id":7,"method":"subscribe","params":{"channels":["book.BTC_USD.50"]}}"#,
            #"{"id":8,"method":"subscribe","params":{"channels":["trade.BTC_USD"]}}"#,
        ],
        confirmations: [
            #"{"id":7,"method":"subscribe","code":0}"#, #"{"id":8,"method":"subscribe","code":0}"#,
        ],
        wrong: #"{"id":9,"method":"subscribe","params":{"channels":["book.NO_PE.50"]}}"#,
        refusal: #"{"id":9,"method":"subscribe","code":40004,"message":"Unknown channel book.NO_PE.50"}"#,
        messages: [
            #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","subscription":"book.BTC_USD.50","channel":"book","depth":50,"data":[{"asks":[["101","7","1"]],"bids":[["99","5","1"]],"t":1,"tt":1,"u":10}]}}"#,
            #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","subscription":"trade.BTC_USD","channel":"trade","data":[{"d":"4","t":1000,"p":"101","q":"1.50","s":"BUY","i":"BTC_USD"}]}}"#,
            #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","subscription":"book.BTC_USD.50","channel":"book.update","depth":50,"data":[{"update":{"asks":[],"bids":[["100","2","1"]]},"t":2,"tt":2,"u":12,"pu":10}]}}"#,
        ])
}

import Venues

extension DerivativeCase {
    /// Each venue that says figures of derivatives.
    static let all = [
        binance(
            Binance.usdm, "BTCUSDT", 1,
            (
                "https://fapi.binance.com/fapi/v1/openInterest?symbol=BTCUSDT",
                #"{"openInterest":"10659.509","symbol":"BTCUSDT","time":1589437530011}"#,
                "open 10659.509 base"
            )),
        binance(
            Binance.coinm, "BTCUSD_PERP", 0,
            (
                "https://dapi.binance.com/dapi/v1/openInterest?symbol=BTCUSD_PERP",
                #"{"symbol":"BTCUSD_PERP","pair":"BTCUSD","openInterest":"15004","time":1591261042378}"#,
                "open 15004 contracts"
            )),
        bybit(Bybit.linear, "base"), bybit(Bybit.inverse, "quote"), okx, deribit, krakenFutures, bitmex,
        bitget, gate, hyperliquid,
    ]

    /// Source: Binance, "Mark Price Stream", "Liquidation Order Streams" and "Open Interest".
    private static func binance(
        _ venue: VenueDescription, _ symbol: String, _ connection: Int,
        _ open: (url: String, body: String, state: String)
    ) -> DerivativeCase {
        let name = symbol.lowercased()
        func stream(_ kind: String, _ body: String) -> String {
            #"{"stream":"\#(name)@\#(kind)","data":\#(body)}"#
        }
        let last = "mark 11795 index 11784.62659091 funding 0.00038167 at 1562306400"
        return DerivativeCase(
            venue: venue, symbol: symbol, asks: ["\(name)@markPrice@1s"],
            says: [
                (
                    stream(
                        "markPrice@1s",
                        #"{"e":"markPriceUpdate","E":1562305380000,"s":"\#(symbol)","p":"11794.15000000","#
                            + #""ap":"11794.2","i":"11784.62659091","P":"11784.25641265","r":"0.00038167","#
                            + #""T":1562306400000}"#),
                    "mark 11794.15 index 11784.62659091 funding 0.00038167 at 1562306400"
                ),
                // A contract with an end pays no funding.
                (
                    stream(
                        "markPrice@1s",
                        #"{"e":"markPriceUpdate","E":1562305381000,"s":"\#(symbol)","p":"11795","#
                            + #""i":"11784.62659091","P":"11784.25641265","r":"","T":0}"#), last
                ),
            ],
            liquidations: [
                (
                    stream(
                        "forceOrder",
                        #"{"e":"forceOrder","E":1568014460893,"o":{"s":"\#(symbol)","S":"SELL","o":"LIMIT","#
                            + #""f":"IOC","q":"0.014","p":"9910","ap":"9910","X":"FILLED","l":"0.014","#
                            + #""z":"0.014","T":1568014460893}}"#),
                    ["- sell 9910×0.014"]
                )
            ], fetched: (open.url, open.body, last + " " + open.state), connection: connection)
    }

    /// Source: Bybit, V5, "Ticker" and "All liquidation".
    private static func bybit(_ venue: VenueDescription, _ unit: String) -> DerivativeCase {
        func ticker(_ type: String, _ data: String) -> String {
            #"{"topic":"tickers.BTCUSDT","type":"\#(type)","data":{"symbol":"BTCUSDT",\#(data)},"cs":1,"#
                + #""ts":1760325052630}"#
        }
        return DerivativeCase(
            venue: venue, symbol: "BTCUSDT", asks: ["tickers.BTCUSDT"],
            says: [
                (
                    ticker(
                        "snapshot",
                        #""lastPrice":"66666.60","markPrice":"66666.60","indexPrice":"115418.19","#
                            + #""openInterest":"492373.72","openInterestValue":"32824881841.68","#
                            + #""nextFundingTime":"1760342400000","fundingRate":"-0.005","bid1Price":"1","#
                            + #""fundingIntervalHour":"8","fundingCap":"0.005""#),
                    "mark 66666.6 index 115418.19 funding -0.005 at 1760342400 every 28800 "
                        + "open 492373.72 \(unit)"
                ),
                (
                    ticker("delta", #""fundingRate":"-0.0049""#),
                    "mark 66666.6 index 115418.19 funding -0.0049 at 1760342400 every 28800 "
                        + "open 492373.72 \(unit)"
                ),
                (ticker("delta", #""bid1Price":"2""#), nil),
            ],
            // A long position was closed: the order sells.
            liquidations: [
                (
                    #"{"topic":"allLiquidation.BTCUSDT","type":"snapshot","ts":1739502303204,"data":["#
                        + #"{"T":1739502302929,"s":"BTCUSDT","S":"Buy","v":"20000","p":"0.04499"}]}"#,
                    ["- sell 0.04499×20000"]
                )
            ])
    }

    /// Source: OKX API guide v5, "Public data", examples of the channels.
    private static let okx: DerivativeCase = {
        func message(_ channel: String, _ symbol: String, _ row: String) -> String {
            #"{"arg":{"channel":"\#(channel)","instId":"\#(symbol)"},"data":[{\#(row)}]}"#
        }
        let swap = "BTC-USD-SWAP"
        return DerivativeCase(
            venue: OKX.description, symbol: swap,
            asks: [
                #""channel":"funding-rate","instId":"BTC-USD-SWAP""#,
                #""channel":"mark-price","instId":"BTC-USD-SWAP""#,
                #""channel":"open-interest","instId":"BTC-USD-SWAP""#,
                #""channel":"index-tickers","instId":"BTC-USD""#,
            ],
            says: [
                (
                    message(
                        "funding-rate", swap,
                        #""fundingRate":"0.0001875391284828","fundingTime":"1700726400000","#
                            + #""instType":"SWAP","#
                            + #""#
                            + #""instId":"BTC-USD-SWAP","method":"current_period","nextFundingRate":"","#
                            + #""nextFundingTime":"1700755200000","ts":"1700724675402""#),
                    "funding 0.0001875391284828 at 1700726400 every 28800"
                ),
                (
                    message(
                        "index-tickers", "BTC-USD",
                        #""instId":"BTC-USD","idxPx":"37285.1","high24h":"0.5","ts":"1597026383085""#),
                    "index 37285.1 funding 0.0001875391284828 at 1700726400 every 28800"
                ),
                (
                    message(
                        "open-interest", swap,
                        #""instType":"SWAP","instId":"BTC-USD-SWAP","oi":"2216113.01000000009","#
                            + #""oiCcy":"22161.1301000000009","ts":"1743041250440""#),
                    "index 37285.1 funding 0.0001875391284828 at 1700726400 every 28800 "
                        + "open 2216113.01000000009 contracts"
                ),
            ],
            liquidations: [
                (
                    #"{"arg":{"channel":"liquidation-orders","instType":"SWAP"},"data":[{"details":["#
                        + #"{"bkLoss":"0","bkPx":"0.007831","ccy":"","posSide":"short","#
                        + #""side":"buy","sz":"13","#
                        + #""#
                        + #""ts":"1692266434010"}],"instFamily":"BTC-USD","instId":"BTC-USD-SWAP","#
                        + #""instType":"SWAP"},{"details":[{"bkPx":"1","side":"buy","sz":"1","ts":"1"}],"#
                        + #""instId":"IOST-USDT-SWAP"}]}"#,
                    ["- buy 0.007831×13"]
                )
            ])
    }()

    /// Source: Deribit API, "ticker.(instrument_name).(interval)" and "trades.(instrument_name).(interval)".
    private static let deribit: DerivativeCase = {
        func trade(_ rest: String) -> String {
            #"{"jsonrpc":"2.0","method":"subscription","#
                + #""params":{"channel":"trades.BTC-PERPETUAL.100ms","data":"#
                + #"[{"trade_seq":1,"trade_id":"48079573","timestamp":1590484512188,"price":8950.0,"#
                + #""instrument_name":"BTC-PERPETUAL","direction":"sell","amount":10.0\#(rest)}]}}"#
        }
        return DerivativeCase(
            venue: Deribit.description, symbol: "BTC-PERPETUAL", asks: ["ticker.BTC-PERPETUAL.100ms"],
            says: [
                (
                    #"{"jsonrpc":"2.0","method":"subscription","#
                        + #""params":{"channel":"ticker.BTC-PERPETUAL.100ms","#
                        + #""data":{"timestamp":1623060194301,"state":"open","open_interest":502097590,"#
                        + #""mark_price":36446.51,"index_price":36441.64,"funding_8h":0.0000211,"#
                        + #""current_funding":-1.2345678901234567e-07,"instrument_name":"BTC-PERPETUAL"}}}"#,
                    // The digits of a binary fraction, of which 18 places say all.
                    "mark 36446.51 index 36441.64 funding -0.000000123456789012 every 28800 "
                        + "open 502097590 quote"
                )
            ],
            liquidations: [
                (trade(""), []), (trade(#","liquidation":"T""#), ["48079573 sell 8950.0×10.0"]),
                (trade(#","liquidation":"M""#), ["48079573 buy 8950.0×10.0"]),
                (
                    trade(#","liquidation":"MT""#),
                    ["48079573 sell 8950.0×10.0", "48079573 buy 8950.0×10.0"]
                ),
            ])
    }()

    /// Source: Kraken, "Futures WebSocket", examples of "Ticker" and "Trade".
    private static let krakenFutures: DerivativeCase = {
        func trade(_ type: String) -> String {
            #"{"feed":"trade","product_id":"PI_XBTUSD","uid":"05af78ac","side":"sell","type":"\#(type)","#
                + #""seq":653355,"time":1612266317519,"qty":15000,"price":34969.5}"#
        }
        return DerivativeCase(
            venue: KrakenFutures.description, symbol: "PI_XBTUSD", asks: [#""feed":"ticker""#],
            says: [
                (
                    #"{"time":1676393235406,"product_id":"PI_XBTUSD","funding_rate":-6.2604214e-11,"#
                        + #""funding_rate_prediction":-3.65989977e-10,"#
                        + #""relative_funding_rate":-1.380384722222e-6,"#
                        + #""relative_funding_rate_prediction":-8.047629166667e-6,"#
                        + #""next_funding_rate_time":1676394000000,"feed":"ticker","#
                        + #""bid":21978.5,"ask":21987.0,"#
                        + #""#
                        + #""index":21984.54,"last":21983.5,"openInterest":30072580.0,"#
                        + #""markPrice":21979.68641534714}"#,
                    "mark 21979.68641534714 index 21984.54 funding -0.000001380384722222 "
                        + "then -0.000008047629166667 at 1676394000 open 30072580 contracts"
                )
            ],
            liquidations: [(trade("fill"), []), (trade("liquidation"), ["05af78ac sell 34969.5×15000"])])
    }()

    /// Source: BitMEX, "WebSocket API" and "API Explorer", "Instrument" and "Liquidation".
    private static let bitmex: DerivativeCase = {
        func rows(_ table: String, _ action: String, _ row: String) -> String {
            #"{"table":"\#(table)","action":"\#(action)","data":[{"symbol":"XBTUSD",\#(row)}]}"#
        }
        let order = #""orderID":"8b4a95db","side":"Buy","price":2.17e-06,"leavesQty":5000"#
        return DerivativeCase(
            venue: BitMEX.description, symbol: "XBTUSD", asks: ["instrument:XBTUSD"],
            says: [
                (
                    rows(
                        "instrument", "update",
                        #""timestamp":"2021-07-22T22:00:00.000Z","#
                            + #""fundingTimestamp":"2021-07-23T04:00:00.000Z","#
                            + #""fundingInterval":"2000-01-01T08:00:00.000Z","fundingRate":0.0001,"#
                            + #""indicativeFundingRate":-0.000056,"indicativeSettlePrice":32280.81,"#
                            + #""openInterest":616000000,"lastPrice":32278"#),
                    "index 32280.81 funding 0.0001 then -0.000056 at 1627012800 every 28800 "
                        + "open 616000000 contracts"
                ),
                (
                    rows("instrument", "update", #""markPrice":32280.1,"fundingRate":null"#),
                    "mark 32280.1 index 32280.81 funding 0.0001 then -0.000056 at 1627012800 every 28800 "
                        + "open 616000000 contracts"
                ),
            ],
            liquidations: [
                (rows("liquidation", "insert", order), ["8b4a95db buy 0.00000217×5000"]),
                (rows("liquidation", "update", #""orderID":"8b4a95db","leavesQty":400"#), []),
                (rows("liquidation", "delete", #""orderID":"8b4a95db""#), []),
            ])
    }()

    /// Source: Bitget API documentation, "Market Channel" of futures, v2; v1 as recorded.
    private static let bitget = DerivativeCase(
        venue: Bitget.description, symbol: "USDT-FUTURES:BTCUSDT", asks: [#""channel":"ticker""#],
        says: [
            (
                #"{"action":"snapshot","arg":{"instType":"USDT-FUTURES","channel":"ticker","#
                    + #""instId":"BTCUSDT"},"#
                    + #""data":[{"instId":"BTCUSDT","lastPr":"27000.5","bidPr":"27000","askPr":"27000.5","#
                    + #""fundingRate":"0.000010","nextFundingTime":"1695722400000","markPrice":"27000.0","#
                    + #""indexPrice":"25702.4","holdingAmount":"929.502","baseVolume":"368.900","#
                    + #""symbolType":"1","deliveryPrice":"0","ts":"1695715383021"}],"ts":1695715383039}"#,
                "mark 27000 index 25702.4 funding 0.00001 at 1695722400 open 929.502 base"
            ),
            (
                #"{"action":"snapshot","arg":{"instType":"USDT-FUTURES","channel":"ticker","#
                    + #""instId":"BTCUSDT"},"#
                    + #""data":[{"instId":"BTCUSDT","last":"113.370","capitalRate":"-0.000100","#
                    + #""nextSettleTime":1649314800000,"systemTime":1649290077309,"markPrice":"113.381","#
                    + #""indexPrice":"113.427","holding":"21957.17"}]}"#,
                "mark 113.381 index 113.427 funding -0.0001 at 1649314800 open 21957.17 base"
            ),
        ])

    /// Source: Gate, "Futures WebSocket v4", "Tickers API" and "Public Liquidates Order API".
    private static let gate = DerivativeCase(
        venue: Gateio.futures, symbol: "BTC_USDT", asks: [#""channel":"futures.tickers""#],
        says: [
            (
                #"{"time":1541659086,"time_ms":1541659086123,"channel":"futures.tickers","event":"update","#
                    + #""result":[{"contract":"BTC_USDT","last":"118.4","change_percentage":"0.77","#
                    + #""funding_rate":"-0.000114","funding_rate_indicative":"0.01875","#
                    + #""mark_price":"118.35","index_price":"118.36","total_size":"73648"}]}"#,
                "mark 118.35 index 118.36 funding -0.000114 then 0.01875 open 73648 contracts"
            )
        ],
        liquidations: [
            (
                #"{"channel":"futures.public_liquidates","event":"update","time":1541505434,"#
                    + #""time_ms":1541505434123,"result":[{"price":215.1,"size":-124,"#
                    + #""time_ms":1541486601123,"contract":"BTC_USDT"}]}"#,
                ["- sell 215.1×124"]
            )
        ])

    /// Source: Hyperliquid, "Subscriptions", type of `activeAssetCtx`.
    private static let hyperliquid = DerivativeCase(
        venue: Hyperliquid.description, symbol: "BTC", asks: ["activeAssetCtx"],
        says: [
            (
                #"{"channel":"activeAssetCtx","data":{"coin":"BTC","ctx":{"funding":"0.0000125","#
                    + #""openInterest":"688.11","prevDayPx":"15.322","dayNtlVlm":"1169046.29406","#
                    + #""premium":"0.00031774","oraclePx":"14.32","markPx":"14.3161","midPx":"14.314"}}}"#,
                "mark 14.3161 index 14.32 funding 0.0000125 every 3600 open 688.11 base"
            )
        ])
}

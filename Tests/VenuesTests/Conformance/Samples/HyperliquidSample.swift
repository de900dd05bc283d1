import Venues

extension VenueSample {
    /// Source: Hyperliquid, "API, WebSocket, Subscriptions", `l2Book` and `trades`; "Info endpoint, Spot".
    static let hyperliquid = VenueSample(
        description: Hyperliquid.description, first: "PURR/USDC", second: "HYPE/USDC",
        list: """
            {"universe":[{"name":"PURR/USDC","tokens":[1,0],"index":0,"isCanonical":true}],\
            "tokens":[{"name":"USDC","szDecimals":8,"weiDecimals":8,"index":0},\
            {"name":"PURR","szDecimals":0,"weiDecimals":5,"index":1}]}
            """,
        image: hyperliquidBook([(100, 2)]),
        changes: [
            hyperliquidBook([(100, 3)]), hyperliquidBook([(100, 3), (99, 4)]),
            hyperliquidBook([(100, 3), (99, 4), (98, 5)]),
        ],
        trades: { rows in
            let data = rows.enumerated().map { place, row in
                #"{"coin":"PURR/USDC","side":"B","px":"\#(row.price)","sz":"\#(row.size)","#
                    + #""time":1600000000000,"hash":"0x0","tid":\#(place),"users":["0x1","0x2"]}"#
            }
            return [#"{"channel":"trades","data":[\#(data.joined(separator: ","))]}"#]
        },
        tradesAnswer: { _ in nil },
        hasDeltas: false)

    private static func hyperliquidBook(_ bids: [(Int, Int)]) -> String {
        let levels = bids.map { #"{"px":"\#($0.0).0","sz":"\#($0.1).0","n":1}"# }.joined(separator: ",")
        return #"{"channel":"l2Book","data":{"coin":"PURR/USDC","time":1600000000000,"#
            + #""levels":[[\#(levels)],[{"px":"101.0","sz":"1.0","n":1}]]}}"#
    }
}

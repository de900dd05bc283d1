import Venues

extension VenueSample {
    /// Source: Bitfinex API documentation, "Books", "Trades" and "Configs".
    static let bitfinex = VenueSample(
        description: Bitfinex.description, first: "tBTCUSD", second: "tETHUSD",
        list: #"[["BTCUSD"],[]]"#,
        image: bitfinexImage(of: "tBTCUSD"),
        changes: [
            bitfinexChange("[100,2,3]", number: 1), bitfinexChange("[99,1,4]", number: 2),
            bitfinexChange("[98,1,5]", number: 3),
        ],
        trades: { rows in
            let channel = bitfinexChannel("tBTCUSD", "trades")
            return [bitfinexSubscribed("tBTCUSD", "trades")]
                + bitfinexTrades(rows).map { #"[\#(channel),"te",\#($0)]"# }
        },
        tradesAnswer: { rows in
            "@https://api-pub.bitfinex.com/v2/trades/tBTCUSD/hist?start=1600000000000&sort=1 "
                + "[\(bitfinexTrades(rows).joined(separator: ","))]"
        },
        // The sign of an amount is the side.
        unusableRows: VenueSample.unusable.filter { $0.size != "-1" },
        imageOf: bitfinexImage,
        acknowledgements: { [bitfinexSubscribed($0, "book"), bitfinexSubscribed($0, "trades")] },
        unsubscribeName: { "\(bitfinexChannel($0, "book"))" },
        numbersConnections: true)

    /// The number of a symbol's channel; those of trades have one digit more.
    static func bitfinexChannel(_ symbol: String, _ channel: String) -> Int {
        let hash = symbol.utf8.reduce(0) { ($0 * 31 + Int($1)) % 899_981 }
        return 100_000 + hash + (channel == "book" ? 0 : 2_000_000)
    }

    static func bitfinexSubscribed(_ symbol: String, _ channel: String) -> String {
        #"{"event":"subscribed","channel":"\#(channel)","chanId":\#(bitfinexChannel(symbol, channel)),"#
            + #""symbol":"\#(symbol)","prec":"P0","freq":"F0","len":"250"}"#
    }

    @Sendable private static func bitfinexImage(of symbol: String) -> String {
        bitfinexSubscribed(symbol, "book")
            + "\n[\(bitfinexChannel(symbol, "book")),[[100,1,2],[101,1,-1]]]"
    }

    private static func bitfinexChange(_ row: String, number: Int) -> String {
        "[\(bitfinexChannel("tBTCUSD", "book")),\(row),\(number)]"
    }

    private static func bitfinexTrades(_ rows: [TradeRow]) -> [String] {
        rows.enumerated().map { place, row in "[\(place),1600000000000,\(row.size),\(row.price)]" }
    }
}

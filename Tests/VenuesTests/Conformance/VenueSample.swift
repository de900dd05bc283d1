import Instruments
import MarketData
import Testing
import Venues

/// What a venue says of a small market, for the cases that every venue passes.
///
/// A line is a message of the venue, or `@<url> <body>` for the answer to a request. Where an image takes
/// several, they are lines of one text.
struct VenueSample: Sendable, CustomTestStringConvertible {
    let description: VenueDescription
    /// Two symbols that it lists.
    let first: String
    let second: String
    /// Its list of instruments, with `first` alone.
    let list: String
    /// The first's whole book: a bid 100×2 and an ask 101×1.
    let image: String
    /// What follows, each in a message of its own: the bid becomes 100×3, bids 99×4 and 98×5 enter.
    let changes: [String]

    /// Messages with trades of the first, of these prices and sizes in this order, and nothing else.
    let trades: @Sendable ([TradeRow]) -> [String]
    /// A page of such trades, fetched; `nil` where there is no route for them.
    let tradesAnswer: @Sendable ([TradeRow]) -> String?
    /// Rows of its tape that are no executions.
    var unusableRows = VenueSample.unusable
    /// The image of another symbol; `nil` where it is the first's with the other name.
    var imageOf: (@Sendable (String) -> String)?
    /// What it says to a subscription of a symbol to book and trades before anything else of it.
    var acknowledgements: @Sendable (String) -> [String] = { _ in [] }
    /// What it says to a message that we sent; `nil` where no book needs the answer.
    var confirmation: @Sendable (String) -> String? = { _ in nil }
    /// What names a symbol where it is unsubscribed.
    var unsubscribeName: @Sendable (String) -> String = { $0 }
    /// Whether its messages are numbered across a connection: a lost one costs each of its books.
    var numbersConnections = false
    /// Whether `changes` are changes; where there are none, each of them is the whole book after it.
    var hasDeltas = true
    /// What a message holds that asks for an image.
    var asksForImage = #""subscribe""#
    /// What its symbols begin with that messages say in another place.
    var product = ""

    /// A symbol as messages write it.
    func written(_ symbol: String) -> String { String(symbol.dropFirst(product.count)) }
    /// What messages hold that subscribe and unsubscribe.
    var verbs = (subscribe: #"subscribe""#, unsubscribe: #"unsubscribe""#)
    /// Whether each message names all that is followed, in place of the one before it.
    var sendsWholeLists = false

    /// A trade as a venue writes it, in digits.
    struct TradeRow: Sendable {
        let price: String
        let size: String

        init(_ price: String, _ size: String) { (self.price, self.size) = (price, size) }
    }

    /// Rows of a tape that are no executions.
    static let unusable = [
        TradeRow("0", "2"), TradeRow("0.00", "2"), TradeRow("-1", "2"), TradeRow("100", "0"),
        TradeRow("100", "0.000"), TradeRow("100", "-1"), TradeRow("0", "0"),
    ]

    /// The first's book after everything.
    static let book = "100×3 99×4 98×5 | 101×1"

    var testDescription: String { description.venue.rawValue }

    /// Every venue of the catalogue, and one that is in none.
    static let all = catalogued + [CounterVenue.sample]

    /// A line for each venue of the catalogue.
    static let catalogued: [VenueSample] = [
        bitmex,
        kraken,
        binance(Binance.spot),
        binance(Binance.us),
        binance(Binance.usdm),
        krakenFutures,
        gateio(Gateio.spot),
        gateio(Gateio.futures),
        poloniex,
        coinbase,
        gemini,
        bitstamp,
        binance(Binance.coinm),
        bitfinex,
        huobi,
        upbit,
        cryptoCom,
        hyperliquid,
        okx(OKX.description),
        okx(OKX.okcoin),
        bitget,
        kucoin,
        bybit(Bybit.spot),
        bybit(Bybit.linear),
        bybit(Bybit.inverse),
        deribit,
    ]
}

extension SessionDriver {
    /// Answers what the last call sent as the venue does; what that call said stays to be read.
    mutating func confirm(as sample: VenueSample) {
        var answers = VenueOutput()
        for var text in sent.compactMap(sample.confirmation) {
            text.withUTF8 { bytes in
                session.receive(UnsafeRawBufferPointer(bytes), connection: 0, at: clock, into: &answers)
            }
        }
    }
}

extension VenueSample {
    /// Source: BitMEX, "WebSocket API", examples of `orderBookL2`.
    private static let bitmex = VenueSample(
        description: BitMEX.description, first: "XBTUSD", second: "ETHUSD",
        list: """
            [{"symbol":"XBTUSD","typ":"FFWCSX","underlying":"XBT","quoteCurrency":"USD","settlCurrency":"XBt",\
            "tickSize":0.5,"lotSize":100,"multiplier":-100000000,"isInverse":true}]
            """,
        image: bitmexRows(
            "partial", #""id":1,"side":"Sell","size":1,"price":101"#,
            #""id":2,"side":"Buy","size":2,"price":100"#),
        changes: [
            bitmexRows("update", #""id":2,"side":"Buy","size":3"#),
            bitmexRows("insert", #""id":3,"side":"Buy","size":4,"price":99"#),
            bitmexRows("insert", #""id":4,"side":"Buy","size":5,"price":98"#),
        ],
        trades: { [#"{"table":"trade","action":"insert","data":[\#(bitmexTrades($0))]}"#] },
        tradesAnswer: { "@https://www.bitmex.com/api/v1/trade?symbol=XBTUSD [\(bitmexTrades($0))]" })

    private static func bitmexTrades(_ rows: [TradeRow]) -> String {
        rows.enumerated().map { place, row in
            #"{"timestamp":"2026-01-01T00:00:0\#(place).000Z","symbol":"XBTUSD","side":"Buy","#
                + #""size":\#(row.size),"price":\#(row.price),"trdMatchID":"t\#(place)"}"#
        }.joined(separator: ",")
    }

    private static func bitmexRows(_ action: String, _ rows: String...) -> String {
        let data = rows.map { #"{"symbol":"XBTUSD",\#($0)}"# }.joined(separator: ",")
        return #"{"table":"orderBookL2","action":"\#(action)","data":[\#(data)]}"#
    }

    /// Source: Kraken API documentation, "Book (Level 2)" of WebSocket v2 and "Book checksum".
    private static let kraken = VenueSample(
        description: Kraken.description, first: "BTC/USD", second: "ETH/USD",
        list: """
            {"error":[],"result":{"XXBTZUSD":{"wsname":"XBT/USD","pair_decimals":1,"lot_decimals":8}}}
            """,
        image: krakenBook("snapshot", bids: [(100, 2)], asks: [(101, 1)], of: [(100, 2)]),
        changes: [
            krakenBook("update", bids: [(100, 3)], asks: [], of: [(100, 3)]),
            krakenBook("update", bids: [(99, 4)], asks: [], of: [(100, 3), (99, 4)]),
            krakenBook("update", bids: [(98, 5)], asks: [], of: [(100, 3), (99, 4), (98, 5)]),
        ],
        trades: { rows in
            let data = rows.enumerated().map { place, row in
                #"{"symbol":"BTC/USD","side":"buy","price":\#(row.price),"qty":\#(row.size),"#
                    + #""ord_type":"limit","trade_id":\#(place),"timestamp":"2026-01-01T00:00:00.000000Z"}"#
            }
            return [#"{"channel":"trade","type":"update","data":[\#(data.joined(separator: ","))]}"#]
        },
        tradesAnswer: { rows in
            let data = rows.enumerated().map { place, row in
                #"["\#(row.price)","\#(row.size)",1600000000.1234567,"b","l","",\#(place)]"#
            }
            return "@https://api.kraken.com/0/public/Trades?pair=BTCUSD&since=1 "
                + #"{"error":[],"result":{"XXBTZUSD":[\#(data.joined(separator: ","))],"last":"1"}}"#
        })

    /// A message with the checksum of the book with these bids and the one ask.
    private static func krakenBook(
        _ type: String, bids: [(Int, Int)], asks: [(Int, Int)], of book: [(Int, Int)]
    ) -> String {
        func levels(_ levels: [(Int, Int)]) -> String {
            levels.map { #"{"price":\#($0.0).0,"qty":\#($0.1).00}"# }.joined(separator: ",")
        }
        // Digits without point and leading zeros: asks from low to high, then bids from high to low.
        var digits = ([(101, 1)] + book).map { "\($0.0)0\($0.1)00" }.joined()
        let checksum = digits.withUTF8 { CRC32.checksum(UnsafeRawBufferPointer($0)) }
        return #"{"channel":"book","type":"\#(type)","data":[{"symbol":"BTC/USD","bids":[\#(levels(bids))],"#
            + #""asks":[\#(levels(asks))],"checksum":\#(checksum),"timestamp":"2026-01-01T00:00:00.000000Z"}]}"#
    }

    /// Source: Binance API documentation, "Order Book" and the streams of depth, of spot and of futures.
    private static func binance(_ description: VenueDescription) -> VenueSample {
        let isFutures = description.saysMarkPrices
        let futures = description.countsContracts ? "/dapi/v1/" : "/fapi/v1/"
        let route = description.restURL + (isFutures ? futures : "/api/v3/")
        func change(_ first: Int, _ last: Int, after previous: Int, _ price: Int, _ size: Int) -> String {
            let chain = isFutures ? #","pu":\#(previous)"# : ""
            return #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":1600000000000,"#
                + #""s":"BTCUSDT","U":\#(first),"u":\#(last)\#(chain),"b":[["\#(price).00","\#(size).000"]],"#
                + #""a":[]}}"#
        }
        return VenueSample(
            description: description, first: "BTCUSDT", second: "ETHUSDT",
            list: """
                {"symbols":[{"symbol":"BTCUSDT","status":"TRADING","baseAsset":"BTC","quoteAsset":"USDT",\
                "filters":[]}]}
                """,
            image: "@\(route)depth?symbol=BTCUSDT&limit=1000 "
                + #"{"lastUpdateId":10,"bids":[["100.00","2.000"]],"asks":[["101.00","1.000"]]}"#,
            changes: [
                change(isFutures ? 9 : 11, 12, after: 8, 100, 3), change(13, 14, after: 12, 99, 4),
                change(15, 16, after: 14, 98, 5),
            ],
            trades: { rows in
                rows.enumerated().map { place, row in
                    #"{"stream":"btcusdt@aggTrade","data":{"e":"aggTrade","E":1600000000000,"s":"BTCUSDT","#
                        + #"\#(binanceTrade(row, place))}}"#
                }
            },
            tradesAnswer: { rows in
                let data = rows.enumerated().map { place, row in "{\(binanceTrade(row, place))}" }
                return "@\(route)aggTrades?symbol=BTCUSDT&fromId=0&limit=1000 "
                    + "[\(data.joined(separator: ","))]"
            })
    }

    private static func binanceTrade(_ row: TradeRow, _ place: Int) -> String {
        #""a":\#(place),"p":"\#(row.price)","q":"\#(row.size)","f":1,"l":1,"T":1600000000000,"m":true"#
    }
}

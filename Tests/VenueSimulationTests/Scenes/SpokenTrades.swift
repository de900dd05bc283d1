import Instruments
import Recordings
import Support

/// A recording of trades of one instrument in a venue's words, and how a client subscribes to it.
///
/// Sources: the venues' documentation of their trade messages: BitMEX `trade`, Kraken v2 `trade`, Binance
/// `aggTrade`.
struct SpokenTrades {
    let symbol: String
    /// Where a client connects.
    let address: String
    /// What it says then; `nil` where the address says it.
    let subscription: String?
    /// What the venue says before the first trade, where trades cannot be read without it.
    let preface: String?
    /// Whether its past candles say how many trades they are of.
    let countsTrades: Bool
    private let frame: @Sendable (_ time: Timestamp, _ price: Int, _ size: Int, _ id: Int) -> String

    /// `nil` for a venue whose words are not known here.
    init?(_ venue: Venue) {
        switch venue {
        case .bitmex: self = .bitmex
        case .kraken: self = .kraken
        case .binance, .binanceUS, .binanceUSDM: self = .binance
        default:
            guard let words = SpokenTrades.byName[venue.rawValue] ?? SpokenTrades.others[venue.rawValue]
            else { return nil }
            self = words
        }
    }

    init(
        symbol: String, address: String, subscription: String? = nil, preface: String? = nil,
        countsTrades: Bool = true,
        frame: @escaping @Sendable (_ time: Timestamp, _ price: Int, _ size: Int, _ id: Int) -> String
    ) {
        (self.symbol, self.address, self.subscription, self.frame) = (symbol, address, subscription, frame)
        (self.preface, self.countsTrades) = (preface, countsTrades)
    }

    /// Each trade as a message that came when it was made.
    func entries(_ trades: [(time: Timestamp, price: Int, size: Int)]) -> [RecordingEntry] {
        let entries = trades.enumerated().map { place, trade in
            Tape.message(
                trade.time.nanoseconds / 1_000_000, frame(trade.time, trade.price, trade.size, place + 1))
        }
        return (preface.map { [Tape.message(0, $0)] } ?? []) + entries
    }

    private static let bitmex = SpokenTrades(
        symbol: "XBTUSD", address: "/realtime?subscribe=trade:XBTUSD"
    ) { time, price, size, id in
        #"{"table":"trade","action":"insert","data":[{"timestamp":"\#(time.iso8601(fractionDigits: 3))","#
            + #""symbol":"XBTUSD","side":"Buy","size":\#(size),"price":\#(price),"trdMatchID":"\#(id)"}]}"#
    }

    private static let kraken = SpokenTrades(
        symbol: "MATIC/USD", address: "/v2",
        subscription:
            #"{"method":"subscribe","params":{"channel":"trade","symbol":["MATIC/USD"]}}"#
    ) { time, price, size, id in
        #"{"channel":"trade","type":"update","data":[{"symbol":"MATIC/USD","side":"buy","price":\#(price),"#
            + #""qty":\#(size),"ord_type":"market","trade_id":\#(id),"#
            + #""timestamp":"\#(time.iso8601(fractionDigits: 6))"}]}"#
    }

    private static let binance = SpokenTrades(
        symbol: "BTCUSDT", address: "/stream?streams=btcusdt@aggTrade"
    ) { time, price, size, id in
        let milliseconds = time.nanoseconds / 1_000_000
        return #"{"stream":"btcusdt@aggTrade","data":{"e":"aggTrade","E":\#(milliseconds),"s":"BTCUSDT","#
            + #""a":\#(id),"p":"\#(price)","q":"\#(size)","f":1,"l":1,"T":\#(milliseconds),"m":false,"M":true}}"#
    }
}

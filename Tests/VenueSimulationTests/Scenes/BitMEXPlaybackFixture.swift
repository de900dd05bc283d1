import Recordings

/// A small session in BitMEX's words.
///
/// Source: BitMEX, "WebSocket API", examples of `orderBookL2`, `trade` and `quote`.
enum BitMEXPlaybackFixture {
    static let partial =
        #"{"table":"orderBookL2","action":"partial","keys":["symbol","id","side"],"#
        + #""filter":{"symbol":"XBTUSD"},"data":["#
        + #"{"symbol":"XBTUSD","id":17,"side":"Sell","size":20,"price":100.5},"#
        + #"{"symbol":"XBTUSD","id":91,"side":"Buy","size":5,"price":100},"#
        + #"{"symbol":"XBTUSD","id":12,"side":"Buy","size":7,"price":99.5}]}"#
    static let etherPartial =
        #"{"table":"orderBookL2","action":"partial","filter":{"symbol":"ETHUSD"},"data":["#
        + #"{"symbol":"ETHUSD","id":1,"side":"Sell","size":3,"price":20.05},"#
        + #"{"symbol":"ETHUSD","id":2,"side":"Buy","size":4,"price":20}]}"#
    static let tradePartial =
        #"{"table":"trade","action":"partial","filter":{"symbol":"XBTUSD"},"data":["#
        + trade("2026-01-01T00:00:00.000Z", "a") + "]}"
    static let update =
        #"{"table":"orderBookL2","action":"update","data":["#
        + #"{"symbol":"XBTUSD","id":91,"side":"Buy","size":6}]}"#
    static let mixed =
        #"{"table":"orderBookL2","action":"update","data":["#
        + #"{"symbol":"XBTUSD","id":17,"side":"Sell","size":21},{"symbol":"ETHUSD","id":2,"side":"Buy","size":9}]}"#
    static let insert =
        #"{"table":"orderBookL2","action":"insert","data":["#
        + #"{"symbol":"XBTUSD","id":3,"side":"Buy","size":1,"price":98}]}"#
    static let tradeInsert =
        #"{"table":"trade","action":"insert","data":["#
        + trade("2026-01-01T00:00:01.000Z", "b") + "," + trade("2026-01-01T00:00:02.000Z", "c") + "]}"

    static func trade(_ time: String, _ id: String) -> String {
        #"{"timestamp":"\#(time)","symbol":"XBTUSD","side":"Buy","size":1,"price":100.5,"trdMatchID":"\#(id)"}"#
    }

    static let welcome = #"{"info":"Welcome to the BitMEX Realtime API.","version":"1"}"#
    static let acknowledgement = #"{"success":true,"subscribe":"orderBookL2:XBTUSD","request":{}}"#

    /// Messages are 100 ms apart.
    static let entries: [RecordingEntry] = [
        Tape.message(0, welcome), Tape.message(10, acknowledgement), Tape.message(100, partial),
        Tape.message(200, tradePartial), Tape.message(300, update), Tape.message(400, tradeInsert),
        Tape.message(500, insert),
    ]

    /// The same with a second symbol and a message of both.
    static let twoSymbols: [RecordingEntry] = [
        Tape.message(100, partial), Tape.message(200, etherPartial), Tape.message(300, mixed),
        Tape.message(400, update),
    ]
}

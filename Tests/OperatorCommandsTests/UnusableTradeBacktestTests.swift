import Alerting
import Foundation
import Instruments
import Recordings
import Support
import Testing

@testable import OperatorCommands

@Suite("Trades without a price or a size, and backtests")
struct UnusableTradeBacktestTests {
    private static func trade(_ id: Int, _ price: String, _ size: String, _ kind: String) -> String {
        #"{"stream":"btcusdt@trade","data":{"e":"trade","E":1722000000\#(100 + id),"T":1722000000\#(100 + id),"#
            + #""s":"BTCUSDT","t":\#(id),"p":"\#(price)","q":"\#(size)","X":"\#(kind)","m":true}}"#
    }

    private static func recording(_ frames: [String]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/r.jsonl.gz"
        let header = RecordingHeader(venue: .binanceUSDM, started: .zero, source: "test", licence: "ours")
        let writer = try RecordingWriter(path: path, header: header)
        for (place, frame) in frames.enumerated() {
            try writer.write(
                RecordingEntry(
                    time: Timestamp(nanoseconds: Int64(place + 1) * 1_000_000_000), connection: 1, kind: .ws,
                    direction: .in, data: Array(frame.utf8)))
        }
        try writer.finish()
        return path
    }

    private static func rules(_ conditions: [String]) throws -> RuleFile {
        let path = try TestDatabase.temporaryDirectory() + "/rules.jsonl"
        let lines = conditions.enumerated().map { place, condition in
            #"{"id":"r\#(place)","instrument":"binance-usdm:BTCUSDT","condition":\#(condition),"#
                + #""repeat":{"cooldown":"0s"}}"#
        }
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return try RuleFile(path: path)
    }

    @Test("no rule falls to a price that nobody paid, and the trades around it count")
    func recorded() throws {
        let recording = try Self.recording([
            Self.trade(1, "60000.10", "0.5", "MARKET"), Self.trade(2, "0", "0", "NA"),
            Self.trade(3, "60001.20", "0.5", "MARKET"), Self.trade(4, "0.00", "0.000", "NA"),
            Self.trade(5, "60002.30", "0", "MARKET"), Self.trade(6, "60000.00", "0.1", "MARKET"),
        ])
        var backtest = try AlertBacktest(
            rules: try Self.rules([
                #"{"price":"last","crosses":"below","level":"1"}"#,
                #"{"price":"last","crosses":"above","level":"60001"}"#,
                #"{"price":"last","crosses":"above","level":"60002"}"#,
                #"{"price":"last","crosses":"below","level":"60001"}"#,
            ]))
        #expect(try backtest.play(recording: recording).isWhole)
        let firings = try backtest.firings()
        #expect(firings.map(\.rule.description) == ["r1", "r3"])
        #expect(firings.map(\.tradeID) == ["3", "6"])
    }

    @Test("candles close at prices that were paid")
    func candles() throws {
        let minute: Int64 = 60_000
        let start: Int64 = 1_722_000_000_000 / minute * minute
        func frame(_ id: Int, _ price: String, at milliseconds: Int64) -> String {
            #"{"stream":"btcusdt@trade","data":{"e":"trade","E":\#(start + milliseconds),"#
                + #""T":\#(start + milliseconds),"s":"BTCUSDT","t":\#(id),"p":"\#(price)","q":"1","m":true}}"#
        }
        let recording = try Self.recording([
            frame(1, "100", at: 0), frame(2, "0", at: 59_000), frame(3, "101", at: minute),
            frame(4, "0", at: 2 * minute - 1), frame(5, "102", at: 2 * minute),
        ])
        var backtest = try AlertBacktest(
            rules: try Self.rules([#"{"candle":{"interval":"1m","close":"below","level":"50"}}"#]))
        #expect(try backtest.play(recording: recording).isWhole)
        #expect(try backtest.firings().isEmpty)
    }
}

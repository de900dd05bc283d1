import Foundation
import Instruments
import MarketData
import MarketState
import Recordings
import Support
import Testing

@testable import OperatorCommands

@Suite("Candles from a file")
struct CandlesCommandTests {
    /// A file in the run's own folder, which goes when the run ends.
    private static func file(_ bytes: [UInt8]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/trades"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func lines(_ text: String, _ interval: CandleInterval = .minute) throws -> [String] {
        try lines(Array(text.utf8), interval)
    }

    private static func lines(_ bytes: [UInt8], _ interval: CandleInterval) throws -> [String] {
        let report = try CandleReport(path: try file(bytes), interval: interval)
        let path = try TestDatabase.temporaryDirectory() + "/candles"
        try Data().write(to: URL(fileURLWithPath: path))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let output = StandardOutput(descriptor: handle.fileDescriptor)
        try report.writeJSON(to: output)
        try output.flush()
        try handle.close()
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }

    /// The one-line error, without the path.
    private static func failure(_ text: String) -> String? {
        do {
            _ = try lines(text)
            return nil
        } catch let failure as CommandFailure {
            guard failure.status == .failed, !failure.description.contains("\n") else { return nil }
            return failure.description.split(separator: ":", maxSplits: 1).last.map { "\($0)" }
        } catch let error as RecordingError {
            // The command says it in these words.
            return error.description.split(separator: ":", maxSplits: 1).last.map { "\($0)" }
        } catch {
            return "\(error)"
        }
    }

    @Test("prints exact sums of numbers of any scale, as plain decimals")
    func exact() throws {
        let rows = [
            #"{"symbol":"B","id":"1","side":"buy","price":"0.10","amount":"3","ts":"1626993360","venue":"x"}"#,
            #"{"symbol":"B","id":"2","side":"sell","price":"0.000000012345678901","amount":1e-9,"ts":1626993361.5,"venue":"x"}"#,
            #"{"symbol":"B","id":"3","price":"12345678901234567890","amount":"0.000000000000000001","time":"2021-07-22T22:36:59.999999999Z","venue":"x"}"#,
        ].joined(separator: "\n")
        // 3 + 10^-9 + 10^-18, and 0.3 + 12345678901·10^-27 + 12.34567890123456789.
        #expect(
            try Self.lines(rows) == [
                #"{"venue":"x","symbol":"B","interval":"1m","start":"2021-07-22T22:36:00Z","open":"0.1","high":"12345678901234567890","#
                    + #""low":"0.000000012345678901","close":"12345678901234567890","volume":"3.000000001000000001","#
                    + #""quote_volume":"12.645678901234567902345678901","trades":3}"#
            ])
    }

    @Test("opens and closes by time, then by the order of the file")
    func order() throws {
        let rows = try Self.lines(
            "time,price,size,id\n1600000059000,5,1,e\n1600000001000,3,1,c\n1600000001000,2,1,b\n1600000059000,4,1,d\n"
        )
        #expect(rows.count == 2)
        #expect(
            rows[0].contains(#""start":"2020-09-13T12:26:00Z","open":"3","high":"3","low":"2","close":"2""#))
        #expect(
            rows[1].contains(#""start":"2020-09-13T12:27:00Z","open":"5","high":"5","low":"4","close":"4""#))
        #expect(rows[0].hasPrefix(#"{"venue":null,"symbol":null,"interval":"1m""#))
    }

    @Test("the same id twice is one trade of one symbol, also with 27 digits; none counts always")
    func identities() throws {
        let long = "100045088885000000000000001"
        let rows = [
            "a,\(long)", "a,\(long)", "a,100045088885000000000000002", "b,\(long)", "a,", "a,", "a,07", "a,7",
            "a,x", "a,x",
        ]
        let uuid = "8f8fe9db-eb13-26a5-dea2-a398d89e04a8"
        let text =
            "symbol,id,price,size,time\n"
            + (rows + ["a,\(uuid)", "a,\(uuid)", "a,\(uuid.uppercased())"]).map { "\($0),1,1,60\n" }.joined()
        let lines = try Self.lines(text)
        #expect(lines.map { $0.suffix(12) } == [#","trades":9}"#, #","trades":1}"#])
        let report = try CandleReport(path: try Self.file(Array(text.utf8)), interval: .minute)
        #expect(report.duplicates == 3)
    }

    @Test("sorts by symbol and start, unknown symbols first")
    func sorting() throws {
        let text = "time,price,size,symbol,venue\n180,1,1,Z,v\n60,1,1,Z,v\n60,1,1,A,w\n60,1,1,A,v\n60,1,1,,\n"
        let found = try Self.lines(text).map { $0.prefix { $0 != "T" } }
        #expect(
            found == [
                #"{"venue":null,"symbol":null,"interval":"1m","start":"1970-01-01"#,
                #"{"venue":"v","symbol":"A","interval":"1m","start":"1970-01-01"#,
                #"{"venue":"w","symbol":"A","interval":"1m","start":"1970-01-01"#,
                #"{"venue":"v","symbol":"Z","interval":"1m","start":"1970-01-01"#,
                #"{"venue":"v","symbol":"Z","interval":"1m","start":"1970-01-01"#,
            ])
    }

    @Test(
        "reads times in ISO 8601 and by magnitude",
        arguments: [
            ("1626993367", "07.000000000"), ("1626993367.865", "07.865000000"),
            ("1626993367865", "07.865000000"),
            ("1626993367865.4321", "07.865432100"), ("1626993367865432", "07.865432000"),
            ("1626993367865432123", "07.865432123"), ("2021-07-22T22:36:07.865432123Z", "07.865432123"),
            ("2021-07-22 22:36:07", "07.000000000"), ("2021-07-22T22:36:07+00:00", "07.000000000"),
            ("2021-07-23T00:36:07.5+02:00", "07.500000000"), ("2021-07-22T17:06:07-0530", "07.000000000"),
            ("2021-07-22T22:36:07.86543212399Z", "07.865432123"), ("1.626993367e9", "07.000000000"),
            ("1626993367.00000000099999999999", "07.000000000"),
        ])
    func times(text: String, second: String) throws {
        let time = Array(text.utf8).withUnsafeBytes(TradeTime.parse)
        #expect(time?.iso8601 == "2021-07-22T22:36:\(second)Z")
    }

    @Test(
        "changes the unit at 10^11, 10^14 and 10^17",
        arguments: [
            ("9223372036", "2262-04-11"), ("99999999999", nil), ("100000000000", "1973-03-03"),
            ("9223372036854", "2262-04-11"), ("99999999999999", nil), ("100000000000000", "1973-03-03"),
            ("99999999999999999", nil), ("100000000000000000", "1973-03-03"), ("0", "1970-01-01"),
        ])
    func units(text: String, day: String?) {
        let time = Array(text.utf8).withUnsafeBytes(TradeTime.parse)
        #expect(time.map { String($0.iso8601.prefix(10)) } == day)
    }

    @Test(
        "refuses what is no time",
        arguments: [
            "yesterday", "-5", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00+00:01", "2021-02-30T00:00:00Z",
            "2021-07-22", "2021-07-22T22:36:07.Z",
            "2021-07-22T22:36:07+25:00",
            "99999999999999999999", "2021-07-22T22:36:07ZZ", "2021-07-22X22:36:07Z", "2021-07-22T22:36:07+2",
        ])
    func badTimes(text: String) { #expect(Array(text.utf8).withUnsafeBytes(TradeTime.parse) == nil) }

    @Test(
        "one error names the line, the field, its value and what is accepted",
        arguments: [
            ("price,size\n", "1: the header has no column time"),
            ("time,size\n", "1: the header has no column price"),
            ("time,price,size,price\n", "1: the header names the column price twice"),
            ("time,price,size,Note,note\n", "1: the header names the column note twice"),
            (#"{"ts":1,"price":"2","amount":"1","price":"3"}"#, #"1: the key "price" is given twice"#),
            ("time,price,size\n1,2,\0\n", "2: broken line: a control character at byte 4"),
            ("time,price,size\n1,2,3\n1,x,3\n", #"3: field "price" is "x"; accepted is a decimal number"#),
            (
                "time,price,size\n1,2,-3\n",
                #"2: field "size" is "-3"; accepted is a decimal number above 0"#
            ),
            ("time,price,size\n1,0,3\n", #"2: field "price" is "0"; accepted is a decimal number above 0"#),
            (
                "time,price,size\n1,2,0.00\n",
                #"2: field "size" is "0.00"; accepted is a decimal number above 0"#
            ),
            ("time,price,size\n1,2,\n", #"2: field "amount" is missing, and so is "size""#),
            ("time,price,size\n,2,3\n", #"2: field "time" is missing, and so is "ts""#),
            ("time,price,size\nnow,2,3\n", #"2: field "time" is "now"; accepted is ISO 8601"#),
            ("time,price,size\n1,2\n", "2: the line has 2 fields, and the header 3"),
            ("time,price,size\n1,2,\"3\n", "2: the line has a quoted field without its end"),
            ("time,price,size,side\n1,2,3,up\n", #"2: field "side" is "up"; accepted is buy, sell, b, s"#),
            (
                "time,price,size\n1,1234567890123456789012345678901234567890,1\n",
                #"2: field "price" is "1234567890123456789012345678901234567890"; accepted is a decimal number of at most 38"#
            ),
            (#"{"ts":1,"price":"2","amount":{"a":1}}"#, #"1: field "size" is "[…]""#),
            (#"{"ts":1,"price":null,"amount":"1"}"#, #"1: field "price" is missing"#),
            (
                #"{"ts":1,"price":"2","amount":"1"}"# + "\n\n" + #"{"ts":1,"price":"2","amount":"1""#,
                "3: not a JSON object"
            ),
            (
                "time,price,size\n1,99999999999999999999999999999999999999,1\n1,0.00000000000000000000000000000000000001,1\n",
                "3: the sums of this candle need"
            ),
        ])
    func errors(text: String, expected: String) {
        let found = Self.failure(text)
        #expect(found?.hasPrefix(expected) == true, "\(found ?? "no error")")
    }

    @Test("reads CSV with quotes, a byte order mark, other columns, CR LF and empty lines")
    func csv() throws {
        let text =
            "\u{FEFF}\"Time\", price ,note,amount,symbol\r\n\r\n60,\"1.5\",\"a,\"\"b\", 2 ,\"A\"\"B\"\r\n"
        let line = try #require(try Self.lines(text).first)
        #expect(
            line.hasPrefix(#"{"venue":null,"symbol":"A\"B","#)
                && line.contains(#""quote_volume":"3","trades":1"#))
    }

    @Test("a file of a header alone has no candles")
    func headerOnly() throws { #expect(try Self.lines("time,price,size\n").isEmpty) }

    @Test("a file that holds nothing is refused", arguments: ["", "\n \t\r\n", "\u{FEFF}"])
    func empty(text: String) throws {
        let path = try Self.file(Array(text.utf8))
        #expect(throws: RecordingError.empty(path: path)) {
            try CandleReport(path: path, interval: .minute)
        }
    }

    @Test("random bytes give an error or candles, never a crash")
    func randomBytes() throws {
        let seed = #"{"symbol":"B","id":"1","side":"buy","price":"0.10","amount":"3","ts":"1626993360"}"#
        let table = "time,price,size,side,id\n1600000059000,5,1,buy,e\n1600000001000,3,1,sell,c\n"
        property { generator in
            var bytes = Array(generator.pick([seed, table]).utf8)
            for _ in 0..<generator.int(1...4) { bytes = generator.damaged(bytes) }
            _ = try? CandleReport(path: try Self.file(bytes), interval: .minute)
        }
    }

    @Test("shows a table to people")
    func table() throws {
        let path = try Self.file(Array("time,price,size,symbol\n60,1.50,2,A\n".utf8))
        let lines = try CandleReport(path: path, interval: .minute).lines(columns: 200).map(\.text)
        #expect(
            lines == [
                "A  1m", "start (UTC)           open  high  low  close  volume  quote volume  trades",
                "1970-01-01T00:01:00Z   1.5   1.5  1.5    1.5       2             3       1",
            ])
    }
}

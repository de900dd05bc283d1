import Alerting
import Foundation
import Support
import Testing

@Suite("Alerts on files", .timeLimit(.minutes(10)))
struct AlertCommandTests {
    private static let bitpal = BitpalExecutable()

    private static func file(_ name: String, _ lines: [String]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/" + name
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func rule(
        _ id: String, _ condition: String, _ rest: String = "", instrument: String = "binance:BTCUSDT"
    ) -> String {
        #"{"id":"\#(id)","instrument":"\#(instrument)","condition":\#(condition)\#(rest)}"#
    }

    private static let above = #"{"price":"last","crosses":"above","level":"100.5"}"#

    @Test("prints each firing of a file of trades in the venue's order, whatever order the file has")
    func trades() async throws {
        let rules = try Self.file(
            "rules.jsonl",
            [
                Self.rule("r2", Self.above), Self.rule("r10", Self.above),
                Self.rule(
                    "b", #"{"price":"last","crosses":"below","level":"100"}"#, #","repeat":{"cooldown":"1s"}"#
                ),
            ])
        let trades = try Self.file(
            "trades.csv",
            [
                "time,price,size,side,id", "1700000001,101,1,buy,2", "1700000000,100.4,1,sell,1",
                "1700000002000,99,1,sell,3", "2023-11-14T22:13:23Z,101,1,buy,4",
                "1700000004000000000,100,1,sell,",
            ])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.errors == "")
        #expect(
            run.lines == [
                Self.fired("r10", "01", "101", "\"2\"", "last price rose to 101 from 100.4, reaching 100.5"),
                Self.fired("r2", "01", "101", "\"2\"", "last price rose to 101 from 100.4, reaching 100.5"),
                Self.fired("b", "02", "99", "\"3\"", "last price fell to 99 from 101, reaching 100"),
                Self.fired("b", "04", "100", "null", "last price fell to 100 from 101, reaching 100"),
            ])
    }

    private static func fired(
        _ rule: String, _ second: String, _ price: String, _ trade: String, _ reason: String
    ) -> String {
        #"{"rule":"\#(rule)","venue_time":"2023-11-14T22:13:2\#(second.last ?? "0").000000000Z","#
            + #""price":"\#(price)","trade_id":\#(trade),"reason":"\#(reason)"}"#
    }

    @Test(
        "refuses rules in one line that names the file, the line, the field and what is accepted",
        arguments: [
            (
                rule("r", #"{"price":"last","crosses":"above","level":"x"}"#),
                ":2: field \"condition.level\" is \"x\""
            ),
            (rule("a", above), ":2: field \"id\" is \"a\" as on line 1"),
            (rule("r", above, #","expirs":1"#), ":2: field \"expirs\" is 1: accepted is no such field"),
            (rule("r", above, #","active":{"time_zone":"Mars/Base"}"#), "\"Mars/Base\": accepted is a name"),
        ])
    func refusals(line: String, wanted: String) async throws {
        let rules = try Self.file("rules.jsonl", [Self.rule("a", Self.above), line])
        let trades = try Self.file("trades.csv", ["time,price,size,side,id", "1700000000,100,1,buy,1"])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.status == 1)
        #expect(run.output == "" && run.hasOneErrorLine)
        #expect(run.errors.contains(wanted), "\(run.errors)")
    }

    @Test("closes the candles of a week on Monday, as those of the product")
    func weeks() async throws {
        let condition = #""condition":{"candle":{"interval":"1w","close":"above","level":"105"}}"#
        let rules = try Self.file(
            "rules.jsonl",
            [#"{"id":"w","instrument":"kraken:BTC/USD",\#(condition),"repeat":{"cooldown":"0s"}}"#])
        // 2024-01-01 was a Monday.
        let days = [(3, 101), (4, 99), (7, 102), (8, 103), (10, 110), (14, 120), (15, 130), (16, 140)]
        let rows = days.enumerated().map { place, day in
            "2024-01-\(day.0 < 10 ? "0" : "")\(day.0)T12:00:00Z,\(day.1),1,buy,\(place)"
        }
        let trades = try Self.file("trades.csv", ["time,price,size,side,id"] + rows)
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.errors == "" && run.lines.count == 1, "\(run.lines)")
        #expect(run.output.contains(#""venue_time":"2024-01-15T00:00:00.000000000Z","price":"120""#))
    }

    @Test("misses no crossing after a price with many zeros at its end")
    func zeros() async throws {
        let rules = try Self.file("rules.jsonl", [Self.rule("a", Self.above)])
        let trades = try Self.file(
            "trades.csv",
            [
                "time,price,size,side,id", "1700000000,60.00000000000000000,1,buy,1",
                "1700000001,1000000,1,buy,2",
            ])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.errors == "" && run.lines.count == 1, "\(run.lines)")
    }

    @Test("plays several files of trades as one, by their times")
    func severalFiles() async throws {
        let above = #"{"price":"last","crosses":"either","level":"110"}"#
        let rules = try Self.file("rules.jsonl", [Self.rule("a", above, #","repeat":{"cooldown":"0s"}"#)])
        let head = "time,price,size,side,id"
        let files = [
            try Self.file("a.csv", [head, "1700000000,100,1,buy,1", "1700000010,90,1,buy,3"]),
            try Self.file("b.csv", [head, "1700000005,120,1,buy,2", "1700000015,95,1,buy,4"]),
        ]
        let run = try await Self.bitpal.run(
            ["alert", "backtest", "--rules", rules] + files.flatMap { ["--trades", $0] })
        #expect(run.errors == "" && run.lines.count == 2, "\(run.lines)")
        #expect(run.lines[0].contains("rose to 120 from 100") && run.lines[1].contains("fell to 90 from 120"))
    }

    @Test("shows every form of a rule in its help, as it is read")
    func forms() async throws {
        let help = try await Self.bitpal.run(["alert", "create", "--help"]).output
        let text = help.split(separator: "\n").map { $0.drop { $0 == " " } }
        // A form may take two lines.
        let forms = text.joined(separator: "\n").replacing(",\n\"direction", with: ",\"direction")
            .split(separator: "\n")
        let conditions = forms.filter { $0.hasPrefix("{\"") && $0.hasSuffix("}") }
        #expect(conditions.count == 19, "\(conditions)")
        for condition in conditions {
            let hasNone = condition.contains("portfolio") || condition.contains("listing")
            let subject = hasNone ? "" : #""instrument":"kraken:BTC/USD","#
            #expect(throws: Never.self) {
                try AlertRule(json: #"{"id":"r",\#(subject)"condition":\#(condition)}"#)
            }
        }
        let fields = forms.filter { $0.hasPrefix("\"") && $0.contains("\":") && !$0.contains(" is ") }
        #expect(fields.count == 9, "\(fields)")
        for field in fields {
            let condition = #"{"price":"last","crosses":"above","level":"1"}"#
            // Two of them exclude each other, so each stands alone.
            #expect(throws: Never.self) {
                try AlertRule(json: #"{"id":"r","instrument":"a:b","condition":\#(condition),\#(field)}"#)
            }
        }
    }

    @Test("refuses trades that cannot be read, naming the line and the field")
    func brokenTrades() async throws {
        let rules = try Self.file("rules.jsonl", [Self.rule("a", Self.above)])
        let trades = try Self.file("trades.csv", ["time,price,size,side,id", "1700000000,1e,1,buy,1"])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.status == 1 && run.hasOneErrorLine)
        #expect(run.errors.contains(":2: field \"price\" is \"1e\": accepted is a decimal"), "\(run.errors)")
    }

    @Test("names the nearest instruments when a rule's is not in the data")
    func unknownInstrument() async throws {
        let rules = try Self.file("rules.jsonl", [Self.rule("a", Self.above, instrument: "kraken:BTC/USDT")])
        let trades = try Self.file(
            "trades.jsonl",
            [
                #"{"venue":"kraken","symbol":"BTC/USD","time":"2023-11-14T22:13:23Z","price":"1","amount":"1","side":"buy"}"#
            ])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.status == 3 && run.hasOneErrorLine)
        #expect(run.errors.contains("nearest are kraken:BTC/USD"), "\(run.errors)")
    }

    @Test("needs exactly one kind of data")
    func usage() async throws {
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", "r"])
        #expect(run.status == 2 && run.hasOneErrorLine)
    }

    /// The script walks every rule over every price of the recordings' expected results.
    @Test(
        "fires on real sessions exactly what an independent program finds",
        .enabled(if: RecordingsFolder.isAvailable))
    func independentCheck() async throws {
        let folder = try #require(RecordingsFolder.path)
        let sessions = [
            ("binanceusdm_btcusdt_20240808", "binance-usdm"), ("bitmex_20210722", "bitmex"),
            ("kraken_v1_20210417", "kraken"),
        ]
        for (name, venue) in sessions where RecordingsFolder.file(name) != nil {
            let script = SourceFolder.tools + "/check_crossings.py"
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", script, BitpalExecutable.path, folder, name, venue, "300"]
            let output = Pipe()
            process.standardError = output
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(text)")
        }
    }

    @Test("names rules that the data cannot decide, and decides the others")
    func undecided() async throws {
        let rules = try Self.file(
            "rules.jsonl",
            [
                Self.rule("r", Self.above),
                Self.rule("b", #"{"price":"bid","crosses":"above","level":"100.5"}"#),
                Self.rule(
                    "i", #"{"price":"index","crosses":"above","level":"1"}"#, instrument: "index:BTC-USD"),
                #"{"id":"l","condition":{"listing":{"venue":"kraken"}}}"#,
                #"{"id":"p","condition":{"portfolio":"#
                    + #"{"id":"x","metric":"value","crosses":"above","level":"1"}}}"#,
            ])
        let trades = try Self.file(
            "trades.csv", ["time,price,size,side,id", "1700000000,100,1,sell,1", "1700000001,101,1,buy,2"])
        let run = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--trades", trades])
        #expect(run.status == 0 && run.lines.count == 1 && run.output.contains(#"{"rule":"r""#))
        #expect(
            run.errors.split(separator: "\n") == [
                "warning: rule b is not decided: the data has no book of binance:BTCUSDT",
                "warning: rule i is not decided: the data has no index price of index:BTC-USD",
                "warning: rule l is not decided: the data has no time at which kraken listed something",
                "warning: rule p is not decided: the data has no worth of portfolio x",
            ])
    }
}

private enum SourceFolder {
    /// From `Tests/OperatorCommandsTests/AlertCommandTests.swift`, two up.
    static let tools: String = {
        let file = URL(fileURLWithPath: #filePath)
        return file.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Tools")
            .path
    }()
}

@Suite("Indicators on files")
struct IndicatorCommandTests {
    private static let bitpal = BitpalExecutable()

    private static func file(_ lines: [String]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/candles.csv"
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test("prints one object per candle, null before there are enough")
    func json() async throws {
        let candles = try Self.file([
            "start,open,high,low,close,volume", "60,1,3,1,2,1", "120,2,5,2,4,1", "180,4,6,3,5,1",
        ])
        let run = try await Self.bitpal.run([
            "indicator", "sma", "--period", "2", "--candles", candles, "--json",
        ])
        let head = #"{"venue":null,"symbol":null,"interval":null,"#
        #expect(
            run.lines == [
                head + #""start":"60","value":null}"#, head + #""start":"120","value":"3.0"}"#,
                head + #""start":"180","value":"4.5"}"#,
            ])
    }

    @Test(
        "refuses what it cannot compute, in one line",
        arguments: [
            (["indicator", "smaa", "--candles", "x"], 2, "NAME is smaa; it must be one of sma, ema"),
            (
                ["indicator", "rsi", "--period", "1", "--candles", "x"], 2,
                "--period is 1; it must be 2 to 100000"
            ),
            (["indicator", "sma", "--candles", "/nonexistent"], 1, "/nonexistent: no such file"),
        ])
    func refusals(arguments: [String], status: Int, wanted: String) async throws {
        let run = try await Self.bitpal.run(arguments)
        #expect(Int(run.status) == status && run.hasOneErrorLine)
        #expect(run.errors.contains(wanted), "\(run.errors)")
    }

    @Test("refuses candles out of order and fields that are missing")
    func brokenCandles() async throws {
        let order = try Self.file(["start,close", "120,1", "60,1"])
        let first = try await Self.bitpal.run(["indicator", "sma", "--candles", order])
        #expect(
            first.errors.contains(":3: field \"start\" is \"60\": accepted is a start after"),
            "\(first.errors)")
        let field = try Self.file(["start,close", "120,1"])
        let second = try await Self.bitpal.run(["indicator", "atr", "--candles", field])
        #expect(second.errors.contains(":2: field \"high\" is missing"), "\(second.errors)")
    }
}

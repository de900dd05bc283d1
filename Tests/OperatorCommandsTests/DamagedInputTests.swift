import Foundation
import Instruments
import Recordings
import Support
import Testing

@testable import OperatorCommands

/// What commands say of files that they could not read whole.
@Suite("Damaged input", .timeLimit(.minutes(10)))
struct DamagedInputTests {
    private static let bitpal = BitpalExecutable()

    private static func isIncomplete(_ line: String?, _ words: String) -> Bool {
        line?.hasPrefix(#"{"incomplete":""#) == true && line?.contains(words) == true
            && line?.hasSuffix("\"}") == true
    }

    // MARK: - Recordings

    @Test(
        "a summary of a damaged recording is not printed, and with --partial it counts",
        arguments: RecordingDamage.allCases)
    func summary(damage: RecordingDamage) async throws {
        let path = try DamagedInput.recording(damage)
        let strict = try await Self.bitpal.run(["normalize", path])
        #expect(strict.status == 1 && strict.output == "")
        #expect(strict.errors == "bitpal: \(path): \(damage.words)\n")
        let partial = try await Self.bitpal.run(["normalize", path, "--partial"])
        #expect(partial.status == 0 && partial.lines.count == 1)
        #expect(partial.output.contains(#""counts":{"trades":2,"#))
        for count in damage.counts { #expect(partial.output.contains(count), "\(partial.output)") }
        #expect(partial.errors == "bitpal: only a part was read: \(path): \(damage.words)\n")
    }

    @Test("rows of a damaged recording end with a line that says so", arguments: RecordingDamage.allCases)
    func rows(damage: RecordingDamage) async throws {
        let path = try DamagedInput.recording(damage)
        for (emission, count) in [("top", 2), ("trades", 2), ("tickers", 0)] {
            let arguments = ["normalize", path, "--emit", emission]
            for (run, status) in [
                (try await Self.bitpal.run(arguments), Int32(1)),
                (try await Self.bitpal.run(arguments + ["--partial"]), 0),
            ] {
                #expect(run.status == status && run.hasOneErrorLine, "\(run.errors)")
                #expect(run.errors.contains("\(path): \(damage.words)"), "\(run.errors)")
                #expect(run.lines.count == count + 1, "\(emission): \(run.lines)")
                #expect(Self.isIncomplete(run.lines.last, damage.words), "\(run.lines)")
            }
        }
        let events = try await Self.bitpal.run(["normalize", path, "--emit", "events"])
        #expect(events.status == 1 && Self.isIncomplete(events.lines.last, damage.words))
    }

    @Test(
        "a backtest over a damaged recording fires nothing, and with --partial what is there",
        arguments: RecordingDamage.allCases)
    func backtest(damage: RecordingDamage) async throws {
        let path = try DamagedInput.recording(damage)
        let arguments = ["alert", "backtest", "--rules", try DamagedInput.rules(), "--recording", path]
        let strict = try await Self.bitpal.run(arguments)
        #expect(strict.status == 1 && strict.output == "")
        #expect(strict.errors == "bitpal: \(path): \(damage.words)\n")
        let partial = try await Self.bitpal.run(arguments + ["--partial"])
        #expect(partial.status == 0 && partial.hasOneErrorLine, "\(partial.errors)")
        #expect(partial.lines.count == 2 && partial.lines[0].contains(#""trade_id":"b""#), "\(partial.lines)")
        #expect(Self.isIncomplete(partial.lines.last, damage.words), "\(partial.lines)")
    }

    @Test("a whole recording ends with 0, and says that nothing is missing")
    func whole() async throws {
        let path = try DamagedInput.recording()
        let summary = try await Self.bitpal.run(["normalize", path])
        #expect(summary.status == 0 && summary.errors == "")
        #expect(summary.output.contains(#""input":{"records":4,"announced_records":4,"unreadable_lines":0,"#))
        #expect(summary.output.contains(#""first_unreadable_line":null,"cut_at_line":null,"#))
        let trades = try await Self.bitpal.run(["normalize", path, "--emit", "trades"])
        #expect(trades.status == 0 && trades.errors == "" && trades.lines.count == 2)
        let rules = try DamagedInput.rules()
        let fired = try await Self.bitpal.run(["alert", "backtest", "--rules", rules, "--recording", path])
        #expect(fired.status == 0 && fired.errors == "" && fired.lines.count == 1, "\(fired.lines)")
    }

    @Test("a recording of a header alone is whole; one that holds nothing is refused")
    func headerOnly() async throws {
        let marked = ["\u{FEFF}" + DamagedInput.header(0), " \t\r"]
        let header = try DamagedInput.file("r.gz", try DamagedInput.compressed(marked))
        for (emission, count) in [("summary", 1), ("trades", 0)] {
            let run = try await Self.bitpal.run(["normalize", header, "--emit", emission])
            #expect(run.status == 0 && run.errors == "" && run.lines.count == count, "\(run.errors)")
        }
        for bytes in [[], try DamagedInput.compressed([]), try DamagedInput.compressed(["", " "])] {
            let path = try DamagedInput.file("r.gz", bytes)
            let run = try await Self.bitpal.run(["normalize", path, "--emit", "trades", "--partial"])
            #expect(run.status == 1 && run.output == "")
            #expect(run.errors == "bitpal: \(path): the file holds nothing\n")
        }
    }

    @Test("answers to requests that we do not make are counted, and are no fault")
    func ignored() throws {
        let answer = #"{"t":1,"conn":1,"kind":"http","dir":"in","url":"https://nowhere.test/x","data":"?"}"#
        let path = try DamagedInput.file(
            "r.gz", try DamagedInput.compressed([DamagedInput.header(1), answer]))
        var text: [UInt8] = []
        var normalizer = try Normalizer(path: path, emission: .summary)
        #expect(try normalizer.run { text += $0 }.isWhole)
        #expect(String(decoding: text, as: UTF8.self).contains(#""ignored_answers":1"#))
    }

    @Test("every real recording is whole", .enabled(if: RecordingsFolder.isAvailable))
    func realRecordings() throws {
        #expect(!ExpectedResults.names.isEmpty)
        for name in ExpectedResults.names {
            let path = try #require(RecordingsFolder.file(name))
            var normalizer = try Normalizer(path: path, emission: .summary)
            let faults = try normalizer.run(isPartial: true) { _ in }
            #expect(faults.isWhole, "\(faults.words)")
        }
    }

    // MARK: - Files of trades

    /// The second line of a file of three trades, what candles and a backtest say of it, and what is counted.
    struct BadLine: CustomTestStringConvertible {
        var line: String
        var refusal: String
        var words = "1 line could not be read, on line 2"

        var testDescription: String { refusal }
    }

    private static let badLines = [
        BadLine(line: String(repeating: "\0", count: 4_096), refusal: "a control character at byte 0"),
        BadLine(
            line: String(DamagedInput.tradeLine("b", "100").dropLast()) + #","price":"100.2"}"#,
            refusal: #"the key "price" is given twice"#),
        BadLine(line: DamagedInput.tradeLine("b", "100", "-5"), refusal: #"is "-5""#),
        BadLine(
            line: DamagedInput.tradeLine("b", "100", "1969-12-31T23:59:59Z"),
            refusal: #"is "1969-12-31T23:59:59Z""#),
        BadLine(line: "{", refusal: "not a JSON object"),
        BadLine(
            line: #"{"incomplete":"r.gz: cut at line 9"}"#,
            refusal: "says that what it ends is incomplete: r.gz: cut at line 9",
            words: "its last line says that it is incomplete: r.gz: cut at line 9"),
    ]

    /// The commands that read a file of trades.
    private static func commands(_ trades: String) throws -> [[String]] {
        [
            ["candles", "--from-trades", trades, "--json"],
            ["alert", "backtest", "--rules", try DamagedInput.rules(), "--trades", trades],
        ]
    }

    @Test("a line of trades that cannot be read ends the command, or is left out", arguments: badLines)
    func trades(bad: BadLine) async throws {
        let lines = [DamagedInput.tradeLine("a", "100"), bad.line, DamagedInput.tradeLine("c", "101")]
        let path = try DamagedInput.file("trades.jsonl", Array(lines.map { $0 + "\n" }.joined().utf8))
        for command in try Self.commands(path) {
            let strict = try await Self.bitpal.run(command)
            #expect(strict.status == 1 && strict.output == "" && strict.hasOneErrorLine)
            #expect(strict.errors.contains("\(path):2: "), "\(strict.errors)")
            #expect(strict.errors.contains(bad.refusal), "\(strict.errors)")
            let partial = try await Self.bitpal.run(command + ["--partial"])
            #expect(partial.status == 0, "\(partial.errors)")
            #expect(partial.errors == "bitpal: only a part was read: \(path): \(bad.words)\n")
            #expect(partial.lines.count == 2, "\(partial.lines)")
            #expect(Self.isIncomplete(partial.lines.last, bad.words), "\(partial.lines)")
        }
    }

    @Test("trades of a file that is cut give nothing, and with --partial what is there")
    func cutTrades() async throws {
        let lines = [DamagedInput.tradeLine("a", "100"), DamagedInput.tradeLine("c", "101")]
        let path = try DamagedInput.file(
            "trades.gz", try DamagedInput.compressed(["\u{FEFF}" + lines[0], " \t", lines[1]]).dropLast(4))
        for command in try Self.commands(path) {
            let strict = try await Self.bitpal.run(command)
            #expect(strict.status == 1 && strict.output == "")
            #expect(strict.errors == "bitpal: \(path):4: truncated: the gzip data ends here\n")
            let partial = try await Self.bitpal.run(command + ["--partial"])
            #expect(partial.status == 0 && partial.lines.count == 2, "\(partial.lines)")
            #expect(partial.errors == "bitpal: only a part was read: \(path): cut at line 4\n")
        }
    }

    @Test("files of trades, candles and rules that hold nothing are refused", arguments: ["", " \n\t\r\n"])
    func nothing(text: String) async throws {
        let path = try DamagedInput.file("empty", Array(text.utf8))
        let rules = ["alert", "backtest", "--rules", path, "--trades", path]
        let candles = ["indicator", "sma", "--candles", path, "--json"]
        for command in try Self.commands(path) + [rules, candles] {
            let run = try await Self.bitpal.run(command)
            #expect(run.status == 1 && run.output == "", "\(command)")
            #expect(run.errors == "bitpal: \(path): the file holds nothing\n")
        }
    }

    @Test("a header that names a column twice is refused, whatever else can be left out")
    func header() async throws {
        let path = try DamagedInput.file("trades.csv", Array("time,price,size,side,id,Price\n".utf8))
        for command in try Self.commands(path) {
            let run = try await Self.bitpal.run(command + ["--partial"])
            #expect(run.status == 1 && run.output == "" && run.hasOneErrorLine)
            #expect(run.errors.contains(":1: the header names the column price twice"), "\(run.errors)")
        }
    }

    @Test("rows that say that they are incomplete are refused by whoever reads them next")
    func pipe() async throws {
        let rows = try await Self.bitpal.run([
            "normalize", try DamagedInput.recording(.cut), "--emit", "trades",
        ])
        let path = try DamagedInput.file("trades.jsonl", Array(rows.output.utf8))
        for command in try Self.commands(path) {
            let run = try await Self.bitpal.run(command)
            #expect(run.status == 1 && run.output == "" && run.hasOneErrorLine)
            #expect(run.errors.contains("\(path):3: the line says that what it ends is incomplete"))
        }
    }

    @Test(
        "--partial is refused where no file is read",
        arguments: [
            ["candles", "bitmex", "XBTUSD", "--partial"],
            [
                "alert", "backtest", "--rules", "r", "--from", "2026-01-31T00:00:00Z", "--to",
                "2026-02-01T00:00:00Z", "--partial",
            ],
        ])
    func usage(arguments: [String]) async throws {
        let run = try await Self.bitpal.run(arguments)
        #expect(run.status == 2 && run.hasOneErrorLine)
        #expect(run.errors.contains("--partial is for"), "\(run.errors)")
    }
}

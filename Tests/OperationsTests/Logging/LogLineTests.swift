import Logging
import Synchronization
import Testing

@testable import Operations

@Suite("Log line")
struct LogLineTests {
    @Test("writes pairs in a fixed order, quoting what needs it")
    func writes() {
        let line = LogLine.format(
            time: 1_626_993_367_865_999_999, level: .warning, service: "book-builder",
            message: "Sequence gap",
            error: nil,
            metadata: [
                "sequence.expected": "42", "instrument": "kraken:BTC/USD", "empty": "", "q": "a=\"b\"",
            ])
        #expect(
            line == "time=2021-07-22T22:36:07.865Z level=warning service=book-builder msg=\"Sequence gap\" "
                + "empty=\"\" instrument=kraken:BTC/USD q=\"a=\\\"b\\\"\" sequence.expected=42\n")
    }

    @Test(
        "nothing in a value can end the line or begin another pair",
        arguments: [
            "a\nb", "a\r\nb", "\u{1b}[31m", "x=y z", "\"", "\\", "\u{2028}", "\u{85}",
        ])
    func injection(value: String) {
        let line = LogLine.format(
            time: 0, level: .info, service: "s", message: value, error: value, metadata: ["k y=": "\(value)"])
        #expect(line.hasSuffix("\n") && line.count { $0.isNewline } == 1)
        #expect(!line.unicodeScalars.contains("\u{1b}"))
        #expect(line.contains(" k_y_="))
    }

    @Test(
        "writes times before and after 1970 and around leap days",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1_000_000, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
            (1_709_164_800_000_000_000, "2024-02-29T00:00:00.000Z"),
            (1_709_251_199_999_000_000, "2024-02-29T23:59:59.999Z"),
            (4_107_542_400_000_000_000, "2100-03-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func times(nanoseconds: Int64, text: String) {
        #expect(UTCText.format(nanoseconds: nanoseconds) == text)
    }

    @Test("the handler merges metadata and obeys its level")
    func handler() {
        let sink = LineSink()
        var logger = Logger(label: "x") { _ in
            LogfmtHandler(service: "s", level: .notice, clock: { 0 }, write: { sink.append($0) })
        }
        logger[metadataKey: "venue"] = "kraken"
        logger.info("not shown")
        logger.notice("Shown", metadata: ["venue": "bitmex", "n": "1"])
        #expect(
            sink.lines == [
                "time=1970-01-01T00:00:00.000Z level=notice service=s msg=Shown n=1 venue=bitmex\n"
            ])
    }
}

private final class LineSink: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    func append(_ line: String) { state.withLock { $0.append(line) } }
}

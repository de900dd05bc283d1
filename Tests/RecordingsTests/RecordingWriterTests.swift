import Instruments
import Recordings
import Support
import Testing

@Suite("Recording writer")
struct RecordingWriterTests {
    private static let header = RecordingHeader(
        venue: .kraken, started: Timestamp(nanoseconds: 1_700_000_000_000_000_000), source: "a \"test\"",
        licence: "none")

    private static func entry(_ number: Int, _ data: String) -> RecordingEntry {
        RecordingEntry(
            time: Timestamp(nanoseconds: Int64(number)), connection: number, kind: .ws, direction: .in,
            data: Array(data.utf8))
    }

    @Test("what it wrote, the reader gives back equal, with the count in the header")
    func roundTrip() throws {
        let file = try TemporaryFile()
        var control = ""
        for value in 0..<0x20 { control.unicodeScalars.append(Unicode.Scalar(UInt8(value))) }
        let entries = [
            RecordingEntry(
                time: Timestamp(nanoseconds: 1), connection: 2, kind: .ws, direction: .open,
                url: "wss://a/\"b\"?c=é"),
            Self.entry(3, control + "\u{7F}\"\\/é€😀"),
            RecordingEntry(
                time: Timestamp(nanoseconds: 4), connection: 3, kind: .http, direction: .in, url: "https://x",
                data: []),
            Self.entry(5, String(repeating: "{\"a\":[1,2]}\n", count: 50_000)),
        ]
        let writer = try RecordingWriter(path: file.path, header: Self.header)
        for entry in entries { try writer.write(entry) }
        try writer.finish()
        try writer.finish()
        let read = try RecordingReader.loadAll(path: file.path)
        #expect(read.entries == entries)
        var expected = Self.header
        expected.records = 4
        #expect(read.header == expected)
        #expect(writer.header == expected)
    }

    @Test("a recording that was not finished gives its flushed lines and then one clear error")
    func unfinished() throws {
        let file = try TemporaryFile()
        let writer = try RecordingWriter(path: file.path, header: Self.header)
        try writer.write(Self.entry(1, "first"))
        try writer.write(Self.entry(2, "second"))
        try writer.flush()
        try writer.write(Self.entry(3, "lost with the process"))
        let reader = try RecordingReader(path: file.path)
        #expect(reader.header.records == 0)
        #expect(try reader.next() == Self.entry(1, "first"))
        #expect(try reader.next() == Self.entry(2, "second"))
        #expect(throws: RecordingError.truncated(path: file.path, line: 4)) { try reader.next() }
    }

    @Test("refuses data that is no text and goes on")
    func notText() throws {
        let file = try TemporaryFile()
        let writer = try RecordingWriter(path: file.path, header: Self.header)
        var binary = Self.entry(1, "")
        binary.data = [0x1F, 0x8B, 0xFF]
        #expect(throws: RecordingError.notText(path: file.path, line: 2)) { try writer.write(binary) }
        try writer.write(Self.entry(2, "text"))
        try writer.finish()
        #expect(try RecordingReader.loadAll(path: file.path).entries == [Self.entry(2, "text")])
    }

    @Test("names the file that it cannot make")
    func refused() {
        #expect(throws: RecordingError.refused(path: "/proc/none/x", operation: "create", code: 2)) {
            try RecordingWriter(path: "/proc/none/x", header: Self.header)
        }
        let error = RecordingError.refused(path: "/proc/none/x", operation: "create", code: 2)
        #expect("\(error)" == "/proc/none/x: cannot create: No such file or directory")
    }

    @Test("writes real recordings so that they read back equal", .enabled(if: RecordingsFolder.isAvailable))
    func realRecordings() throws {
        for name in ["bitmex_20210722", "kraken_v2_btcusd_20260802", "binance_20211012"] {
            let path = try #require(RecordingsFolder.file(name))
            let original = try RecordingReader.loadAll(path: path)
            let file = try TemporaryFile()
            let writer = try RecordingWriter(path: file.path, header: original.header)
            for entry in original.entries { try writer.write(entry) }
            try writer.finish()
            let copy = try RecordingReader.loadAll(path: file.path)
            #expect(copy.header == original.header)
            #expect(copy.entries == original.entries)
        }
    }
}

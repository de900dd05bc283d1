import Instruments
import Recordings
import Support
import Testing

@Suite("Recording reader")
struct RecordingReaderTests {
    static let header =
        #"{"bitpal_recording":1,"venue":"bitmex","started":5,"records":2,"source":"s","licence":"l"}"#

    /// More keys than are compared one by one, and the eighth once more.
    private static let manyKeys: String = {
        let keys = ((0..<100).map { "k\($0)" } + ["k7"]).map { "\"\($0)\":1" }
        return #"{"t":1,"conn":1,"kind":"ws","dir":"in","# + keys.joined(separator: ",") + "}"
    }()

    private func reader(_ lines: [String], venues: [Venue]? = Venue.known) throws -> (
        RecordingReader, TemporaryFile
    ) {
        let file = try TemporaryFile()
        try file.write(try gzip(lines.joined(separator: "\n") + "\n"))
        return (try RecordingReader(path: file.path, venues: venues), file)
    }

    @Test("reads the header and every field of a line, in any order and with unknown ones")
    func fields() throws {
        let (reader, _) = try reader([
            Self.header,
            #"{"t": 7, "conn": 2, "kind": "ws", "dir": "open", "url": "wss://x/y"}"#,
            #"{"data":"{\"a\":1}","later":{"x":[1,"}"]},"dir":"in","kind":"http","conn":3,"t":8,"url":null}"#,
        ])
        #expect(reader.header.venue == .bitmex)
        #expect(reader.header.started == Timestamp(nanoseconds: 5))
        #expect(reader.header.records == 2)
        let first = try reader.next()
        #expect(
            first
                == RecordingEntry(
                    time: Timestamp(nanoseconds: 7), connection: 2, kind: .ws, direction: .open,
                    url: "wss://x/y"))
        let second = try reader.next()
        #expect(
            second
                == RecordingEntry(
                    time: Timestamp(nanoseconds: 8), connection: 3, kind: .http, direction: .in,
                    data: Array(#"{"a":1}"#.utf8)))
        #expect(try reader.next() == nil)
        #expect(reader.line == 3)
    }

    @Test(
        "resolves every escape of JSON, surrogate pairs included",
        arguments: [
            (#"\" \\ \/ \b \f \n \r \t"#, "\" \\ / \u{8} \u{C} \n \r \t"),
            (#"\u00e9\u20AC\uD83D\ude00"#, "é€😀"),
            ("é€😀", "é€😀"),
            ("", ""),
        ])
    func escapes(text: String, expected: String) throws {
        let (reader, _) = try reader([
            Self.header, #"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"\#(text)"}"#,
        ])
        let entry = try #require(try reader.next())
        #expect(String(decoding: entry.data, as: UTF8.self) == expected)
    }

    @Test(
        "names the file and the line of a broken line",
        arguments: [
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"x""#, LineFault.notJSON(offset: 49)),
            (#"{"t":1,"conn":1,"kind":"ws","data":"x"}"#, .missing(field: "dir")),
            (#"{"conn":1,"kind":"ws","dir":"in","data":"x"}"#, .missing(field: "t")),
            (#"{"t":1.5,"conn":1,"kind":"ws","dir":"in"}"#, .unexpected(field: "t")),
            (#"{"t":99999999999999999999,"conn":1,"kind":"ws","dir":"in"}"#, .unexpected(field: "t")),
            (#"{"t":1,"conn":1,"kind":"smtp","dir":"in"}"#, .unexpected(field: "kind")),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"up"}"#, .unexpected(field: "dir")),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"\q"}"#, .badEscape(offset: 47)),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"\ud83dx"}"#, .badEscape(offset: 47)),
            ("hello", .notJSON(offset: 0)),
            ("\0\0\0", .notJSON(offset: 0)),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","x":[1,"# + "\0]}", .notJSON(offset: 46)),
            (#"{"t":-1,"conn":1,"kind":"ws","dir":"in"}"#, .unexpected(field: "t")),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","t":2}"#, .repeated(key: "t")),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","\u0074":2}"#, .repeated(key: "t")),
            (#"{"t":1,"conn":1,"kind":"ws","dir":"in","x":1,"y":1,"x":1}"#, .repeated(key: "x")),
            (manyKeys, .repeated(key: "k7")),
        ])
    func broken(line: String, fault: LineFault) throws {
        let good = #"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"ok"}"#
        let (reader, file) = try reader([Self.header, good, line, good])
        #expect(try reader.next() != nil)
        #expect(throws: RecordingError.brokenLine(path: file.path, line: 3, why: fault)) { try reader.next() }
        #expect(
            "\(RecordingError.brokenLine(path: file.path, line: 3, why: fault))".hasPrefix("\(file.path):3: ")
        )
    }

    @Test("says what is wrong with a file that is no recording")
    func notARecording() throws {
        let file = try TemporaryFile()
        #expect(throws: RecordingError.fileMissing(path: file.path)) { try RecordingReader(path: file.path) }
        try file.write(Array("{}".utf8))
        #expect(throws: RecordingError.notGzip(path: file.path)) { try RecordingReader(path: file.path) }
        for nothing in [[], try gzip(""), try gzip(" \r\n\t\n")] {
            try file.write(nothing)
            #expect(throws: RecordingError.empty(path: file.path)) { try RecordingReader(path: file.path) }
        }
        try file.write(try gzip("{\"venue\":\"bitmex\"}\n"))
        #expect(throws: RecordingError.missingHeader(path: file.path)) {
            try RecordingReader(path: file.path)
        }
        try file.write(try gzip("{\"bitpal_recording\":2,\"venue\":\"bitmex\"}\n"))
        #expect(throws: RecordingError.unknownVersion(path: file.path, version: 2)) {
            try RecordingReader(path: file.path)
        }
    }

    @Test("refuses a venue that the caller does not know, and names those that it does")
    func unknownVenue() throws {
        let line = Self.header.replacing("bitmex", with: "mtgox")
        let file = try TemporaryFile()
        try file.write(try gzip(line + "\n"))
        let error = #expect(throws: RecordingError.self) { try RecordingReader(path: file.path) }
        #expect("\(try #require(error))".contains("unknown venue \"mtgox\"; known are binance, "))
        #expect(try RecordingReader(path: file.path, venues: nil).header.venue.rawValue == "mtgox")
    }

    @Test(
        "knows a venue by its letters, however its name was written",
        arguments: ["Crypto.com", "cryptocom", "CRYPTO_COM"])
    func spelling(name: String) throws {
        let (reader, _) = try reader([Self.header.replacing("bitmex", with: name)])
        #expect(reader.header.venue.rawValue == "crypto-com")
    }

    @Test("delivers what is whole of a truncated file and then says where it ends")
    func truncated() throws {
        let file = try TemporaryFile()
        let line = #"{"t":1,"conn":1,"kind":"ws","dir":"in","data":"abc"}"#
        let whole = try gzip(
            ([Self.header] + Array(repeating: line, count: 2_000)).joined(separator: "\n") + "\n")
        for cut in [whole.count - 1, whole.count - 8, whole.count / 2] {
            try file.write(Array(whole[..<cut]))
            let reader = try RecordingReader(path: file.path)
            var count = 0
            let error = #expect(throws: RecordingError.self) {
                while try reader.next() != nil { count += 1 }
            }
            #expect(error == .truncated(path: file.path, line: count + 2))
        }
    }

    @Test("says from which line on a damaged file cannot be read")
    func damaged() throws {
        let file = try TemporaryFile()
        var bytes = try gzip(Self.header + "\n")
        bytes[bytes.count - 5] ^= 0xFF
        try file.write(bytes)
        #expect(throws: RecordingError.damaged(path: file.path, line: 1)) {
            let reader = try RecordingReader(path: file.path)
            while try reader.next() != nil {}
        }
    }

    @Test("reads every real recording to its end", .enabled(if: RecordingsFolder.isAvailable))
    func realRecordings() throws {
        let names = RecordingsFolder.names { _ in true }
        #expect(!names.isEmpty)
        for name in names {
            let path = try #require(RecordingsFolder.file(name))
            let reader = try RecordingReader(path: path, venues: nil)
            var count = 0
            try reader.forEach { frame in
                count += 1
                if frame.direction == .in { #expect(!frame.data.isEmpty, "\(name):\(reader.line)") }
            }
            #expect(count == reader.header.records, "\(name)")
        }
    }
}

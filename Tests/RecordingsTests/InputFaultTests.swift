import Instruments
import Recordings
import Testing

@Suite("Input faults")
struct InputFaultTests {
    private static func header(_ records: Int) -> String {
        #"{"bitpal_recording":1,"venue":"bitmex","started":5,"records":\#(records),"source":"s","licence":"l"}"#
    }

    private static func line(_ number: Int) -> String {
        #"{"t":\#(number),"conn":1,"kind":"ws","dir":"in","data":"message \#(number * 7_919 % 1_009)"}"#
    }

    /// How many entries a reader gives that counts faults, and what it says then.
    private static func read(_ file: TemporaryFile) throws -> (entries: Int, faults: InputFaults) {
        let reader = try RecordingReader(path: file.path, policy: .count)
        var entries = 0
        while try reader.next() != nil { entries += 1 }
        // The end stays the end.
        #expect(try reader.next() == nil)
        return (entries, reader.faults)
    }

    private static func recording(_ lines: [String]) throws -> TemporaryFile {
        let file = try TemporaryFile()
        try file.write(try gzip(lines.map { $0 + "\n" }.joined()))
        return file
    }

    @Test("lines that cannot be read are counted and the others given")
    func lines() throws {
        let nul = String(repeating: "\0", count: 4_096)
        let file = try Self.recording([
            Self.header(4), Self.line(1), "hello", " \t\r", Self.line(2), nul, Self.line(3),
        ])
        let (entries, faults) = try Self.read(file)
        #expect(entries == 3 && faults.records == 5 && faults.announcedRecords == 4)
        #expect(faults.unreadableLines == 2 && faults.firstLine == 3 && faults.cut == nil)
        #expect(!faults.isWhole)
        #expect(
            faults.words
                == "\(file.path): 2 lines could not be read, the first on line 3; "
                + "5 records, and the header says 4")
    }

    @Test("a whole recording has no faults, whether or not its header counts", arguments: [0, 2])
    func whole(records: Int) throws {
        let file = try Self.recording([
            "\u{FEFF}" + Self.header(records), "", Self.line(1) + "\r", Self.line(2),
        ])
        let (entries, faults) = try Self.read(file)
        #expect(entries == 2 && faults.isWhole, "\(faults.words)")
        let alone = try Self.read(try Self.recording([Self.header(0)]))
        #expect(alone.entries == 0 && alone.faults.isWhole)
    }

    @Test("a wrong count is known at the end, also to who stops at faults")
    func count() throws {
        let file = try Self.recording([Self.header(3), Self.line(1), Self.line(2)])
        let reader = try RecordingReader(path: file.path)
        while try reader.next() != nil {}
        #expect(reader.faults.isCountWrong)
        #expect(reader.faults.words == "\(file.path): 2 records, and the header says 3")
    }

    @Test("a file that is cut anywhere says so, behind what is whole")
    func cuts() throws {
        let whole = try gzip(
            ([Self.header(500)] + (1...500).map { Self.line($0) }).map { $0 + "\n" }.joined())
        let file = try TemporaryFile()
        for eighth in 1..<8 {
            try file.write(Array(whole[..<(whole.count * eighth / 8)]))
            do {
                let (entries, faults) = try Self.read(file)
                #expect(entries < 500 && faults.records == entries, "\(eighth)/8")
                #expect(faults.cut == .truncated(path: file.path, line: entries + 2), "\(eighth)/8")
                #expect(faults.words.hasSuffix("cut at line \(entries + 2)"), "\(faults.words)")
            } catch let error as RecordingError {
                // Not even the header came.
                #expect(error == .truncated(path: file.path, line: 1), "\(eighth)/8")
            }
        }
    }

    @Test("bytes behind the end that are no gzip are damage, not the end")
    func secondMember() throws {
        let file = try Self.recording([Self.header(2), Self.line(1), Self.line(2)])
        try file.write(try file.bytes() + Array("garbage".utf8))
        let (entries, faults) = try Self.read(file)
        #expect(entries == 2 && faults.cut == .damaged(path: file.path, line: 4))
        #expect(faults.words == "\(file.path): damaged from line 4 on")
    }

    @Test("frames and lines are told in one sentence")
    func words() throws {
        let file = try Self.recording([Self.header(2), Self.line(1), "hello"])
        var faults = try Self.read(file).faults
        faults.addFrames(3, line: 2)
        #expect(
            faults.words
                == "\(file.path): 3 frames and 1 line could not be read, the first on line 2")
        faults.addIncompleteSource("x")
        #expect(faults.words.hasSuffix("; its last line says that it is incomplete: x"))
    }
}

@Suite("Text files")
struct TextFileTests {
    private static func file(_ text: String) throws -> TemporaryFile {
        let file = try TemporaryFile()
        try file.write(Array(text.utf8))
        return file
    }

    private static func lines(_ reader: TextFile) throws -> [String] {
        var lines: [String] = []
        while let line = try reader.next() {
            lines.append("\(reader.line) " + String(decoding: line, as: UTF8.self))
        }
        return lines
    }

    @Test("passes over a byte order mark, white space and the ends of lines")
    func lines() throws {
        let file = try Self.file("\u{FEFF}a\r\n\r\n \t\nb\u{FEFF}\n\nc")
        let reader = try TextFile(path: file.path)
        #expect(try Self.lines(reader) == ["1 a", "4 b\u{FEFF}", "6 c"])
        #expect(reader.faults.isWhole)
    }

    @Test("a control character is a fault of its line", arguments: ["\0", "\0\0\0", "a\u{1B}", " \u{7}"])
    func control(line: String) throws {
        let file = try Self.file("a\n\(line)\nb\tc\n")
        let strict = try TextFile(path: file.path)
        #expect(try strict.next() != nil)
        let offset = line.utf8.count == 2 ? 1 : 0
        #expect(
            throws: RecordingError.brokenLine(path: file.path, line: 2, why: .control(offset: offset))
        ) { try strict.next() }
        let counting = try TextFile(path: file.path, policy: .count)
        #expect(try Self.lines(counting) == ["1 a", "3 b\tc"])
        #expect(counting.faults.words == "\(file.path): 1 line could not be read, on line 2")
    }

    @Test(
        "a file that holds nothing is refused", arguments: ["", "\n", " \t\r\n\n", "\u{FEFF}", "\u{FEFF}\n"])
    func empty(text: String) throws {
        let file = try Self.file(text)
        for policy in [FaultPolicy.stop, .count] {
            #expect(throws: RecordingError.empty(path: file.path)) {
                try TextFile(path: file.path, policy: policy).next()
            }
        }
    }
}

import Foundation
import Support
import Testing

@testable import Recordings

/// What can be wrong with a recording behind its header.
enum RecordingDamage: String, CaseIterable {
    case frame, count, cut, member, control, keyTwice, negativeTime

    /// What is said of it.
    var words: String {
        switch self {
        case .frame: "1 frame could not be read, on line 6"
        case .count: "4 records, and the header says 5"
        case .cut: "cut at line 6"
        case .member: "damaged from line 6 on"
        case .control, .keyTwice, .negativeTime: "1 line could not be read, on line 6"
        }
    }

    /// What a summary says of it.
    var counts: [String] {
        switch self {
        case .frame: [#""records":5,"announced_records":5"#, #""unreadable_frames":1"#]
        case .count: [#""records":4,"announced_records":5,"unreadable_lines":0,"unreadable_frames":0"#]
        case .cut, .member: [#""records":4,"announced_records":4"#, #""cut_at_line":6"#]
        case .control, .keyTwice, .negativeTime:
            [#""records":5,"announced_records":5,"unreadable_lines":1"#, #""first_unreadable_line":6"#]
        }
    }

    /// The line that it adds.
    fileprivate var line: String? {
        switch self {
        case .frame: DamagedInput.line(5, "{")
        case .count, .cut, .member: nil
        case .control: String(repeating: "\0", count: 4_096)
        case .keyTwice: String(DamagedInput.line(5, "[]").dropLast()) + #","conn":1}"#
        case .negativeTime: #"{"t":-5,"conn":1,"kind":"ws","dir":"in","data":"[]"}"#
        }
    }
}

/// Files that are whole, or damaged in one way.
enum DamagedInput {
    /// A book, two trades, and a change of the book.
    private static let frames = [
        #"{"table":"orderBookL2","action":"partial","data":["#
            + #"{"symbol":"XBTUSD","id":1,"side":"Buy","size":5,"price":99.5},"#
            + #"{"symbol":"XBTUSD","id":2,"side":"Sell","size":7,"price":101.5}]}"#,
        trade("a", "2021-07-22T22:36:08.000Z", 100), trade("b", "2021-07-22T22:36:09.000Z", 101),
        #"{"table":"orderBookL2","action":"update","data":["#
            + #"{"symbol":"XBTUSD","id":2,"side":"Sell","size":8}]}"#,
    ]

    private static func trade(_ id: String, _ time: String, _ price: Int) -> String {
        #"{"table":"trade","action":"insert","data":[{"timestamp":"\#(time)","symbol":"XBTUSD","#
            + #""side":"Buy","size":100,"price":\#(price),"trdMatchID":"\#(id)"}]}"#
    }

    /// An entry of a recording.
    static func line(_ second: Int, _ frame: String) -> String {
        let data = frame.replacing("\"", with: "\\\"")
        return #"{"t":\#(1_626_993_367 + second)000000000,"conn":1,"kind":"ws","dir":"in","data":"\#(data)"}"#
    }

    static func header(_ records: Int) -> String {
        #"{"bitpal_recording":1,"venue":"bitmex","started":0,"records":\#(records),"#
            + #""source":"test","licence":"ours"}"#
    }

    /// A recording of four entries.
    static func recording(_ damage: RecordingDamage? = nil) throws -> String {
        var lines = frames.enumerated().map { line($0.offset + 1, $0.element) }
        if let line = damage?.line { lines.append(line) }
        let records = lines.count + (damage == .count ? 1 : 0)
        var bytes = try compressed([header(records)] + lines)
        if damage == .cut { bytes.removeLast(4) }
        if damage == .member { bytes += "garbage".utf8 }
        return try file("r.jsonl.gz", bytes)
    }

    /// A file in a folder of its own.
    static func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Lines, compressed.
    static func compressed(_ lines: [String]) throws -> [UInt8] {
        let path = try file("compressed", [])
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let output = try #require(GzipOutput(descriptor: handle.fileDescriptor, level: 6))
        let text = lines.map { $0 + "\n" }.joined()
        try Array(text.utf8).withUnsafeBytes { try output.write($0) }
        try output.finish()
        try handle.close()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// A rule that the second trade of these files fires.
    static func rules() throws -> String {
        let rule =
            #"{"id":"r","instrument":"bitmex:XBTUSD","#
            + #""condition":{"price":"last","crosses":"above","level":"100.5"}}"#
        return try file("rules.jsonl", Array((rule + "\n").utf8))
    }

    /// A line of a file of trades.
    static func tradeLine(_ id: String, _ price: String, _ time: String = "2021-07-22T22:36:08Z") -> String {
        #"{"venue":"bitmex","symbol":"XBTUSD","id":"\#(id)","side":"buy","price":"\#(price)","#
            + #""amount":"1","ts":"\#(time)"}"#
    }
}

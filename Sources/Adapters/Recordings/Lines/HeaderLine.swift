import Instruments

/// Reads and writes the first line of a recording.
enum HeaderLine {
    /// Digits that the count of records takes in a written header, so that it can be entered at the end.
    private static let countWidth = 19

    /// The header; `nil` for a line that is JSON and no header.
    static func read(_ line: UnsafeRawBufferPointer) throws(LineFault) -> (version: Int64, RecordingHeader)? {
        var version: Int64?
        var text: [UInt8] = []
        var header = RecordingHeader(venue: Venue(rawValue: ""), started: .zero, source: "", licence: "")
        var scanner = LineScanner(line)
        var keys = LineKeys()
        try scanner.object(&keys) { scanner, key throws(LineFault) in
            if key.equals("bitpal_recording") {
                version = try scanner.integer("bitpal_recording")
            } else if key.equals("started") {
                header.started = Timestamp(nanoseconds: try scanner.natural("started"))
            } else if key.equals("records") {
                header.records = Int(try scanner.natural("records"))
            } else if key.equals("venue") {
                _ = try scanner.string(into: &text)
                header.venue = Venue(rawValue: String(decoding: text, as: UTF8.self))
            } else if key.equals("source") {
                _ = try scanner.string(into: &text)
                header.source = String(decoding: text, as: UTF8.self)
            } else if key.equals("licence") {
                _ = try scanner.string(into: &text)
                header.licence = String(decoding: text, as: UTF8.self)
            } else {
                try scanner.skip()
            }
        }
        return version.map { ($0, header) }
    }

    /// The line with its newline; equally long for every count of records.
    static func text(of header: RecordingHeader) -> [UInt8] {
        var line = Array("{\"bitpal_recording\":\(RecordingHeader.formatVersion),\"venue\":".utf8)
        append(header.venue.rawValue, to: &line)
        let count = String(max(header.records, 0))
        line.append(contentsOf: ",\"started\":\(header.started.nanoseconds),\"records\":\(count)".utf8)
        line.append(contentsOf: repeatElement(0x20, count: max(0, countWidth - count.utf8.count)))
        line.append(contentsOf: ",\"source\":".utf8)
        append(header.source, to: &line)
        line.append(contentsOf: ",\"licence\":".utf8)
        append(header.licence, to: &line)
        line.append(contentsOf: "}\n".utf8)
        return line
    }

    private static func append(_ text: String, to line: inout [UInt8]) {
        var text = text
        text.withUTF8 { StringEscapes.append(UnsafeRawBufferPointer($0), to: &line) }
    }
}

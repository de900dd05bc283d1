import Instruments

/// Reads and writes the lines of a recording, one at a time, in memory that it keeps.
struct RecordingLine {
    private(set) var time = Timestamp.zero
    private(set) var connection = 0
    private(set) var kind = RecordingKind.ws
    private(set) var direction = RecordingDirection.in
    private(set) var url: [UInt8] = []
    private(set) var data: [UInt8] = []
    private var keys = LineKeys()

    /// Reads an entry's line into the properties.
    mutating func read(_ line: UnsafeRawBufferPointer) throws(LineFault) {
        var seen = Seen()
        url.removeAll(keepingCapacity: true)
        data.removeAll(keepingCapacity: true)
        var scanner = LineScanner(line)
        var keys = LineKeys()
        swap(&keys, &self.keys)
        defer { swap(&keys, &self.keys) }
        try scanner.object(&keys) { scanner, key throws(LineFault) in
            try readField(&scanner, key, &seen)
        }
        guard seen.contains(.time) else { throw .missing(field: "t") }
        guard seen.contains(.connection) else { throw .missing(field: "conn") }
        guard seen.contains(.kind) else { throw .missing(field: "kind") }
        guard seen.contains(.direction) else { throw .missing(field: "dir") }
    }

    private mutating func readField(
        _ scanner: inout LineScanner, _ key: UnsafeRawBufferPointer, _ seen: inout Seen
    ) throws(LineFault) {
        if key.equals("t") {
            time = Timestamp(nanoseconds: try scanner.natural("t"))
            seen.insert(.time)
        } else if key.equals("conn") {
            connection = Int(try scanner.integer("conn"))
            seen.insert(.connection)
        } else if key.equals("kind") {
            let text = try scanner.rawString()
            kind = try text.equals("ws") ? .ws : text.equals("http") ? .http : refuse("kind")
            seen.insert(.kind)
        } else if key.equals("dir") {
            let text = try scanner.rawString()
            direction =
                try text.equals("in")
                ? .in : text.equals("out") ? .out : text.equals("open") ? .open : refuse("dir")
            seen.insert(.direction)
        } else if key.equals("url") {
            _ = try scanner.string(into: &url)
        } else if key.equals("data") {
            _ = try scanner.string(into: &data)
        } else {
            try scanner.skip()
        }
    }

    private func refuse<T>(_ field: String) throws(LineFault) -> T { throw .unexpected(field: field) }

    /// The entry's line with its newline; `nil` when the data is no UTF-8.
    static func text(of entry: RecordingEntry) -> [UInt8]? {
        guard String(validating: entry.data, as: UTF8.self) != nil else { return nil }
        var line: [UInt8] = []
        line.reserveCapacity(entry.data.count * 5 / 4 + 128)
        line.append(contentsOf: "{\"t\":\(entry.time.nanoseconds),\"conn\":\(entry.connection),".utf8)
        line.append(
            contentsOf: "\"kind\":\"\(entry.kind.rawValue)\",\"dir\":\"\(entry.direction.rawValue)\"".utf8)
        if var url = entry.url {
            line.append(contentsOf: ",\"url\":".utf8)
            url.withUTF8 { StringEscapes.append(UnsafeRawBufferPointer($0), to: &line) }
        }
        if entry.direction != .open || !entry.data.isEmpty {
            line.append(contentsOf: ",\"data\":".utf8)
            entry.data.withUnsafeBytes { StringEscapes.append($0, to: &line) }
        }
        line.append(contentsOf: "}\n".utf8)
        return line
    }

    private struct Seen: OptionSet {
        let rawValue: UInt8
        static let time = Seen(rawValue: 1)
        static let connection = Seen(rawValue: 2)
        static let kind = Seen(rawValue: 4)
        static let direction = Seen(rawValue: 8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are a literal.
    func equals(_ literal: StaticString) -> Bool {
        guard count == literal.utf8CodeUnitCount else { return false }
        for index in 0..<count where self[index] != literal.utf8Start[index] { return false }
        return true
    }
}

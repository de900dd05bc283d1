import Instruments
import Recordings

/// Where a playback's entries come from, in order of time.
protocol EntrySource {
    /// The next entry; `nil` at the end.
    mutating func next() throws -> RecordingEntry?
    /// Goes back to the first entry.
    mutating func rewind() throws
}

/// The entries of a file, read as they are needed.
struct FileSource: EntrySource {
    private let path: String
    private var reader: RecordingReader

    init(path: String) throws(RecordingError) {
        self.path = path
        reader = try RecordingReader(path: path)
    }

    mutating func next() throws -> RecordingEntry? { try reader.next() }

    mutating func rewind() throws { reader = try RecordingReader(path: path) }
}

/// Entries in memory.
struct ListSource: EntrySource {
    private let entries: [RecordingEntry]
    private var position = 0

    init(_ entries: [RecordingEntry]) { self.entries = entries }

    mutating func next() -> RecordingEntry? {
        guard position < entries.count else { return nil }
        defer { position += 1 }
        return entries[position]
    }

    mutating func rewind() { position = 0 }
}

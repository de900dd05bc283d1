/// What a reader does with a line that cannot be read, and with a file that ends too early.
public enum FaultPolicy: Sendable {
    /// It throws.
    case stop
    /// It counts the line and goes on, and takes the place where a file is cut for its end.
    case count
}

/// What of a file could not be read; complete once it was read to its end.
public struct InputFaults: Hashable, Sendable {
    /// The file.
    public let path: String
    /// Lines that hold something, without the header of a recording.
    public internal(set) var records = 0
    /// How many of them the header says there are; `nil` where it does not say, and for other files.
    public internal(set) var announcedRecords: Int?
    /// Lines that are not what the format says.
    public private(set) var unreadableLines = 0
    /// Messages of a venue that its session could not read.
    public private(set) var unreadableFrames = 0
    /// The first line that could not be read, or whose message could not be.
    public private(set) var firstLine: Int?
    /// Why the file could be read no further.
    public internal(set) var cut: RecordingError?
    /// What the file itself says to be missing of it, as the last line of `bitpal normalize` does.
    public private(set) var incompleteSource: String?

    init(path: String) { self.path = path }

    /// Whether there is nothing to complain of.
    public var isWhole: Bool {
        unreadableLines == 0 && unreadableFrames == 0 && cut == nil && incompleteSource == nil
            && !isCountWrong
    }

    /// Whether the header says another number of records than there are.
    public var isCountWrong: Bool { announcedRecords.map { $0 != records } ?? false }

    /// Counts a line that is not what the format says.
    public mutating func addLine(_ line: Int) {
        unreadableLines += 1
        firstLine = min(firstLine ?? line, line)
    }

    /// Counts messages of one line that a venue's session could not read.
    public mutating func addFrames(_ count: Int, line: Int) {
        unreadableFrames += count
        firstLine = min(firstLine ?? line, line)
    }

    /// Takes over what the file says to be missing.
    public mutating func addIncompleteSource(_ words: String) { incompleteSource = words }

    /// One line for a person, with the file's name.
    public var words: String { "\(path): \(parts.joined(separator: "; "))" }

    private var parts: [String] {
        var parts: [String] = []
        let counts = [(unreadableFrames, "frame"), (unreadableLines, "line")].filter { $0.0 > 0 }
        if let firstLine, !counts.isEmpty {
            let total = counts.reduce(0) { $0 + $1.0 }
            let texts = counts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
            parts.append(
                "\(texts.joined(separator: " and ")) could not be read, "
                    + (total == 1 ? "on line \(firstLine)" : "the first on line \(firstLine)"))
        }
        if isCountWrong, let announcedRecords {
            parts.append("\(records) records, and the header says \(announcedRecords)")
        }
        if let cut { parts.append(cut.clause) }
        if let incompleteSource {
            parts.append("its last line says that it is incomplete: \(incompleteSource)")
        }
        return parts
    }
}

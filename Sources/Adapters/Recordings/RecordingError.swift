/// Why a recording cannot be read or written; always names the file and, where it is known, the line.
public enum RecordingError: Error, Hashable, Sendable {
    /// There is no such file.
    case fileMissing(path: String)
    /// The system refused to open, read or write it.
    case refused(path: String, operation: String, code: Int32)
    /// There is nothing in the file but, at most, white space.
    case empty(path: String)
    /// The file does not begin as gzip does.
    case notGzip(path: String)
    /// The file ends in the middle: it was cut, or its writer did not finish.
    ///
    /// `line` is the first one missing.
    case truncated(path: String, line: Int)
    /// The compressed bytes contradict their own checksum or code.
    ///
    /// `line` is the first one lost.
    case damaged(path: String, line: Int)
    /// The first line is no header of a recording.
    case missingHeader(path: String)
    /// A header of a version that we do not know.
    case unknownVersion(path: String, version: Int64)
    /// A venue whose protocol the reader was not prepared for.
    case unknownVenue(path: String, name: String, known: [String])
    /// A line that is not what the format says.
    case brokenLine(path: String, line: Int, why: LineFault)
    /// A line of more than `limit` bytes.
    case lineTooLong(path: String, line: Int, limit: Int)
    /// Data that is no UTF-8 cannot be recorded as text; the line was not written and the writer goes on.
    case notText(path: String, line: Int)
}

/// What is wrong with one line of a recording.
public enum LineFault: Error, Hashable, Sendable {
    /// Not a JSON object; the offset of the first byte that does not fit.
    case notJSON(offset: Int)
    /// A field that every line has is missing.
    case missing(field: String)
    /// A field with a value that the format does not allow.
    case unexpected(field: String)
    /// A string with an escape that JSON does not have, at this offset.
    case badEscape(offset: Int)
    /// An object that has a key twice.
    case repeated(key: String)
    /// A control character, NUL among them, at this offset; tabs and line ends are none.
    case control(offset: Int)
}

extension LineFault: CustomStringConvertible {
    /// A few words for a person.
    public var description: String {
        switch self {
        case .notJSON(let offset): "not a JSON object at byte \(offset)"
        case .missing(let field): "field \"\(field)\" is missing"
        case .unexpected(let field): "field \"\(field)\" has a value that the format does not allow"
        case .badEscape(let offset): "a broken escape at byte \(offset)"
        case .repeated(let key): "the key \"\(key)\" is given twice"
        case .control(let offset): "a control character at byte \(offset)"
        }
    }
}

extension RecordingError: CustomStringConvertible {
    /// One line for a person, with the file and the line.
    public var description: String {
        switch self {
        case .fileMissing(let path): "\(path): no such file"
        case .refused(let path, let operation, let code):
            "\(path): cannot \(operation): \(SystemText.of(code))"
        case .empty(let path): "\(path): the file holds nothing"
        case .notGzip(let path): "\(path): not a gzip file, so not a recording"
        case .truncated(let path, let line): "\(path):\(line): truncated: the gzip data ends here"
        case .damaged(let path, let line):
            "\(path):\(line): damaged: the gzip data cannot be read from here on"
        case .missingHeader(let path):
            "\(path):1: not a recording: the first line has no \"bitpal_recording\""
        case .unknownVersion(let path, let version):
            "\(path):1: recording format \(version) is not known; this reads \(RecordingHeader.formatVersion)"
        case .unknownVenue(let path, let name, let known):
            "\(path):1: unknown venue \"\(name)\"; known are \(known.joined(separator: ", "))"
        case .brokenLine(let path, let line, let why): "\(path):\(line): broken line: \(why)"
        case .lineTooLong(let path, let line, let limit):
            "\(path):\(line): a line of more than \(limit) bytes"
        case .notText(let path, let line): "\(path):\(line): data is not UTF-8 text"
        }
    }
}

extension RecordingError {
    /// What ended the reading of a file, without the file's name.
    var clause: String {
        switch self {
        case .truncated(_, let line): "cut at line \(line)"
        case .damaged(_, let line): "damaged from line \(line) on"
        case .lineTooLong(_, let line, let limit): "line \(line) has more than \(limit) bytes"
        case .refused(_, let operation, let code): "cannot \(operation) on: \(SystemText.of(code))"
        default: description
        }
    }

    /// The line from which on nothing could be read, where that is known.
    public var line: Int? {
        switch self {
        case .truncated(_, let line), .damaged(_, let line), .lineTooLong(_, let line, _),
            .brokenLine(_, let line, _), .notText(_, let line):
            line
        default: nil
        }
    }
}

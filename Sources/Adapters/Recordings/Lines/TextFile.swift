import Glibc

/// The lines of a text file, plain or gzipped: whichever its first bytes say.
///
/// What is read as text here is read by one rule: a byte order mark before everything and lines of white
/// space are passed over, a control character is a fault of its line, a file that holds nothing is refused.
/// Memory is bounded by the longest line, at most 64 MiB. Not thread safe: one reader has one owner.
public final class TextFile {
    public let path: String
    /// Whether faults are thrown or counted.
    public let policy: FaultPolicy
    /// The number of the line that was read last, from 1.
    public private(set) var line = 0
    /// What could not be read so far.
    public private(set) var faults: InputFaults
    private let lines: LineBuffer

    /// Opens a file.
    ///
    /// - Throws: A ``RecordingError`` that names the file.
    public init(path: String, policy: FaultPolicy = .stop) throws(RecordingError) {
        self.path = path
        self.policy = policy
        faults = InputFaults(path: path)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT
                ? .fileMissing(path: path) : .refused(path: path, operation: "open", code: errno)
        }
        guard let input = GzipInput(descriptor: descriptor, allowsPlain: true) else {
            throw .refused(path: path, operation: "read", code: ENOMEM)
        }
        lines = LineBuffer(input)
    }

    /// The next line that is not blank, without its end, be that LF or CR LF; `nil` at the end of the file.
    ///
    /// Valid until the next call or the file's end.
    /// - Throws: A ``RecordingError`` that names the file and the line; ``RecordingError/empty(path:)`` at
    ///   the end of a file without any line.
    public func next() throws(RecordingError) -> UnsafeRawBufferPointer? {
        while let text = try nextText() {
            line += 1
            if text.isBlank { continue }
            faults.records += 1
            if let offset = text.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D }) {
                guard policy == .count else {
                    throw .brokenLine(path: path, line: line, why: .control(offset: offset))
                }
                faults.addLine(line)
                continue
            }
            return text.last == 0x0D ? UnsafeRawBufferPointer(rebasing: text.dropLast()) : text
        }
        if faults.records == 0, faults.cut == nil { throw .empty(path: path) }
        return nil
    }

    /// Counts the line that was read last as one that is not what its format says.
    public func leaveOut() { faults.addLine(line) }

    /// Takes the line that was read last for what the file itself says to be missing of it.
    public func takeIncomplete(_ words: String) { faults.addIncompleteSource(words) }

    private func nextText() throws(RecordingError) -> UnsafeRawBufferPointer? {
        guard faults.cut == nil else { return nil }
        do throws(LineBuffer.Fault) {
            return try lines.next()
        } catch {
            let error = RecordingError(error, path: path, line: line + 1)
            guard policy == .count else { throw error }
            faults.cut = error
            return nil
        }
    }
}

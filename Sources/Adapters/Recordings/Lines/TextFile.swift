import Glibc

/// The lines of a text file, plain or gzipped: whichever its first bytes say.
///
/// Memory is bounded by the longest line, at most 64 MiB. Not thread safe: one reader has one owner.
public final class TextFile {
    public let path: String
    /// The number of the line that was read last, from 1.
    public private(set) var line = 0
    private let lines: LineBuffer

    /// Opens a file.
    ///
    /// - Throws: A ``RecordingError`` that names the file.
    public init(path: String) throws(RecordingError) {
        self.path = path
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

    /// The next line without its end, be that LF or CR LF; `nil` at the end of the file.
    ///
    /// Valid until the next call or the file's end.
    /// - Throws: A ``RecordingError`` that names the file and the line.
    public func next() throws(RecordingError) -> UnsafeRawBufferPointer? {
        do throws(LineBuffer.Fault) {
            guard let text = try lines.next() else { return nil }
            line += 1
            return text.last == 0x0D ? UnsafeRawBufferPointer(rebasing: text.dropLast()) : text
        } catch {
            throw RecordingError(error, path: path, line: line + 1)
        }
    }
}

import Glibc

/// Writes a recording that ``RecordingReader`` reads back equal.
///
/// The header is a gzip member of its own that only stores, so that ``finish()`` can enter the number of
/// records without moving what follows. A file whose writer did not finish reads well up to the last
/// ``flush()`` and then gives ``RecordingError/truncated(path:line:)``. Not thread safe: one writer has one
/// owner.
public final class RecordingWriter {
    /// The file.
    public let path: String
    /// The first line; its count of records is entered in the end.
    public private(set) var header: RecordingHeader
    private let descriptor: Int32
    private let output: GzipOutput
    private var isFinished = false

    /// Makes or replaces a file and writes the header.
    ///
    /// - Throws: ``RecordingError/refused(path:operation:code:)``.
    public init(path: String, header: RecordingHeader) throws(RecordingError) {
        self.path = path
        self.header = header
        self.header.records = 0
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .refused(path: path, operation: "create", code: errno) }
        guard let output = GzipOutput(descriptor: descriptor, level: 6) else {
            close(descriptor)
            throw .refused(path: path, operation: "create", code: ENOMEM)
        }
        self.output = output
        try write { () throws(GzipFault) in
            let member = try RecordingWriter.headerMember(self.header)
            try member.span.bytes.withUnsafeBytes { bytes throws(GzipFault) in
                try DescriptorOutput.write(bytes, to: descriptor)
            }
        }
    }

    deinit { close(descriptor) }

    /// Appends an entry.
    ///
    /// - Throws: ``RecordingError/notText(path:line:)``, after which the writer goes on, or
    ///   ``RecordingError/refused(path:operation:code:)``, after which the file is lost from here on.
    public func write(_ entry: RecordingEntry) throws(RecordingError) {
        precondition(!isFinished, "a finished recording takes no more entries")
        guard let line = RecordingLine.text(of: entry) else {
            throw .notText(path: path, line: header.records + 2)
        }
        try write { () throws(GzipFault) in
            try line.span.bytes.withUnsafeBytes { bytes throws(GzipFault) in try output.write(bytes) }
        }
        header.records += 1
    }

    /// Puts everything so far into the file, readable even if the process ends now.
    ///
    /// - Throws: ``RecordingError/refused(path:operation:code:)``.
    public func flush() throws(RecordingError) {
        guard !isFinished else { return }
        try write { () throws(GzipFault) in try output.flush() }
    }

    /// Ends the file and enters the number of records in the header.
    ///
    /// Does nothing the second time.
    ///
    /// - Throws: ``RecordingError/refused(path:operation:code:)``.
    public func finish() throws(RecordingError) {
        guard !isFinished else { return }
        isFinished = true
        try write { () throws(GzipFault) in
            try output.finish()
            let member = try RecordingWriter.headerMember(header)
            try member.span.bytes.withUnsafeBytes { bytes throws(GzipFault) in
                try DescriptorOutput.write(bytes, to: descriptor, at: 0)
            }
        }
        guard fsync(descriptor) == 0 || errno == EINVAL else {
            throw .refused(path: path, operation: "write", code: errno)
        }
    }

    private func write(_ body: () throws(GzipFault) -> Void) throws(RecordingError) {
        do throws(GzipFault) {
            try body()
        } catch {
            guard case .refused(let code) = error else {
                throw .refused(path: path, operation: "compress", code: EINVAL)
            }
            throw .refused(path: path, operation: "write", code: code)
        }
    }

    private static func headerMember(_ header: RecordingHeader) throws(GzipFault) -> [UInt8] {
        let text = HeaderLine.text(of: header)
        return try text.span.bytes.withUnsafeBytes { text throws(GzipFault) in try GzipStore.member(text) }
    }
}

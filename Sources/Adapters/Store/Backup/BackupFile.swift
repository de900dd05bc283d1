import Glibc

/// Writes lines to a file that is there whole or not at all.
final class BackupWriter {
    private let path: String
    private let part: String
    private let descriptor: Int32
    private var waiting: [UInt8] = []

    /// Only its owner may read the file: it has secrets.
    init(path: String) throws(BackupProblem) {
        self.path = path
        part = path + ".part"
        descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path: part, reason: String(cString: strerror(errno))) }
    }

    func line(_ text: String) throws(BackupProblem) {
        waiting += text.utf8
        waiting.append(0x0A)
        if waiting.count >= 1 << 16 { try flush() }
    }

    /// The file is on the disk from here on.
    func finish() throws(BackupProblem) {
        try flush()
        guard fsync(descriptor) == 0, close(descriptor) == 0, rename(part, path) == 0 else { throw failure }
    }

    func discard() {
        close(descriptor)
        unlink(part)
    }

    private func flush() throws(BackupProblem) {
        var start = 0
        while start < waiting.count {
            let count = waiting[start...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            start += count
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private var failure: BackupProblem { .file(path: path, reason: String(cString: strerror(errno))) }
}

/// Reads lines of a file.
final class BackupLines {
    private let path: String
    private let file: UnsafeMutablePointer<FILE>
    private(set) var number = 0

    init(path: String) throws(BackupProblem) {
        self.path = path
        guard let file = fopen(path, "re") else {
            throw .file(path: path, reason: String(cString: strerror(errno)))
        }
        self.file = file
    }

    deinit { fclose(file) }

    /// The next line without its end; `nil` at the end of the file.
    func next() throws(BackupProblem) -> String? {
        var buffer: UnsafeMutablePointer<CChar>?
        var size = 0
        // SAFETY: getline allocates what it needs and says how much of it is the line; freed right here.
        defer { free(buffer) }
        let count = getline(&buffer, &size, file)
        guard count > 0, let buffer else {
            if ferror(file) != 0 { throw .file(path: path, reason: String(cString: strerror(errno))) }
            return nil
        }
        number += 1
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        return String(decoding: bytes.last == 0x0A ? bytes[..<(count - 1)] : bytes[...], as: UTF8.self)
    }
}

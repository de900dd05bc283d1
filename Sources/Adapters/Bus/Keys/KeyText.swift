import Glibc

/// Reads and writes small files of keys, and refuses those that others may read or change.
enum KeyText {
    /// Bytes that a file may have.
    private static let limit = 65_536

    /// The text of a file that only its owner may read.
    ///
    /// - Throws: ``BusError/keysInvalid(path:reason:)`` also when others may read it, unless they do not get
    ///   into its folder, or it is a container's secret.
    static func secret(_ path: String) throws(BusError) -> String {
        // Secrets of containers have their host's mode, and nobody else's processes beside them.
        let isMounted = path.hasPrefix("/run/secrets/")
        return try read(path) { (mode: mode_t) in
            mode & 0o022 == 0 && (isMounted || mode & 0o077 == 0 || isShut(path))
                ? nil : "others may read or change it: chmod 600 it, or 700 its folder"
        }
    }

    /// The text of a file that only its owner may change.
    static func open(_ path: String) throws(BusError) -> String {
        try read(path) { (mode: mode_t) in
            mode & 0o022 == 0 ? nil : "others may change it: chmod 644 it"
        }
    }

    private static func read(_ path: String, _ fault: (mode_t) -> String?) throws(BusError) -> String {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .keysInvalid(path: path, reason: reason()) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .keysInvalid(path: path, reason: reason()) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .keysInvalid(path: path, reason: "it is no file")
        }
        if let fault = fault(status.st_mode) { throw .keysInvalid(path: path, reason: fault) }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .keysInvalid(path: path, reason: reason()) }
        guard count <= limit else {
            throw .keysInvalid(path: path, reason: "it has more than \(limit) bytes")
        }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw .keysInvalid(path: path, reason: "it is no text")
        }
        return text
    }

    /// Writes a file whole or not at all, and waits until the disk has it.
    static func write(_ text: String, to path: String, mode: mode_t) throws(BusError) {
        let other = "\(path).\(getpid()).new"
        unlink(other)
        let descriptor = Glibc.open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw .keysInvalid(path: path, reason: reason()) }
        let bytes = Array(text.utf8)
        // The mode again: the process's mask may have taken bits away.
        let isWritten =
            fchmod(descriptor, mode) == 0 && Glibc.write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0 && rename(other, path) == 0
        let problem = BusError.keysInvalid(path: path, reason: reason())
        close(descriptor)
        guard !isWritten else { return }
        unlink(other)
        throw problem
    }

    /// The mode of a file, without what lets others change it; `nil` when it is not there.
    static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o644 : nil
    }

    /// Makes a folder; one that is there stays.
    static func makeFolder(_ path: String, mode: mode_t) throws(BusError) {
        guard mkdir(path, mode) == 0 || errno == EEXIST else {
            throw .keysInvalid(path: path, reason: reason())
        }
    }

    /// Whether only its owner gets into the folder of a file.
    private static func isShut(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = stat()
        return stat(folder.isEmpty ? "/" : folder, &status) == 0 && status.st_mode & 0o077 == 0
    }

    static func reason() -> String { String(cString: strerror(errno)).lowercased() }
}

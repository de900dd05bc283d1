import Accounts
import Glibc

/// The file that sealing keys are kept in: a line for each, its number and 32 bytes in Base64 for URLs.
package enum KeyFile {
    /// Bytes that are read at most.
    private static let limit = 16_384

    /// Makes the file with one new key, unless it is there; whoever else makes it, all read the same.
    static func make(_ path: String) throws(SealingFault) { try make(path, with: line(1)) }

    /// Makes a file that only its owner may read, unless it is there; whoever makes it, all read the same.
    static func make(_ path: String, with text: String) throws(SealingFault) {
        guard access(path, F_OK) != 0 else { return }
        let other = "\(path).\(getpid()).\(Secrets.text().prefix(8))"
        try write(text, toNew: other)
        // A link, not a renaming: the file of who was faster stays.
        let isLinked = link(other, path) == 0 || errno == EEXIST
        let problem = fault(path, "cannot be made")
        unlink(other)
        guard isLinked else { throw problem }
    }

    /// The lines.
    ///
    /// - Throws: ``SealingFault`` when the file cannot be read, or others than its owner may read it, unless
    ///   they do not get into its folder, or it is a container's secret.
    static func text(_ path: String) throws(SealingFault) -> String {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault(path, "cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        // Secrets of containers have their host's mode, and nobody else's processes beside them.
        let isMounted = path.hasPrefix("/run/secrets/")
        guard fstat(descriptor, &status) == 0, isMounted || status.st_mode & 0o077 == 0 || isShut(path) else {
            throw SealingFault(
                description: "the key file \(path) may be read by others: chmod 600 it, or 700 its folder")
        }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// Whether only its owner gets into the folder of a file.
    private static func isShut(_ path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        var status = stat()
        return stat(folder.isEmpty ? "/" : folder, &status) == 0 && status.st_mode & 0o077 == 0
    }

    /// Nanoseconds since the file was changed last.
    package static func age(_ path: String, at now: Int64) throws(SealingFault) -> Int64 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw fault(path, "cannot be read") }
        return now - (Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }

    private static func write(_ text: String, toNew path: String) throws(SealingFault) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw fault(path, "cannot be written") }
        defer { close(descriptor) }
        do throws(SealingFault) {
            try append(text, to: descriptor, path)
        } catch {
            unlink(path)
            throw error
        }
    }

    static func line(_ number: UInt8) -> String { "\(number) \(Secrets.text())\n" }

    /// Writes and waits until the disk has it: a secret whose key is lost is lost.
    static func append(
        _ text: String, to descriptor: Int32, _ path: String
    ) throws(SealingFault) {
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
            throw fault(path, "cannot be written")
        }
    }

    static func fault(_ path: String, _ what: String) -> SealingFault {
        let reason = errno
        let advice =
            reason == EROFS
            ? "; it is mounted read only: mount it writable, or run this where it is mounted from" : ""
        return SealingFault(
            description: "the key file \(path) \(what) (\(String(cString: strerror(reason))))\(advice)")
    }
}

import AccountStore
import Glibc
import PortfolioStore
package import Store

/// The file beside the database that says which tokens and links to portfolios are revoked and who is
/// disabled, a line each, so that a backup revives none of them in a new database either.
///
/// It has no secret: `token ID`, `share ID` and `account ID`.
package struct WithdrawnFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// The one of a data directory.
    package init(in dataDirectory: String) { self.init(dataDirectory + "/withdrawn") }

    /// Its lines; `nil` where there is no file.
    ///
    /// - Throws: `BackupProblem` for a file that cannot be read.
    package func lines() throws(BackupProblem) -> Set<String>? {
        guard let file = fopen(path, "re") else {
            if errno == ENOENT { return nil }
            throw failure
        }
        // SAFETY: closed once, here; getline allocates what it needs, freed right after.
        defer { fclose(file) }
        var lines: Set<String> = []
        var buffer: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(buffer) }
        while getline(&buffer, &size, file) > 0, let buffer {
            lines.insert(String(cString: buffer).filter { !$0.isNewline })
        }
        guard ferror(file) == 0 else { throw failure }
        return lines
    }

    /// Brings it to what a database says; what that does not know of stays: it may be a new one, into which
    /// a backup is yet to come.
    ///
    /// - Throws: `BackupProblem` or `StoreError`.
    package func update(from database: Database) async throws {
        let states = try await database.withSession { session in
            try session.credentialStates() + session.shareLinkStates()
        }
        let old = try lines()
        let kept = (old ?? []).subtracting(states.map(\.name))
        let new = kept.union(states.filter(\.isWithdrawn).map(\.name))
        // An empty file would say that somebody knows of a database what nobody does.
        if new != (old ?? []) { try write(new.sorted()) }
    }

    /// The file is there whole, or as it was.
    private func write(_ lines: [String]) throws(BackupProblem) {
        let part = path + ".part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure }
        defer { close(descriptor) }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure }
            start += count
        }
        guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw failure }
    }

    private var failure: BackupProblem { .file(path: path, reason: String(cString: strerror(errno))) }
}

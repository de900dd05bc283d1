import Glibc

/// A running server of a data directory, as its `postmaster.pid` and the system describe it.
struct Postmaster: Sendable {
    let processID: pid_t
    /// `nil` until the server has got so far.
    let socketDirectory: String?

    /// The server that runs on a data directory; `nil` when none does, whatever an old file says.
    ///
    /// Source: PostgreSQL 15, `src/include/utils/pidfile.h`: line 1 is the process, line 5 the socket
    /// directory.
    static func running(in dataDirectory: String) -> Postmaster? {
        guard let text = FileAccess.text(dataDirectory + "/postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let first = lines.first, let process = pid_t(first), isServer(process, of: dataDirectory)
        else { return nil }
        let directory = lines.count > 4 && !lines[4].isEmpty ? String(lines[4]) : nil
        return Postmaster(processID: process, socketDirectory: directory)
    }

    /// Servers of a data directory that live on without their postmaster, after it was killed.
    static func survivors(in dataDirectory: String) -> [pid_t] {
        FileAccess.names(in: "/proc").compactMap { pid_t($0) }.filter { isServer($0, of: dataDirectory) }
    }

    /// Process numbers are used again: the process must be a `postgres` that works in this very directory.
    private static func isServer(_ process: pid_t, of dataDirectory: String) -> Bool {
        guard FileAccess.text("/proc/\(process)/comm") == "postgres\n" else { return false }
        return FileAccess.resolved("/proc/\(process)/cwd") == FileAccess.resolved(dataDirectory)
    }
}

import Glibc
import Instruments

/// The directory of a schedule: its backups, known by their names, and how the last drill went.
///
/// What has another name, such as a backup that a person or a migration made, is left alone.
struct BackupFolder: Sendable {
    let path: String

    private static let (head, tail) = ("bitpal-", ".bitpal")
    private var record: String { path + "/drill.txt" }

    /// `bitpal-2026-11-27T030000Z.bitpal`.
    func file(of time: Timestamp) -> String { "\(path)/\(Self.name(of: time))" }

    static func name(of time: Timestamp) -> String {
        head + time.iso8601(fractionDigits: 0).filter { $0 != ":" } + tail
    }

    /// `nil` for a file of another name.
    static func time(of name: String) -> Timestamp? {
        guard name.hasPrefix(head), name.hasSuffix(tail) else { return nil }
        var stamp = Array(name.dropFirst(head.count).dropLast(tail.count))
        guard stamp.count == 18 else { return nil }
        stamp.insert(":", at: 15)
        stamp.insert(":", at: 13)
        guard let time = Timestamp(iso8601: String(stamp)), Self.name(of: time) == name else { return nil }
        return time
    }

    /// When each was made, the newest first.
    func backups() -> [Timestamp] { names().compactMap(Self.time).sorted(by: >) }

    /// Removes backups, and what was begun and not finished by one that was killed.
    func remove(_ backups: [Timestamp]) {
        for time in backups { unlink(file(of: time)) }
        for name in names() where name.hasSuffix(".part") {
            guard Self.time(of: String(name.dropLast(5))) != nil else { continue }
            unlink("\(path)/\(name)")
        }
    }

    /// Bytes of a backup; 0 where there is none.
    func size(of backup: Timestamp) -> UInt64 {
        var status = stat()
        return stat(file(of: backup), &status) == 0 ? UInt64(max(status.st_size, 0)) : 0
    }

    /// Bytes that are free there; `nil` where nobody knows.
    func free() -> UInt64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    /// When the last drill was, and what was wrong; empty for nothing.
    func drill() -> (time: Timestamp, problem: String)? {
        guard let file = fopen(record, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = fread(&bytes, 1, bytes.count, file)
        let words = String(decoding: bytes[..<count], as: UTF8.self)
            .split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let time = words.first.flatMap({ Timestamp(iso8601: String($0)) }) else { return nil }
        let problem = words.count > 1 ? words[1].prefix { !$0.isNewline } : ""
        return (time, String(problem))
    }

    /// Keeps how a drill went, for the next start.
    func noteDrill(at time: Timestamp, problem: String) {
        let text = "\(time.iso8601) \(problem.replacing("\n", with: " "))\n"
        guard let file = fopen(record + ".new", "we") else { return }
        let isWritten = fputs(text, file) >= 0
        // Without it a drill is done once more after a restart.
        if fclose(file) == 0, isWritten { rename(record + ".new", record) }
    }

    private func names() -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // SAFETY: d_name is an array of 256 bytes that the system ends with NUL.
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}

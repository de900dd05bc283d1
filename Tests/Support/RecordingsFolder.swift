import Glibc
package import Recordings

/// The real sessions that tests read, which are data under their own licences and no part of the package.
///
/// They lie in `../shared/recordings` beside the package, or where `BITPAL_RECORDINGS` says. A test that
/// needs them is declared with `.enabled(if: RecordingsFolder.isAvailable)`: without the folder it is
/// skipped, and a line says so.
package enum RecordingsFolder {
    /// The folder; `nil` when there is none.
    package static let path: String? = find()

    /// Whether the folder is there; prints one line when it is not.
    package static var isAvailable: Bool { path != nil }

    /// The file of a recording by its name, such as `bitmex_20210722`; `nil` when it is not there.
    package static func file(_ name: String) -> String? {
        guard let path else { return nil }
        let file = "\(path)/\(name).jsonl.gz"
        guard access(file, R_OK) == 0 else {
            note("\(name) is not in \(path): what needs it is skipped")
            return nil
        }
        return file
    }

    /// The file of an expected result, such as `tob.jsonl.gz` of a recording; `nil` when it is not there.
    package static func expected(_ name: String, _ file: String) -> String? {
        guard let path else { return nil }
        let whole = "\(path)/expected/\(name)/\(file)"
        return access(whole, R_OK) == 0 ? whole : nil
    }

    /// The names of all recordings whose venue is one of these, sorted.
    package static func names(where isWanted: (RecordingHeader) -> Bool) -> [String] {
        guard let path, let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(".jsonl.gz") else { continue }
            let stem = String(name.dropLast(".jsonl.gz".count))
            if let reader = try? RecordingReader(path: "\(path)/\(name)", venues: nil),
                isWanted(reader.header)
            {
                names.append(stem)
            }
        }
        return names.sorted()
    }

    private static func find() -> String? {
        let named = getenv("BITPAL_RECORDINGS").map { String(cString: $0) }
        let candidate = named ?? packageRoot + "/../shared/recordings"
        if let folder = opendir(candidate) {
            closedir(folder)
            return candidate
        }
        note("no recordings in \(candidate): every test that needs one is SKIPPED (set BITPAL_RECORDINGS)")
        return nil
    }

    /// From `Tests/Support/RecordingsFolder.swift`, three up.
    private static var packageRoot: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }

    private static func note(_ text: String) {
        let line = Array("recordings: \(text)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}

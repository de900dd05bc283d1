import Glibc
import Operations

/// The file that keeps ``VenueVerdicts`` between starts.
struct VerdictFile: Sendable {
    let path: String

    /// What is kept; nothing where there is no file, or none that can be read.
    func read() -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        // A line of some hundred bytes a venue.
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Keeps a text in place of the one before, whole or not at all.
    ///
    /// - Throws: `ConfigurationError` naming what cannot be written.
    func write(_ text: String) throws(ConfigurationError) {
        let new = "\(path).new"
        guard let file = fopen(new, "w") else { throw failure }
        let bytes = Array(text.utf8)
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWritten, rename(new, path) == 0 else { throw failure }
    }

    private var failure: ConfigurationError {
        .unavailable(
            "cannot write \(path): \(String(cString: strerror(errno)))",
            advice: "name another place with --data-dir")
    }
}

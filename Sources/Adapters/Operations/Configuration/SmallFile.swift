import Glibc

/// Why a small file could not be read.
struct FileError: Error, Hashable {
    let reason: String
}

/// Reads small files whole.
enum SmallFile {
    /// The bytes of a file of at most `limit` bytes.
    static func read(_ path: String, limit: Int) -> Result<[UInt8], FileError> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(FileError(reason: reason(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count == 0 { return .success(bytes) }
            if count < 0 {
                if errno == EINTR { continue }
                return .failure(FileError(reason: reason(errno)))
            }
            bytes += piece[..<count]
            guard bytes.count <= limit else {
                return .failure(FileError(reason: "longer than \(limit) bytes"))
            }
        }
    }

    /// Whether something readable is there.
    static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

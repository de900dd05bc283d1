import Glibc

/// A file in a folder of its own that goes when the value's owner does.
final class TemporaryFile {
    let folder: String
    var path: String { folder + "/session.jsonl.gz" }

    init() throws {
        var template = Array("/tmp/bitpal-recordings-XXXXXX".utf8CString)
        guard let made = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } })
        else {
            throw Failure(code: errno)
        }
        folder = String(cString: made)
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }

    /// The file's bytes.
    func bytes() throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &part, part.count)
            if count <= 0 { return result }
            result.append(contentsOf: part[..<count])
        }
    }

    /// Replaces the file's bytes.
    func write(_ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure(code: errno) }
    }

    struct Failure: Error {
        var code: Int32
    }
}

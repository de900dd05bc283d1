import Glibc

/// Reads files of a bounded size.
package enum FileBytes {
    /// The most that is read: some millions of rows, and well below what a machine has as memory.
    package static let limit = 512 << 20

    /// The bytes of a file.
    ///
    /// - Throws: ``FileFault`` when it cannot be read or is larger than ``limit``; nothing is read then.
    package static func read(_ path: String, limit: Int = FileBytes.limit) throws(FileFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw FileFault(line: 0, errno == ENOENT ? "no such file" : String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw FileFault(line: 0, String(cString: strerror(errno)))
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw FileFault(line: 0, "is a folder") }
        if status.st_size > limit { throw tooLarge(Int(status.st_size), limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault(line: 0, String(cString: strerror(errno))) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            // A pipe has no size of its own.
            if bytes.count > limit { throw tooLarge(bytes.count, limit) }
        }
    }

    /// The text of a file, without a byte order mark.
    ///
    /// - Throws: ``FileFault`` as ``read(_:limit:)``, and for the first byte that is not UTF-8.
    package static func text(_ path: String, limit: Int = FileBytes.limit) throws(FileFault) -> String {
        String(decoding: try Encoding.check(try read(path, limit: limit)), as: UTF8.self)
    }

    private static func tooLarge(_ size: Int, _ limit: Int) -> FileFault {
        FileFault(
            line: 0,
            "has \(size) bytes; at most \(limit) are read: split it, for example by year")
    }
}

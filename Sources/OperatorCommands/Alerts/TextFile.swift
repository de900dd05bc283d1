import Glibc

/// The lines of a text file, in memory.
struct TextFile {
    /// No file of rules, trades or candles that a person hands over is larger.
    private static let limit = 4 << 30

    let path: String
    private let bytes: [UInt8]

    /// Reads the whole file.
    ///
    /// - Throws: ``CommandFailure`` naming the file.
    init(path: String) throws {
        self.path = path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure(.failed, "\(path): cannot open: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(.failed, "\(path): cannot read: \(String(cString: strerror(errno)))")
            }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= TextFile.limit else {
                throw CommandFailure(.failed, "\(path): more than \(TextFile.limit) bytes")
            }
        }
        guard !bytes.starts(with: [0x1F, 0x8B]) else {
            throw CommandFailure(.failed, "\(path): compressed by gzip; unpack it first (`gunzip -k`)")
        }
        self.bytes = bytes
    }

    /// Hands over each line that is not blank, with its number from 1, without its end.
    func forEachLine(_ body: (Int, ArraySlice<UInt8>) throws -> Void) rethrows {
        var start = bytes.startIndex
        var number = 1
        while start < bytes.endIndex {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.endIndex
            var line = bytes[start..<end]
            if line.last == 0x0D { line.removeLast() }
            if line.contains(where: { $0 > 0x20 }) { try body(number, line) }
            start = end + 1
            number += 1
        }
    }

    /// An error of one line.
    func fault(_ line: Int, _ what: String) -> CommandFailure {
        CommandFailure(.failed, "\(path):\(line): \(what)")
    }
}

import Recordings

/// The lines of a text file, plain or gzipped, with their numbers.
struct LineFile {
    let path: String

    init(path: String) { self.path = path }

    /// Hands over each line that is not blank, with its number from 1, without its end.
    ///
    /// - Throws: ``CommandFailure`` naming the file when it cannot be read, or what the closure throws.
    func forEachLine(_ body: (Int, ArraySlice<UInt8>) throws -> Void) throws {
        let file = try open()
        while let line = try next(file) {
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            try body(file.line, line[...])
        }
    }

    /// An error of one line.
    func fault(_ line: Int, _ what: String) -> CommandFailure {
        CommandFailure(.failed, "\(path):\(line): \(what)")
    }

    private func open() throws -> TextFile {
        do {
            return try TextFile(path: path)
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    private func next(_ file: TextFile) throws -> [UInt8]? {
        do {
            return try file.next().map { Array($0) }
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }
}

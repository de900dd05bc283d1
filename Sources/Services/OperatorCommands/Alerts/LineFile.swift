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
        while let line = try next(file) { try body(file.line, line[...]) }
    }

    /// An error of one line.
    func fault(_ line: Int, _ what: String) -> CommandFailure {
        CommandFailure(.failed, "\(path):\(line): \(what)")
    }

    /// Opens it.
    ///
    /// - Throws: ``CommandFailure`` naming the file when it cannot be read.
    func open(_ policy: FaultPolicy = .stop) throws -> TextFile {
        do {
            return try TextFile(path: path, policy: policy)
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    /// The next line that is not blank, without its end; `nil` at the end of the file.
    ///
    /// - Throws: ``CommandFailure`` naming the file and the line.
    func next(_ file: TextFile) throws -> [UInt8]? {
        do {
            return try file.next().map { Array($0) }
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }
}

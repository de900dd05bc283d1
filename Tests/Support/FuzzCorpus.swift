import Glibc

/// The inputs that fuzzing found worth keeping: each once stopped a decoder or reaches code that others do
/// not.
package enum FuzzCorpus {
    /// The paths of all inputs in a folder under `Tests`, sorted; a folder without one fails the caller's
    /// test.
    package static func files(in folder: String) -> [String] {
        let path = "\(testsRoot)/\(folder)"
        guard let entries = opendir(path) else { return ["\(path) is not there"] }
        defer { closedir(entries) }
        var files: [String] = []
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { files.append("\(path)/\(name)") }
        }
        return files.isEmpty ? ["\(path) is empty"] : files.sorted()
    }

    /// Whether an input that is made of other things is kept as it is made today; with `WRITE_FUZZ_SEEDS` in
    /// the environment it is written anew.
    ///
    /// - Parameters:
    ///   - name: Of the file.
    ///   - folder: Under `Tests`.
    ///   - made: Its bytes.
    /// - Returns: Whether the file has just these bytes.
    package static func keeps(_ name: String, in folder: String, as made: [UInt8]) -> Bool {
        let path = "\(testsRoot)/\(folder)/\(name)"
        if getenv("WRITE_FUZZ_SEEDS") != nil, let file = fopen(path, "wb") {
            fwrite(made, 1, made.count, file)
            fclose(file)
        }
        return (try? bytes(of: path)) == made
    }

    /// The bytes of one.
    ///
    /// - Throws: ``PropertyFailure`` when it cannot be read.
    package static func bytes(of file: String) throws -> [UInt8] {
        guard let handle = fopen(file, "rb") else { throw PropertyFailure("cannot read \(file)") }
        defer { fclose(handle) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, handle)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// From `Tests/Support/FuzzCorpus.swift`, two up.
    private static var testsRoot: String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    }
}

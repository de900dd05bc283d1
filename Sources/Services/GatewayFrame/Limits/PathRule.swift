/// Which paths are looked at at all.
enum PathRule {
    /// Refuses what no client of ours means: escapes that are none, text that is no UTF-8, control
    /// characters, and steps upwards, however they are written.
    ///
    /// - Throws: `bad-request`.
    static func check(_ path: String) throws(Problem) {
        guard path.utf8.first == UInt8(ascii: "/") else {
            throw Problem(.badRequest, "the path does not begin with /")
        }
        guard path.utf8.count <= 2_048 else {
            throw Problem(.badRequest, "the path is longer than 2048 bytes")
        }
        // Bytes, since a character may hold a slash together with what is put upon it.
        for part in path.utf8.split(separator: 0x2F) {
            let text = try PercentDecoding.decode(Substring(part), plusIsSpace: false, "the path")
            for step in text.utf8.split(separator: 0x2F)
            where step.elementsEqual(".".utf8) || step.elementsEqual("..".utf8) || step.contains(0x5C) {
                throw Problem(.badRequest, "the path has a step such as .. or a \\")
            }
        }
    }
}

/// The text of a file of keys, in the form that CZMQ and pyzmq write and read: comments, headings, and lines
/// `name = "value"`.
///
/// Source: czmq, zcert(3), and pyzmq, zmq.auth.certs.
struct CertificateText {
    /// One `name = "value"`.
    struct Line {
        let number: Int
        let name: String
        let value: String
    }

    let lines: [Line]

    /// - Throws: ``BusError/keysInvalid(path:reason:)`` with the line, and without what stands in it: it may
    ///   be a secret.
    init(_ text: String, path: String) throws(BusError) {
        var lines: [Line] = []
        let rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, row) in rows.enumerated() {
            let words = Self.trim(row)
            if words.isEmpty || words.hasPrefix("#") || words.utf8.allSatisfy(Self.isNameByte) { continue }
            guard let line = Self.line(words, index + 1) else {
                throw .keysInvalid(
                    path: path,
                    reason: "line \(index + 1) is neither a comment, a heading nor name = \"value\"")
            }
            lines.append(line)
        }
        self.lines = lines
    }

    /// The values of a name, in their order.
    func values(_ name: String) -> [String] { lines.filter { $0.name == name }.map(\.value) }

    /// Refuses names that this kind of file does not have.
    func check(_ names: [String], path: String) throws(BusError) {
        guard let stranger = lines.first(where: { !names.contains($0.name) }) else { return }
        throw .keysInvalid(
            path: path,
            reason: "line \(stranger.number) is about \(stranger.name.prefix(40)); "
                + "accepted: \(names.joined(separator: ", "))")
    }

    private static func line(_ words: Substring, _ number: Int) -> Line? {
        guard let sign = words.firstIndex(of: "=") else { return nil }
        let name = trim(words[..<sign])
        let quoted = trim(words[words.index(after: sign)...])
        guard !name.isEmpty, name.utf8.allSatisfy(isNameByte), quoted.utf8.count >= 2,
            quoted.hasPrefix("\""), quoted.hasSuffix("\"")
        else { return nil }
        let value = quoted.dropFirst().dropLast()
        return value.contains("\"") ? nil : Line(number: number, name: String(name), value: String(value))
    }

    private static func trim(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}

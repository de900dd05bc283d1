/// Tells code, comments and string literals of a Swift file apart, well enough for rules about lines.
///
/// Knows line and nested block comments, one-line, multi-line and raw strings. What stands in an
/// interpolation counts as string. A one-line string ends with its line at the latest, so a slip cannot
/// spread.
struct SwiftScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var codeBytes: [UInt8]
    private var commentBytes: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var blank = [UInt8](repeating: space, count: bytes.count)
        var start = 0
        while let end = bytes[start...].firstIndex(of: newline) {
            blank[end] = newline
            start = end + 1
        }
        codeBytes = blank
        commentBytes = blank
    }

    var code: String { String(decoding: codeBytes, as: UTF8.self) }
    var comments: String { String(decoding: commentBytes, as: UTF8.self) }

    mutating func scan() {
        while position < bytes.count {
            if starts("//") {
                lineComment()
            } else if starts("/*") {
                blockComment()
            } else if let hashes = openingQuote() {
                string(hashes: hashes)
            } else {
                copy(to: mark(after: position), into: \.codeBytes)
            }
        }
    }

    private mutating func lineComment() {
        copy(to: bytes[position...].firstIndex(of: newline) ?? bytes.count, into: \.commentBytes)
    }

    private mutating func blockComment() {
        var depth = 0
        repeat {
            let isOpening = starts("/*")
            let isClosing = starts("*/")
            let length = isOpening || isClosing ? 2 : 1
            depth += isOpening ? 1 : isClosing ? -1 : 0
            for index in position..<min(position + length, bytes.count) {
                commentBytes[index] = bytes[index]
            }
            position += length
        } while depth > 0 && position < bytes.count
    }

    /// The next place, after one, at which something else than code may begin.
    private func mark(after place: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            var index = place + 1
            while index < bytes.count, bytes[index] != slash, bytes[index] != hash, bytes[index] != quote {
                index += 1
            }
            return index
        }
    }

    private mutating func copy(to end: Int, into place: WritableKeyPath<Self, [UInt8]>) {
        self[keyPath: place].replaceSubrange(position..<end, with: bytes[position..<end])
        position = end
    }

    /// The number of `#` before a quote that opens here, or `nil`.
    private func openingQuote() -> Int? {
        var index = position
        while index < bytes.count, bytes[index] == hash { index += 1 }
        return index < bytes.count && bytes[index] == quote ? index - position : nil
    }

    private mutating func string(hashes: Int) {
        position += hashes
        let isMultiline = starts(#"""""#)
        let marks = isMultiline ? 3 : 1
        position += marks
        while position < bytes.count {
            if bytes[position] == newline && !isMultiline { return }
            if bytes[position] == backslash && hashes == 0 {
                position += 2
            } else if closes(marks: marks, hashes: hashes) {
                position += marks + hashes
                return
            } else {
                position += 1
            }
        }
    }

    private func closes(marks: Int, hashes: Int) -> Bool {
        let end = position + marks + hashes
        guard end <= bytes.count else { return false }
        return bytes[position..<position + marks].allSatisfy { $0 == quote }
            && bytes[(position + marks)..<end].allSatisfy { $0 == hash }
    }

    private func starts(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count else { return false }
        return text.withUTF8Buffer { wanted in
            wanted.indices.allSatisfy { wanted[$0] == bytes[position + $0] }
        }
    }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let slash = UInt8(ascii: "/")
private let hash = UInt8(ascii: "#")
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")

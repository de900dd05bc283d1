/// Checks that bytes are text in UTF-8, which every format here is.
enum Encoding {
    /// The bytes without a byte order mark.
    ///
    /// - Throws: ``FileFault`` with the line and column of the first byte that is not UTF-8.
    static func check(_ bytes: [UInt8]) throws(FileFault) -> ArraySlice<UInt8> {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw FileFault(line: 1, column: 1, "the file is UTF-16; save it as UTF-8")
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        guard let fault = firstFault(text) else { return text }
        let before = text[..<fault]
        let line = before.count { $0 == 0x0A } + 1
        let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? text.startIndex
        let hexadecimal = String(text[fault], radix: 16, uppercase: true)
        throw FileFault(
            line: line, column: fault - start + 1,
            text[fault] == 0
                ? "byte 0x00 is in no text; export the file again as CSV in UTF-8"
                : "byte 0x\(hexadecimal) is not UTF-8; save the file as UTF-8")
    }

    private static func firstFault(_ bytes: ArraySlice<UInt8>) -> Int? {
        let isASCII = bytes.withUnsafeBytes { buffer in
            buffer.allSatisfy { $0 < 0x80 && $0 != 0 }
        }
        if isASCII { return nil }
        var decoder = Unicode.UTF8()
        var source = bytes.makeIterator()
        var position = bytes.startIndex
        while true {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar):
                if scalar == "\0" { return position }
                position += Unicode.UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return position
            }
        }
    }
}

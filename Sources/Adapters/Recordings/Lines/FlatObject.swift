/// Reads lines that are flat JSON objects, without making objects.
///
/// One owner; it keeps the memory in which escapes are resolved.
public struct FlatObject {
    /// What stands behind a key.
    public enum Value {
        /// A string, its escapes resolved.
        case text(UnsafeRawBufferPointer)
        /// A number or a word, as it stands there.
        case bare(UnsafeRawBufferPointer)
        case null
        /// An array or an object, which was skipped.
        case nested
    }

    private var text: [UInt8] = []
    private var keys = LineKeys()

    public init() {}

    /// Hands over every key, its escapes unresolved, with its value; both are valid only during the call.
    ///
    /// - Throws: ``LineFault`` for what is no JSON object, and for one that has a key twice.
    public mutating func read(
        _ line: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer, Value) -> Void
    ) throws(LineFault) {
        var scanner = LineScanner(line)
        var (text, keys) = (self.text, self.keys)
        (self.text, self.keys) = ([], LineKeys())
        defer { (self.text, self.keys) = (text, keys) }
        try scanner.object(&keys) { scanner, key throws(LineFault) in
            switch scanner.peek() {
            case 0x22:
                _ = try scanner.string(into: &text)
                text.withUnsafeBytes { body(key, .text($0)) }
            case 0x7B, 0x5B:
                try scanner.skip()
                body(key, .nested)
            default:
                let start = scanner.index
                try scanner.skip()
                let word = UnsafeRawBufferPointer(rebasing: line[start..<scanner.index])
                if word.isEmpty { throw .notJSON(offset: start) }
                body(key, word.elementsEqual("null".utf8) ? .null : .bare(word))
            }
        }
    }
}

/// How search cuts texts.
enum SearchText {
    /// More would only cost time; no symbol is that long.
    static let wordLimit = 32
    /// Words of a query that count.
    static let queryLimit = 8

    /// The words of a text: lower-case letters and digits, everything else parts them.
    static func words(_ text: String) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8] = []
        for byte in text.lowercased().utf8 {
            // Bytes from 128 on are parts of letters of other alphabets.
            let isPart = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
            if isPart {
                if word.count < wordLimit { word.append(byte) }
            } else if !word.isEmpty {
                words.append(word)
                word = []
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }

    /// The different runs of three bytes of a word that is padded with two zeros before and one after it.
    ///
    /// Source: PostgreSQL documentation, appendix F, "pg_trgm".
    static func trigrams(_ word: [UInt8]) -> [UInt32] {
        var codes: [UInt32] = []
        var code: UInt32 = 0
        for byte in word + [0] {
            code = (code << 8 | UInt32(byte)) & 0xFF_FFFF
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }
}

/// A status line and headers of HTTP/1.x, as far as our clients need them.
struct ResponseHead: Sendable, Hashable {
    /// 100...999.
    let status: Int
    /// Lower-cased names with trimmed values, in order.
    let headers: [Header]

    struct Header: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// Reads a whole head, or returns `nil` when its first line is not a status line.
    ///
    /// A header line without a colon is skipped; folded lines (obsolete since RFC 7230) are as well.
    init?(_ bytes: some Collection<UInt8>) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: true)
        guard let first = lines.first, let status = Self.status(of: String(decoding: first, as: UTF8.self))
        else {
            return nil
        }
        self.status = status
        headers = lines.dropFirst().compactMap { Header(line: String(decoding: $0, as: UTF8.self)) }
    }

    /// The number in `HTTP/1.1 200 OK` or `HTTP/2 200`.
    static func status(of line: String) -> Int? {
        let parts = line.trimmed.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3 else { return nil }
        guard let number = Int(parts[1]), (100...999).contains(number) else { return nil }
        return number
    }

    /// All values of a header; `name` is lower case.
    func values(of name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }

    /// The first value of a header; `name` is lower case.
    func value(of name: String) -> String? { headers.first { $0.name == name }?.value }

    /// How long the server asks to wait, or `nil` when it names no number of seconds.
    ///
    /// The form with a date (RFC 9110, 10.2.3) needs the server's clock; venues send seconds.
    var retryAfter: Duration? {
        guard let text = value(of: "retry-after"), let seconds = Int64(text), (0...604_800).contains(seconds)
        else {
            return nil
        }
        return .seconds(seconds)
    }
}

extension ResponseHead.Header {
    /// Reads `Name: value`; `nil` without a colon or with a blank in the name.
    init?(line: String) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return nil }
        let name = line[..<colon]
        guard !name.contains(where: \.isWhitespace) else { return nil }
        self.init(name: name.lowercased(), value: line[line.index(after: colon)...].trimmed)
    }
}

extension StringProtocol {
    /// Without white space at both ends.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

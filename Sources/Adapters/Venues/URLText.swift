/// The little of URLs that sessions need.
enum URLText {
    /// Percent-escapes everything but letters, digits and `-._~`.
    ///
    /// Source: RFC 3986, 2.3.
    static func escape(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    /// Undoes ``escape(_:)``.
    static func unescape(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let value = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The path of a URL, without host and query.
    static func path(of url: String) -> Substring {
        var rest = url[...]
        if let scheme = rest.range(of: "://") { rest = rest[scheme.upperBound...] }
        guard let slash = rest.firstIndex(of: "/") else { return "" }
        rest = rest[slash...]
        return rest.prefix { $0 != "?" && $0 != "#" }
    }

    /// A query parameter's value, unescaped.
    static func parameter(_ name: String, of url: String) -> String? {
        guard let question = url.firstIndex(of: "?") else { return nil }
        for pair in url[url.index(after: question)...].split(separator: "&") {
            guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
            return unescape(pair[pair.index(after: equals)...])
        }
        return nil
    }
}

extension Substring {
    /// Where a literal text lies; the standard library has this only with Foundation or regexes.
    fileprivate func range(of literal: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(literal) { return start..<index(start, offsetBy: literal.count) }
            start = index(after: start)
        }
        return nil
    }
}

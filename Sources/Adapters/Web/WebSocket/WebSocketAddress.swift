/// Where to open a WebSocket: `ws://` or `wss://`, host, port, path.
package struct WebSocketAddress: Sendable, Hashable, CustomStringConvertible {
    /// Whether TLS is used (`wss`).
    package let isSecure: Bool
    /// The host, without the brackets of an IPv6 literal.
    package let host: String
    /// The port, 1...65535; 80 or 443 when the text had none.
    package let port: Int
    /// The path with its query, beginning with a slash.
    package let path: String
    private let isLiteral: Bool
    private let isDefaultPort: Bool

    /// Reads an address.
    ///
    /// A user name in it, a fragment, or a character that cannot stand in a request line is refused.
    ///
    /// - Throws: ``WebError/invalidAddress(_:reason:)``.
    package init(parsing text: String) throws(WebError) {
        func refuse(_ reason: String) -> WebError { .invalidAddress(text, reason: reason) }
        guard let scheme = text.firstRange(of: "://") else { throw refuse("it begins with ws:// or wss://") }
        switch text[..<scheme.lowerBound] {
        case "ws": isSecure = false
        case "wss": isSecure = true
        default: throw refuse("it begins with ws:// or wss://")
        }
        let rest = text[scheme.upperBound...]
        guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw refuse("it contains a space or a character that needs escaping")
        }
        guard !rest.contains("#") else { throw refuse("it has a fragment") }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.contains("@") else { throw refuse("it contains a user name") }
        let tail = rest[end...]
        path = tail.isEmpty ? "/" : tail.hasPrefix("?") ? "/" + tail : String(tail)
        guard let (host, digits, isLiteral) = Self.split(authority), !host.isEmpty else {
            throw refuse("it has no host")
        }
        self.host = host
        self.isLiteral = isLiteral
        let standard = isSecure ? 443 : 80
        guard let digits else {
            port = standard
            isDefaultPort = true
            return
        }
        guard !digits.hasPrefix("+"), let number = Int(digits), (1...65535).contains(number) else {
            throw refuse("its port is not 1...65535")
        }
        port = number
        isDefaultPort = number == standard
    }

    /// The value of the `Host` header.
    var hostHeader: String {
        let name = isLiteral ? "[\(host)]" : host
        return isDefaultPort ? name : "\(name):\(port)"
    }

    /// Host and port, as a proxy is asked for them.
    var authority: String { "\(isLiteral ? "[\(host)]" : host):\(port)" }

    /// The address as it was read, with a path.
    package var description: String { "\(isSecure ? "wss" : "ws")://\(hostHeader)\(path)" }

    /// What an address of IPv6 is written with, an IPv4 one at its end and an interface included.
    private static let literal = Set("0123456789abcdefABCDEF:.%".utf8)

    /// Splits `host`, `host:port`, `[v6]` and `[v6]:port`; `nil` when brackets or colons do not fit.
    private static func split(_ authority: Substring) -> (host: String, port: Substring?, isLiteral: Bool)? {
        if authority.hasPrefix("[") {
            guard let close = authority.firstIndex(of: "]") else { return nil }
            let host = String(authority[authority.index(after: authority.startIndex)..<close])
            let after = authority[authority.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":"), host.utf8.contains(UInt8(ascii: ":")),
                host.utf8.allSatisfy({ Self.literal.contains($0) })
            else { return nil }
            return (host, after.isEmpty ? nil : after.dropFirst(), true)
        }
        guard !authority.contains(where: { $0 == "[" || $0 == "]" }) else { return nil }
        guard let colon = authority.firstIndex(of: ":") else { return (String(authority), nil, false) }
        return (String(authority[..<colon]), authority[authority.index(after: colon)...], false)
    }
}

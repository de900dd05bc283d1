import Encodings

/// A proxy of HTTP.
struct WebProxy: Sendable, Hashable {
    let host: String
    let port: Int
    /// As curl says it when none is named.
    private static let usualPort = 1_080
    /// `name:password`; `nil` for none.
    private let credentials: [UInt8]?
    /// The same for libcurl.
    let url: String

    /// Reads `[http://][user:password@]host[:port]`.
    ///
    /// - Throws: ``WebError/proxyFailed(proxy:reason:)``, without what may be secret.
    init(parsing text: String) throws(WebError) {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") {
            guard rest[..<scheme.lowerBound].lowercased() == "http" else {
                throw .proxyFailed(
                    proxy: String(rest[..<scheme.upperBound]), reason: "only http:// proxies are spoken to")
            }
            rest = rest[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "/" }
        let authority = rest
        if let at = rest.lastIndex(of: "@") {
            credentials = Self.unescaped(rest[..<at])
            rest = rest[rest.index(after: at)...]
        } else {
            credentials = nil
        }
        guard let address = try? WebSocketAddress(parsing: "ws://\(rest)"), rest.count > 0 else {
            throw .proxyFailed(proxy: String(rest), reason: "it is no host with a port")
        }
        host = address.host
        let isNamed = rest.last != "]" && rest.contains(":") && !rest.hasSuffix(":")
        port = isNamed ? address.port : Self.usualPort
        url = "http://\(authority)" + (isNamed ? "" : ":\(Self.usualPort)")
    }

    /// The header that says who asks; `nil` for nobody.
    var authorization: String? { credentials.map { "Basic \(Base64.text($0))" } }

    /// Bytes for `%` and two hexadecimal digits; anything else is what it is.
    private static func unescaped(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if first == UInt8(ascii: "%"), digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first)
            }
        }
        return bytes
    }
}

import Glibc

/// A host and a port to listen on or to connect to: `127.0.0.1:7422`, `[::1]:7422`, `bus-broker:7411`.
package struct NetworkAddress: Sendable, Hashable, LosslessStringConvertible {
    /// A name or an address, without brackets.
    package let host: String
    /// 0...65535; 0 lets the system choose.
    package let port: Int

    /// Creates an address.
    ///
    /// - Precondition: `port` is in 0...65535 and `host` is not empty: what people write is read by
    ///   ``init(_:)``.
    package init(host: String, port: Int) {
        precondition((0...65535).contains(port) && !host.isEmpty, "an address needs a host and a port")
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; `nil` when it is none.
    package init?(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        let digits = text.utf8[text.utf8.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(Substring(digits)), port <= 65535, let host = Self.host(text[..<colon])
        else { return nil }
        self.init(host: host, port: port)
    }

    /// A name, an address of version 4, or one of version 6 in brackets; without them.
    ///
    /// Whatever is read here must be read again as it is described, so that nothing but such an address may
    /// stand in brackets and no bracket outside of them.
    private static func host(_ text: Substring) -> String? {
        guard text.utf8.count <= 255 else { return nil }
        guard text.hasPrefix("["), text.hasSuffix("]") else {
            let isName = text.utf8.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
            return isName && !text.isEmpty ? String(text) : nil
        }
        let inner = text.dropFirst().dropLast()
        // Behind a percent sign stands an interface: fe80::1%eth0.
        let parts = inner.split(separator: "%", omittingEmptySubsequences: false)
        guard parts.count <= 2, isVersion6(parts[0]),
            parts.count == 1 || !parts[1].isEmpty && parts[1].utf8.allSatisfy(isLetterOrDigit)
        else { return nil }
        return String(inner)
    }

    private static func isVersion6(_ text: Substring) -> Bool {
        // C ends a text at a zero byte: what may stand in it is looked at first.
        guard text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == 0x3A || $0 == 0x2E }) else { return false }
        var bytes = in6_addr()
        return inet_pton(AF_INET6, String(text), &bytes) == 1
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    /// `host:port`, with brackets around an IPv6 address.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether it can only be reached from this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
    }
}

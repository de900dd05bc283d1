/// A host and a port to listen on or to connect to: `127.0.0.1:7422`, `[::1]:7422`, `bus-broker:7411`.
package struct NetworkAddress: Sendable, Hashable, LosslessStringConvertible {
    /// A name or an address, without brackets.
    package let host: String
    /// 0...65535; 0 lets the system choose.
    package let port: Int

    /// Creates an address.
    ///
    /// - Precondition: `port` is in 0...65535 and `host` is not empty.
    package init(host: String, port: Int) {
        precondition((0...65535).contains(port) && !host.isEmpty, "an address needs a host and a port")
        self.host = host
        self.port = port
    }

    /// Reads `host:port`; `nil` when it is none.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits),
            port <= 65535
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else { return nil }
        self.init(host: String(host), port: port)
    }

    /// `host:port`, with brackets around an IPv6 address.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Whether it can only be reached from this machine.
    package var isLoopback: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
    }
}

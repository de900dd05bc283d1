/// The address of a receiver that a user chose, checked as far as its text goes.
///
/// A name says nothing about where it leads: whoever connects asks ``AddressRule`` for each resolved address.
package struct DestinationURL: Hashable, Sendable {
    /// The text as it was given.
    package let text: String
    /// `https`, or `http` where the policy has it.
    package let scheme: String
    /// Lower case, an IPv6 address without its brackets; names with other letters are left to libcurl.
    package let host: String
    /// The port, the scheme's own if none is named.
    package let port: UInt16

    /// The origin by RFC 6454: the scheme, the host, and the port if it is not the scheme's own.
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port == DestinationURL.port(of: scheme) ? "" : ":\(port)")
    }

    /// What is accepted, for a fault.
    static let accepted = """
        an https URL of at most 2048 bytes with a public host, on port 443 or 8443, without user, password, \
        fragment, blanks and backslashes
        """

    /// Reads a URL; `nil` for one that the policy does not accept.
    package init?(_ text: String, policy: DestinationPolicy = .strict) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x5C && $0 != 0x7F }),
            let colon = text.utf8.firstIndex(of: 0x3A)
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "https" || (scheme == "http" && policy.allowsPlainHTTP),
            text[colon...].utf8.starts(with: "://".utf8), !text.utf8.contains(0x23)
        else { return nil }
        let rest = text[text.utf8.index(colon, offsetBy: 3)...]
        // Bytes, since a character may hold a slash together with what is put upon it.
        let end = rest.utf8.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        guard let authority = Authority(rest[..<end]),
            let port = authority.port ?? DestinationURL.port(of: scheme),
            policy.ports.isEmpty || policy.ports.contains(port),
            authority.isAcceptable(policy)
        else { return nil }
        self.text = text
        self.scheme = scheme
        self.host = authority.host
        self.port = port
    }

    private static func port(of scheme: String) -> UInt16? { scheme == "https" ? 443 : 80 }
}

/// What stands between the slashes of a URL: a host and perhaps a port.
private struct Authority {
    var host: String
    var port: UInt16?

    init?(_ text: Substring) {
        guard !text.utf8.contains(0x40) else { return nil }
        let hostEnd: Substring.Index
        if text.utf8.first == 0x5B {
            guard let bracket = text.utf8.firstIndex(of: 0x5D) else { return nil }
            host = text[text.utf8.index(after: text.startIndex)..<bracket].lowercased()
            hostEnd = text.utf8.index(after: bracket)
            guard IPAddress(host)?.isVersion6 == true else { return nil }
        } else {
            hostEnd = text.utf8.firstIndex(of: 0x3A) ?? text.endIndex
            host = text[..<hostEnd].lowercased()
        }
        guard !host.isEmpty, host.utf8.count <= 253 else { return nil }
        guard hostEnd < text.endIndex else { return }
        let digits = text[hostEnd...].utf8.dropFirst()
        guard text.utf8[hostEnd] == 0x3A, (1...5).contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
        else { return nil }
        port = number
    }

    /// Whether the host is a name, or an address that the policy lets through.
    func isAcceptable(_ policy: DestinationPolicy) -> Bool {
        if let address = IPAddress(host) {
            return policy.allowsPrivateAddresses || AddressRule.refusal(of: address) == nil
        }
        guard !host.utf8.contains(where: { "%<>\"^`{|}'()*!$&+,;=[]:".utf8.contains($0) }) else {
            return false
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let last = labels.last.map { $0.isEmpty ? labels.dropLast().last ?? "" : $0 } ?? ""
        // What ends in a number is an address to some readers: 2130706433, 0x7f.1 and 127.1 are loopback.
        guard let first = last.utf8.first, !(0x30...0x39).contains(first) else { return false }
        if policy.allowsPrivateAddresses { return true }
        return labels.count > 1 && last != "localhost" && last != "local" && last != "internal"
    }
}

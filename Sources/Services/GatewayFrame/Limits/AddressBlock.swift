import Glibc

/// As whom an IP address is counted where something is limited by address.
package enum AddressBlock {
    /// An IPv4 address itself, also one that is mapped into IPv6; of IPv6 the first 64 bits.
    ///
    /// One subscriber is given no less than those (RFC 6177). Other texts are counted as they are.
    package static func of(_ address: String) -> String {
        guard address.utf8.contains(0x3A) else { return address }
        var parsed = in6_addr()
        // A zone, as in fe80::1%eth0, names the machine's own interface.
        guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: &parsed) { Array($0) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map { place in
            String(UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}

import Channels
import Glibc
import Threads

/// Looks names up.
enum NameLookup {
    /// Every address of a name, the system's choice first; none when there is none.
    ///
    /// The system's resolver blocks, so it gets a thread of its own unless the text is an address already.
    static func addresses(of host: String) async -> [IPAddress] {
        let literal = lookUp(host, flags: AI_NUMERICHOST)
        guard literal.isEmpty else { return literal }
        return await NamedThread.run(name: "name-lookup") { lookUp(host, flags: 0) }
    }

    private static func lookUp(_ host: String, flags: Int32) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = address(of: entry.pointee), !found.contains(address) { found.append(address) }
            next = entry.pointee.ai_next
        }
        return found
    }

    private static func address(of entry: addrinfo) -> IPAddress? {
        guard let socket = entry.ai_addr else { return nil }
        let bytes: [UInt8]
        switch entry.ai_family {
        case AF_INET:
            bytes = socket.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { Array($0) }
            }
        case AF_INET6:
            bytes = socket.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { Array($0) }
            }
        default: return nil
        }
        return IPAddress(bytes: bytes)
    }
}

extension IPAddress {
    /// As libcurl's options name it: dotted decimal, or eight groups in brackets.
    var inOptions: String {
        if !isVersion6 {
            return (0..<4).map { String(UInt8(truncatingIfNeeded: bits >> (24 - 8 * UInt128($0)))) }
                .joined(separator: ".")
        }
        let groups = (0..<8).map {
            String(UInt16(truncatingIfNeeded: bits >> (112 - 16 * UInt128($0))), radix: 16)
        }
        return "[\(groups.joined(separator: ":"))]"
    }
}

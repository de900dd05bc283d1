import Glibc

/// A connection that somebody made to one of our ports, by its descriptor.
package enum AcceptedConnection {
    /// Ends the connection, if the descriptor is still one to these ports: ZeroMQ may have closed it, and the
    /// system given its number to somebody else.
    ///
    /// ZeroMQ has no call for it. Its client connects again, and has to prove itself again.
    package static func end(_ descriptor: Int32, ports: [UInt16]) {
        var place = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // SAFETY: a sockaddr_storage has room for every kind of address, and is passed with its true size.
        let found = withUnsafeMutablePointer(to: &place) { pointer -> UInt16? in
            let isKnown = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size) == 0
            }
            guard isKnown else { return nil }
            // The port lies at the same place in addresses of both kinds.
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET, AF_INET6:
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            default: return nil
            }
        }
        if let found, ports.contains(found) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}

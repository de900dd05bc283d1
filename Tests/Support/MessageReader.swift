import Foundation

/// Cuts what one side of PostgreSQL's protocol says into messages.
struct MessageReader {
    private var bytes: [UInt8] = []
    /// Whether the next one begins with its type: a client's first one does not.
    private var hasType: Bool

    init(hasType: Bool) { self.hasType = hasType }

    mutating func append(_ more: [UInt8]) { bytes += more }

    mutating func next() -> [UInt8]? {
        let start = hasType ? 1 : 0
        guard bytes.count >= start + 4 else { return nil }
        let length = start + bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= length else { return nil }
        let message = Array(bytes.prefix(length))
        bytes.removeFirst(length)
        hasType = true
        return message
    }
}

/// The address of a socket with a path, as far as that is short enough.
func withLocalAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    var place = sockaddr_un()
    place.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: place.sun_path) else { return -1 }
    withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: path.utf8) }
    // SAFETY: a sockaddr_un is passed as the sockaddr that it begins with, with its true size.
    return withUnsafePointer(to: place) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            body(address, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}

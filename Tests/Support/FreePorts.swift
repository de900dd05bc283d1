import Foundation
import Synchronization

/// Ports of loopback that nobody listens on right now.
package enum FreePorts {
    /// A run of consecutive ports.
    ///
    /// All are below the ports that the system gives to outgoing connections, which might take one between
    /// two uses. `TEST_PORTS=20000-22499` is this process's part of them, so that several may run at a time.
    package static func run(of count: Int) throws -> UInt16 {
        for _ in 0..<200 {
            let base = UInt16.random(in: own.lowerBound...(own.upperBound - UInt16(count)))
            let ports = base..<(base + UInt16(count))
            let isNew = recent.withLock { recent in
                guard !recent.contains(where: { $0.overlaps(ports) }), ports.allSatisfy(isFree) else {
                    return false
                }
                // Whoever asked may not listen yet; those of long ago are over.
                recent.append(ports)
                if recent.count > 100 { recent.removeFirst() }
                return true
            }
            if isNew { return base }
        }
        throw NoFreePorts(count: count)
    }

    private static let own: ClosedRange<UInt16> = {
        let ends = (ProcessNumber.environment("TEST_PORTS") ?? "").split(separator: "-")
            .compactMap { UInt16($0) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]...ends[1] : 20_000...29_999
    }()
    private static let recent = Mutex<[Range<UInt16>]>([])

    struct NoFreePorts: Error { var count: Int }

    private static func isFree(_ port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(socket, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

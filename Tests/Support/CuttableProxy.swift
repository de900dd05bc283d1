import Foundation
import Synchronization

/// A road on loopback that a test cuts: what is said meanwhile arrives when it is whole again, as after a
/// partition of a network; who connects meanwhile waits as well.
package final class CuttableProxy: Sendable {
    /// Where it leads.
    package enum Target: Sendable {
        case port(UInt16)
        /// A socket of the file system.
        case path(String)
    }

    private let socket: Int32
    private let target: Target
    private let gate = RoadGate()

    /// Listens on a port of loopback.
    package init(port: UInt16, to target: Target) throws {
        self.target = target
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var one: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        let isListening = Self.with(.port(port)) { bind(socket, $0, $1) == 0 && listen(socket, 64) == 0 }
        guard socket >= 0, isListening else { throw SystemFailure("a socket of a proxy") }
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(socket, nil, nil)
                if connection < 0, errno == EINTR || errno == ECONNABORTED { continue }
                guard connection >= 0 else {
                    Glibc.close(socket)
                    return
                }
                // A process that a test starts must not keep it open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                Thread.detachNewThread { [self] in serve(connection) }
            }
        }
    }

    /// Lets nothing through any more.
    package func cut() { gate.set(isCut: true) }

    /// Lets everything through again, what waits first.
    package func heal() { gate.set(isCut: false) }

    /// Takes no more connections; those that there are end with whom they connect.
    package func close() {
        heal()
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32) {
        gate.pass()
        let kind = if case .path = target { AF_UNIX } else { AF_INET }
        let other = Glibc.socket(kind, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard other >= 0, Self.with(target, { connect(other, $0, $1) == 0 }) else {
            if other >= 0 { Glibc.close(other) }
            Glibc.close(connection)
            return
        }
        let road = Road(connection, other)
        Thread.detachNewThread { [self] in pump(road, from: road.other, to: road.one) }
        pump(road, from: road.one, to: road.other)
    }

    /// Carries bytes one way until either end is closed.
    private func pump(_ road: Road, from: Int32, to: Int32) {
        // Both descriptors are open as long as somebody has the road.
        withExtendedLifetime(road) {
            var bytes = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = read(from, &bytes, bytes.count)
                guard count > 0 else { break }
                gate.pass()
                var sent = 0
                while sent < count {
                    let more = bytes[sent..<count].withUnsafeBytes {
                        send(to, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard more > 0 else { break }
                    sent += more
                }
                guard sent == count else { break }
            }
            gate.pass()
            shutdown(to, Int32(SHUT_WR))
            shutdown(from, Int32(SHUT_RD))
        }
    }

    private static func with<Value>(
        _ target: Target, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        switch target {
        case .port(let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return rebound(&address, body)
        case .path(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { room in
                for (index, byte) in path.utf8.prefix(room.count - 1).enumerated() { room[index] = byte }
            }
            return rebound(&address, body)
        }
    }

    private static func rebound<Address, Value>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafePointer(to: &address) { pointer in
            // SAFETY: the system reads no more than the size, and every kind of address begins alike.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}

/// Two connections that are closed when nobody carries anything between them any more.
private final class Road: Sendable {
    let one: Int32
    let other: Int32

    init(_ one: Int32, _ other: Int32) { (self.one, self.other) = (one, other) }

    deinit {
        close(one)
        close(other)
    }
}

// SAFETY: the flag is read and written under the condition's lock only.
/// Lets threads pass, or holds them.
private final class RoadGate: @unchecked Sendable {
    private let condition = NSCondition()
    private var isCut = false

    func set(isCut: Bool) {
        condition.withLock {
            self.isCut = isCut
            condition.broadcast()
        }
    }

    func pass() {
        condition.withLock {
            while isCut { condition.wait() }
        }
    }
}

import Foundation
import Support

/// A connection to a port of loopback that says and reads bytes.
final class RawSocket {
    private let descriptor: Int32
    /// What was read so far.
    private(set) var text = ""

    /// Connects, from another address of loopback where that is wanted.
    init(port: UInt16, from source: String = "127.0.0.1") throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        let isOpen = Self.with("127.0.0.1", port) { there, length in
            Self.with(source, 0) { here, length in bind(descriptor, here, length) == 0 }
                && connect(descriptor, there, length) == 0
        }
        guard descriptor >= 0, isOpen else { throw PropertyFailure("nobody listens on \(port)") }
    }

    private static func with(
        _ host: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr(host)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// Makes its end one that the other side notices at once, as when a program's host refuses what is sent
    /// to it, and not an end of what is said only, after which an answer may go on.
    func endsWithReset() {
        var end = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &end, socklen_t(MemoryLayout<linger>.size))
    }

    /// Sends bytes.
    func send(_ bytes: [UInt8]) throws {
        guard Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        else { throw PropertyFailure("\(bytes.count) bytes were not taken") }
    }

    /// Asks for an address as HTTP/1.1 does.
    func ask(_ path: String, headers: [String] = []) throws {
        let lines = ["GET \(path) HTTP/1.1", "Host: localhost"] + headers + ["", ""]
        try send(Array(lines.joined(separator: "\r\n").utf8))
    }

    /// Reads until the text has something in it; every byte is a character of Latin-1.
    func read(until part: String) throws {
        while !text.contains(part) {
            guard try more() else { throw PropertyFailure("it ended without \(part): \(text)") }
        }
    }

    /// Reads until the other side ends.
    func readToEnd() throws { while try more() {} }

    private func more() throws -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw PropertyFailure("the connection was cut: \(text)") }
        text += bytes.prefix(count).map { String(UnicodeScalar($0)) }.joined()
        return count > 0
    }
}

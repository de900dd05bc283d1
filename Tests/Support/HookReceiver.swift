import Foundation
import Synchronization

/// A receiver of webhooks on loopback that behaves as the path of each request says.
///
/// `/status/404` answers so, `/after/30` asks to wait for 30 s, `/hang` never answers, `/drip` answers one
/// byte at a time without an end, `/huge` with a body without an end, `/reset` breaks the connection,
/// `/move` redirects; everything else gets 200.
package final class HookReceiver: Sendable {
    /// One request.
    package struct Received: Sendable, Hashable {
        /// With its query.
        package var path: String
        /// By lower-case names.
        package var headers: [String: String]
        /// As it came.
        package var body: [UInt8]
        /// When its last byte was read, nanoseconds of the machine's clock of the day.
        package var time: Int64

        /// The id that Standard Webhooks asks receivers to look at.
        package var id: String { headers["webhook-id"] ?? "" }
    }

    private struct State {
        var received: [Received] = []
        var connections = 0
        var waiters: [(@Sendable ([Received]) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    /// Where it listens.
    package let port: UInt16
    private let socket: Int32
    private let state = Mutex(State())

    /// Listens on a port of a loopback address, a free one unless it is named.
    package init(at host: String = "127.0.0.1", port wanted: UInt16 = 0) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, host, &address.sin_addr)
        address.sin_port = wanted.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(socket, address, length) == 0, listen(socket, 512) == 0 else { return Int32(-1) }
                return getsockname(socket, address, &length)
            }
        }
        guard socket >= 0, code == 0 else { throw SystemFailure("a socket of a receiver") }
        port = UInt16(bigEndian: address.sin_port)
        start { receiver in
            while true {
                let connection = accept(receiver.socket, nil, nil)
                guard connection >= 0 else { return }
                receiver.state.withLock { $0.connections += 1 }
                receiver.start { $0.serve(connection) }
            }
        }
    }

    /// Where it listens, with a path.
    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// All requests so far.
    package var received: [Received] { state.withLock { $0.received } }

    /// Connections that were made so far.
    package var connections: Int { state.withLock { $0.connections } }

    /// Accepts no more connections.
    package func close() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Waits until the requests are as wanted, or the time of the test is over.
    package func wait(until isEnough: @escaping @Sendable ([Received]) -> Bool) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if Task.isCancelled || isEnough(state.received) { return true }
                    state.waiters.append((isEnough, continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiters = state.withLock { state in
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.1.resume() }
        }
    }

    private func start(_ body: @escaping @Sendable (HookReceiver) -> Void) {
        Thread.detachNewThread { body(self) }
    }

    private func note(_ request: Received) {
        let ready = state.withLock { state in
            state.received.append(request)
            let received = state.received
            let ready = state.waiters.filter { $0.0(received) }.map(\.1)
            state.waiters.removeAll { $0.0(received) }
            return ready
        }
        for continuation in ready { continuation.resume() }
    }

    private func serve(_ connection: Int32) {
        var buffer: [UInt8] = []
        while let request = read(connection, &buffer) {
            note(request)
            guard answer(request, on: connection) else { break }
        }
        Glibc.close(connection)
    }

    /// The next request; `nil` when the connection is over.
    private func read(_ connection: Int32, _ buffer: inout [UInt8]) -> Received? {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            if let request = HookReceiver.parse(&buffer) { return request }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            buffer += piece.prefix(count)
        }
    }

    private static func parse(_ buffer: inout [UInt8]) -> Received? {
        guard let end = buffer.firstRange(of: [13, 10, 13, 10]) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers[line[..<colon].lowercased()] = value
        }
        let length = Int(headers["content-length"] ?? "0") ?? 0
        guard buffer.count - end.upperBound >= length else { return nil }
        let body = Array(buffer[end.upperBound..<(end.upperBound + length)])
        buffer.removeFirst(end.upperBound + length)
        let words = (lines.first ?? "").split(separator: " ")
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Received(
            path: words.count > 1 ? String(words[1]) : "", headers: headers, body: body,
            time: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
    }

    /// `false` when the connection is to be closed.
    private func answer(_ request: Received, on connection: Int32) -> Bool {
        let parts = request.path.split(separator: "/").map(String.init)
        switch parts.first {
        case "status": return write("HTTP/1.1 \(parts[1]) X\r\nContent-Length: 2\r\n\r\nno", connection)
        case "after":
            return write(
                "HTTP/1.1 429 Wait\r\nRetry-After: \(parts[1])\r\nContent-Length: 0\r\n\r\n", connection)
        case "move":
            return write(
                "HTTP/1.1 302 Found\r\nLocation: \(url("/moved"))\r\nContent-Length: 0\r\n\r\n", connection)
        case "hang":
            // Until the other side gives up.
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
            return false
        case "drip":
            guard write("HTTP/1.1 200 OK\r\nX-Slow: ", connection) else { return false }
            while write("x", connection) { poll(nil, 0, 20) }
            return false
        case "huge":
            guard write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", connection) else {
                return false
            }
            let block = String(repeating: "x", count: 16 << 10)
            while write(block, connection) {}
            return false
        case "reset":
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return false
        default: return write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", connection)
        }
    }

    private func write(_ text: String, _ connection: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
}

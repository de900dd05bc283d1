import Foundation
import Synchronization

/// A way to PostgreSQL that breaks where a test wants it.
///
/// It counts exchanges as the protocol does: each ends with a Query or a Sync of the client, and with a
/// ReadyForQuery of the server. Preparing a statement is one, running it another, and so are BEGIN and
/// COMMIT.
///
/// Source: PostgreSQL manual 15, 55.2 "Message Flow" and 55.7 "Message Formats".
package final class DatabaseProxy: Sendable {
    /// On which side of the server's work the connection goes.
    package enum Cut: CaseIterable, Sendable {
        /// The server never hears of the exchange.
        case before
        /// The server has done it, and the client never hears so.
        case after
    }

    private struct State {
        var count = 0
        var cut: (number: Int, place: Cut)?
        var wasCut = false
        var open: Set<Int32> = []
        var isClosed = false
    }

    /// The directory of the socket, as `host` of a connection.
    package let folder: String
    /// The port in the socket's name.
    package let port = 5_432
    private let server: (host: String, port: Int)
    private let socket: Int32
    private let state = Mutex(State())

    /// Listens for clients of a server: the directory of its socket, or a host that TCP reaches.
    package init(to host: String, port serverPort: Int) throws {
        folder = try TestDatabase.temporaryDirectory()
        server = (host, serverPort)
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let code = withLocalAddress("\(folder)/.s.PGSQL.\(port)") { bind(socket, $0, $1) }
        guard socket >= 0, code == 0, listen(socket, 64) == 0 else {
            throw SystemFailure("a socket of a database proxy")
        }
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in relay(client) }
            }
        }
    }

    /// Breaks every connection, and the one that comes next at its exchange of a number, from 1.
    package func arm(_ number: Int, _ place: Cut) {
        state.withLock { state in
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
            (state.count, state.cut, state.wasCut) = (0, (number, place), false)
        }
    }

    /// Lets everything through again; whether there was such an exchange.
    package func disarm() -> Bool {
        state.withLock { state in
            state.cut = nil
            return state.wasCut
        }
    }

    /// Ends all of it.
    package func close() {
        state.withLock { state in
            state.isClosed = true
            for descriptor in state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }

    // MARK: One connection

    private func relay(_ client: Int32) {
        let server = connected()
        let isWelcome = state.withLock { state in
            guard server >= 0, !state.isClosed else { return false }
            state.open.formUnion([client, server])
            return true
        }
        if isWelcome { pump(client, server) }
        state.withLock { $0.open.subtract([client, server]) }
        Glibc.close(client)
        if server >= 0 { Glibc.close(server) }
    }

    private func pump(_ client: Int32, _ server: Int32) {
        var asked = MessageReader(hasType: false)
        var answered = MessageReader(hasType: true)
        var exchange: [UInt8] = []
        var isMute = false
        while true {
            var ready = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&ready, 2, -1) > 0 else { return }
            if ready[0].revents != 0 {
                guard let bytes = Self.received(client) else { return }
                asked.append(bytes)
                while let message = asked.next() {
                    exchange += message
                    let end = Self.end(of: message)
                    if end == .none { continue }
                    let cut = end == .exchange ? passes() : nil
                    guard cut != .before, Self.send(exchange, to: server) else { return }
                    exchange = []
                    if cut == .after { isMute = true }
                }
            }
            if ready[1].revents != 0 {
                guard let bytes = Self.received(server) else { return }
                guard isMute else {
                    guard Self.send(bytes, to: client) else { return }
                    continue
                }
                answered.append(bytes)
                while let message = answered.next() {
                    if message.first == UInt8(ascii: "Z") { return }
                }
            }
        }
    }

    /// Counts an exchange; where it is cut, `nil` for one that goes through.
    private func passes() -> Cut? {
        state.withLock { state in
            state.count += 1
            guard let cut = state.cut, cut.number == state.count else { return nil }
            state.wasCut = true
            return cut.place
        }
    }

    private enum End { case none, message, exchange }

    /// What a client's message ends: parts of an exchange travel together.
    private static func end(of message: [UInt8]) -> End {
        switch message.first.map({ Character(Unicode.Scalar($0)) }) {
        case "Q", "S": .exchange
        case "P", "B", "D", "E", "C": .none
        default: .message
        }
    }

    private static func received(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { part in
                Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    // MARK: The server

    private func connected() -> Int32 {
        if server.host.hasPrefix("/") {
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let code = withLocalAddress("\(server.host)/.s.PGSQL.\(server.port)") {
                connect(descriptor, $0, $1)
            }
            return opened(descriptor, code)
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(server.host, "\(server.port)", &hints, &found) == 0, let place = found else {
            return -1
        }
        defer { freeaddrinfo(found) }
        let descriptor = Glibc.socket(place.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        return opened(descriptor, connect(descriptor, place.pointee.ai_addr, place.pointee.ai_addrlen))
    }

    private func opened(_ descriptor: Int32, _ code: Int32) -> Int32 {
        guard descriptor >= 0, code != 0 else { return descriptor }
        Glibc.close(descriptor)
        return -1
    }
}

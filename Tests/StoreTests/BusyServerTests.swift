import Glibc
import Support
import Testing

@testable import Store

/// A server over TCP that is alive and takes nothing more, as one that is busy does of a large statement.
@Suite("A server that takes nothing", .timeLimit(.minutes(10)))
struct BusyServerTests {
    /// More than every buffer on the way holds.
    private static let large = String(repeating: "a", count: 16 << 20)

    private static func run(
        _ configure: (inout StoreConfiguration) -> Void = { _ in },
        _ body: (Database, CuttableProxy) async throws -> Void
    ) async throws {
        let local = try await TestDatabase.empty()
        let options = ConnectionOptions.effective(local)
        let (folder, number) = (try #require(options["host"]), options["port"] ?? "5432")
        let port = try FreePorts.run(of: 1)
        let proxy = try CuttableProxy(port: port, to: .path("\(folder)/.s.PGSQL.\(number)"))
        defer { proxy.close() }
        let user = local.user.map { "\($0)@" } ?? ""
        var configuration = try StoreConfiguration(
            url: "postgresql://\(user)127.0.0.1:\(port)/\(options["dbname"] ?? "")?sslmode=disable")
        configuration.answerGrace = .milliseconds(20)
        configure(&configuration)
        let database = Database.test(configuration, connections: 1)
        try await database.script("SELECT 1")
        try await body(database, proxy)
        proxy.heal()
        await database.close()
    }

    private static func send(_ database: Database, within limit: Duration) async throws(StoreError) {
        try await database.withSession { session in
            session.connection.limitAnswers(to: limit)
            try session.script("SELECT length('\(large)')")
        }
    }

    @Test("has as long as a statement and its answer have, before TCP gives it up")
    func order() {
        let usual = StoreConfiguration(socketDirectory: "/", database: "x", user: "y")
        #expect(usual.unacknowledgedTimeout > usual.statementTimeout + usual.answerGrace)
        #expect(ConnectionOptions.effective(usual)["tcp_user_timeout"] == "15000")
    }

    @Test("is given up by TCP as the socket says, where nobody waits for it")
    func socketOptions() async throws {
        try await Self.run { database, _ in
            let found = try await database.withSession { session in
                [
                    (SOL_SOCKET, SO_KEEPALIVE), (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT),
                    (Int32(IPPROTO_TCP), TCP_KEEPIDLE), (Int32(IPPROTO_TCP), TCP_KEEPINTVL),
                    (Int32(IPPROTO_TCP), TCP_KEEPCNT),
                ].map { level, option in
                    var (value, size) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
                    getsockopt(session.connection.socket, level, option, &value, &size)
                    return value
                }
            }
            #expect(found == [1, 15_000, 5, 2, 3])
        }
    }

    @Test("is given up when the time of a statement is over, while TCP still waits")
    func bound() async throws {
        try await Self.run { database, proxy in
            proxy.cut()
            let error = await storeError { try await Self.send(database, within: .milliseconds(20)) }
            guard case .noAnswer = error, case .retry = error?.disposition else { throw Unexpected() }
        }
    }

    @Test("is given up by TCP before that only where a statement may take longer")
    func transport() async throws {
        try await Self.run {
            $0.unacknowledgedTimeout = .milliseconds(20)
        } _: { database, proxy in
            proxy.cut()
            let error = await storeError { try await Self.send(database, within: .seconds(3_600)) }
            guard case .connectionLost = error, case .retry = error?.disposition else { throw Unexpected() }
        }
    }

    @Test("may take its time: what it takes late is answered")
    func patience() async throws {
        try await Self.run { database, proxy in
            proxy.cut()
            async let sent: Void = Self.send(database, within: .seconds(3_600))
            try await eventually { database.statistics.busy == 1 }
            proxy.heal()
            try await sent
            #expect(database.statistics.connectionsLost == 0 && database.statistics.connects == 1)
        }
    }
}

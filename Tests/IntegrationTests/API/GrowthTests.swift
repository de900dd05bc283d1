import Foundation
import Store
import Support
import Testing
import Web

/// What a process holds and what lies in its database, after many that came and went.
@Suite("What comes and goes leaves nothing", .serialized, .timeLimit(.minutes(20)))
struct GrowthTests {
    private static let rounds = ProcessInfo.processInfo.environment["SOAK"] == "1" ? 10_000 : 300
    /// Before anything is measured: what is filled once, such as pools and what the allocator keeps.
    private static let warmUp = 100
    /// Connections of the database's pool, and of clients that are kept, which come with the load.
    private static let spare = 40
    /// What an allocator keeps more or less from one look to the next.
    private static let slack = 16_000_000

    @Test("in a gateway's memory, files and threads, and in its tables")
    func gateway() async throws {
        let server = try await CommandServer.start()
        let database = Database(configuration: server.database, logger: TestDatabase.logger)
        let visitor = Visitor(port: server.port, token: server.environment["BITPAL_TOKEN"] ?? "")
        let process = server.running.gateway
        for number in 0..<Self.warmUp { try await visitor.come(number) }
        let rows = try await database.rows(TableRows())
        let (memory, before) = (try process.residentBytes(), try process.holdings())
        for number in 0..<Self.rounds { try await visitor.come(Self.warmUp + number) }
        // The last ones are noticed a moment after they have gone.
        try await eventuallyNothing {
            let now = try process.holdings()
            let isFine = now.files <= before.files + Self.spare && now.threads <= before.threads + Self.spare
            return isFine ? nil : "\(before) became \(now)"
        }
        let grown = try process.residentBytes() - memory
        #expect(grown < Self.slack, "\(grown) bytes in \(Self.rounds) rounds")
        #expect(try await database.rows(TableRows()) == rows)
        // What was there at first is there: rounds in which nothing was done prove nothing.
        #expect(visitor.done == Self.warmUp + Self.rounds)
        await database.close()
        #expect(await server.stop() == 0, "\(process.errors.suffix(2_000))")
    }
}

/// Somebody who does all that leaves something behind for a while, and takes it back or just goes.
private final class Visitor {
    private let port: UInt16
    private let client = HTTPClient()
    private let token: String
    private(set) var done = 0

    init(port: UInt16, token: String) { (self.port, self.token) = (port, token) }

    func come(_ number: Int) async throws {
        try await keep(number)
        try await fail(number)
        try look(number)
        done += 1
    }

    private func ask(
        _ method: String, _ path: String, token: String, _ json: String? = nil
    ) async throws -> HTTPResponse {
        try await client.send(
            method, "http://127.0.0.1:\(port)\(path)",
            headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
            body: json.map { Array($0.utf8) }, timeout: .seconds(60))
    }

    /// Makes something and removes it.
    private func keep(_ number: Int) async throws {
        let made = try await ask("POST", "/v1/watchlists", token: token, #"{"name":"Round \#(number)"}"#)
        let place = try #require(made.header("location"), "\(made.status)")
        #expect(try await ask("DELETE", place, token: token).status == 204)
    }

    /// Asks for what is not there, by other names each time, and with tokens that are none.
    private func fail(_ number: Int) async throws {
        let refusals = [
            try await ask("GET", "/v1/tickers/kraken:ROUND\(number)", token: token),
            try await ask("POST", "/v1/watchlists", token: token, #"{"name":\#(number)}"#),
            try await ask("GET", "/v1/watchlists", token: "\(token)\(number)"),
        ].map(\.status)
        #expect(refusals.allSatisfy { (400..<500).contains($0) && $0 != 429 }, "\(refusals)")
    }

    /// Hears what there is by both kinds of stream, and goes without a word.
    private func look(_ number: Int) throws {
        let socket = try RawSocket(port: port)
        try socket.ask(
            "/v1/stream",
            headers: [
                "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ])
        try socket.read(until: "HTTP/1.1 101")
        let subscriptions = ["ticker", "book", "trades"].enumerated().map { place, channel in
            #"{"op":"subscribe","id":"\#(place)","channel":"\#(channel)","key":"kraken:ROUND\#(number)"}"#
        }
        for text in subscriptions + [#"{"op":"ping"}"#] {
            // A text frame, masked with nothing.
            try socket.send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8))
        }
        try socket.read(until: #""type":"pong""#)
        let events = try RawSocket(port: port)
        try events.ask("/v1/events?channel=trending&key=")
        try events.read(until: "HTTP/1.1 200")
        for one in [socket, events] { one.endsWithReset() }
    }
}

/// How many rows each table has that does not grow by itself.
private struct TableRows: Statement {
    static let sql = """
        SELECT format('%I.%I', schemaname, relname), (xpath('/row/count/text()', query_to_xml(
            format('SELECT count(*) FROM %I.%I', schemaname, relname), false, true, '')))[1]::text::bigint
        FROM pg_catalog.pg_stat_user_tables ORDER BY 1
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> Rows {
        Rows(table: try row.text(), count: try row.int64())
    }

    struct Rows: Hashable, Sendable {
        var table: String
        var count: Int64
    }
}

extension ChildProcess {
    /// Open files and threads.
    fileprivate func holdings() throws -> (files: Int, threads: Int) {
        func count(_ folder: String) throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/\(folder)").count
        }
        return (try count("fd"), try count("task"))
    }
}

import Instruments
import NIOCore
import NIOPosix
import PortfolioStore
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Readers who take next to nothing", .timeLimit(.minutes(10)))
struct SlowReaderTests {
    private static let rows = 8_000

    /// Asks, says with which status the answer began, and takes no more of it until it is cancelled.
    static func hold(
        _ client: TestClient, _ path: String, _ held: AsyncStream<Int>.Continuation
    ) async throws {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.socketOption(.so_rcvbuf), value: 4_096)
            .connect(host: "127.0.0.1", port: client.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        var head = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(client.port)\r\n"
        for (name, value) in client.headers { head += "\(name): \(value)\r\n" }
        let request = ByteBuffer(string: head + "\r\n")
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            var parts = inbound.makeAsyncIterator()
            let words = try await parts.next().map { String(buffer: $0).split(separator: " ") } ?? []
            held.yield(words.count > 1 ? Int(words[1]) ?? 0 : 0)
            let (forever, end) = AsyncStream.makeStream(of: Void.self)
            for await _ in forever {}
            end.finish()
        }
    }

    /// Somebody with a small portfolio, by its path, and with one that no buffer of a connection holds.
    static func hoarder(_ fixture: AccountGatewayFixture) async throws -> (TestClient, String) {
        let client = try fixture.client(try await fixture.signUp("ann@example.org"))
        var paths: [String] = []
        for name in ["Small", "Large"] {
            let id = try await client.make("/v1/portfolios", #"{"name":"\#(name)"}"#)
            paths.append("/v1/portfolios/\(id)")
            _ = try await client.ask("POST", "\(paths.last ?? "")/wallets", json: #"{"name":"Cold"}"#)
        }
        let (count, note) = (Int64(rows), String(repeating: "x", count: 4_000))
        try await fixture.database.execute(
            """
            INSERT INTO portfolio.revision
                (portfolio_id, number, revision, change, time, kind, wallet, asset, amount, external_id,
                note, tags, price_source, lots)
            SELECT portfolio_id, number, 1, 1, number, 'deposit', 'Cold', 'USD', 1, '', \(note), '{}', '',
                '{}'
            FROM portfolio.portfolio, generate_series(1, \(count)) AS numbered (number)
            WHERE name = 'Large'
            """)
        return (client, paths[0])
    }

    @Test("of 64 exports, who hold every connection of such work, keep nobody from signing in")
    func signIn() async throws {
        try await AccountGatewayFixture.run {
            ($0.pools.slowConnections, $0.pools.readerTimeout) = (1, .seconds(3_600))
        } connect: {
            $0.maximumConnections = 1
        } _: { fixture async throws in
            let (client, path) = try await Self.hoarder(fixture)
            let slow = fixture.fixture.services.slow
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (statuses, held) = AsyncStream.makeStream(of: Int.self)
                var status = statuses.makeAsyncIterator()
                for _ in 0..<63 { group.addTask { try await Self.hold(client, "\(path)/export", held) } }
                var told: [Int] = []
                for _ in 0..<63 { told.append(try #require(await status.next())) }
                // One after the other, and some in line; the rest is to come again.
                #expect(told.allSatisfy { $0 == 200 || $0 == 429 } && told.count { $0 == 200 } >= 33)
                group.addTask { try await Self.hold(client, "/v1/account/export", held) }
                #expect(await status.next() == 200)
                try await eventually { slow.statistics.busy == 1 }
                for _ in 0..<3 { #expect(try await fixture.signIn("ann@example.org").status == 200) }
                #expect(try await client.get("/v1/account").status == 200)
                #expect(slow.statistics.busy == 1, "the export is over: it was too short to hold anything")
                group.cancelAll()
            }
            try await eventually { slow.statistics.busy == 0 }
            try await eventually { fixture.accountService?.exports.ended.isEmpty == false }
            #expect(fixture.accountService?.exports.ended == ["closed": 1])
        }
    }

    @Test("of an export leave imports no connection but that of reports, until they go")
    func imports() async throws {
        try await AccountGatewayFixture.run {
            ($0.pools.slowConnections, $0.pools.readerTimeout) = (2, .seconds(3_600))
        } _: { fixture async throws in
            let (client, path) = try await Self.hoarder(fixture)
            let row = #"2026-01-03T00:00:00Z,deposit,Cold,USD,7\n"#
            let file = #"{"format":"csv","text":"time,kind,wallet,asset,amount\n\#(row)"}"#
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (statuses, held) = AsyncStream.makeStream(of: Int.self)
                var status = statuses.makeAsyncIterator()
                group.addTask { try await Self.hold(client, "/v1/account/export", held) }
                #expect(await status.next() == 200)
                for route in ["import", "import/preview"] {
                    let refused = try await client.ask("POST", "\(path)/\(route)", json: file)
                    #expect(refused.status == 429, "\(route): \(refused.text)")
                }
                #expect(try await client.get("\(path)/ledger").status == 200)
                group.cancelAll()
            }
            // Each gives its place back: there is one.
            for route in ["import/preview", "import", "import/preview", "import"] {
                try await eventually {
                    try await client.ask("POST", "\(path)/\(route)", json: file).status != 429
                }
            }
        }
    }

    @Test("of an export are given up when their time is over, counted with the reason")
    func deadline() async throws {
        for (reader, whole, reason) in [
            (Duration.milliseconds(1), Duration.seconds(3_600), "stalled"),
            (.seconds(3_600), .milliseconds(1), "overdue"),
        ] {
            try await AccountGatewayFixture.run {
                $0.pools.slowConnections = 1
                ($0.pools.readerTimeout, $0.pools.exportTimeout) = (reader, whole)
            } _: { fixture async throws in
                let (client, _) = try await Self.hoarder(fixture)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let (_, held) = AsyncStream.makeStream(of: Int.self)
                    group.addTask { try await Self.hold(client, "/v1/account/export", held) }
                    try await eventually { fixture.accountService?.exports.ended == [reason: 1] }
                    try await eventually { fixture.fixture.services.slow.statistics.busy == 0 }
                    group.cancelAll()
                }
            }
        }
    }
}

import AccountStore
import Bus
import Instruments
import JSON
import Store
import Support
import Synchronization
import Testing

@testable import GatewayAPI
@testable import GatewayStream

@Suite("Who may use the stream", .timeLimit(.minutes(10)))
struct StreamAccessTests {
    private static let list = UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0077)

    private static func subscribe(_ channel: String, _ key: String) -> String {
        "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"\(channel)\",\"key\":\"\(key)\"}"
    }

    private static func code(_ message: JSONObject) -> JSONValue? {
        guard case .object(let problem)? = message["problem"] else { return nil }
        return problem["code"]
    }

    /// The word and number of the answer to a handshake.
    private static func status(_ fixture: StreamFixture, _ headers: [(String, String)]) async throws -> String
    {
        try await StreamClient.run(port: fixture.port, headers: headers) { _, head async throws in
            String(head.split(separator: " ")[1])
        }
    }

    @Test("lets pages of its own connect, programs, and no page of another site")
    func origins() async throws {
        try await StreamFixture.run { fixture async throws in
            for (origin, status) in [
                ("https://bitpal.example", "101"), ("http://127.0.0.1:\(fixture.port)", "101"),
                ("https://evil.example", "403"), ("https://bitpal.example.evil.example", "403"),
                ("http://bitpal.example", "403"), ("null", "403"), ("http://127.0.0.1:1", "403"),
            ] {
                #expect(try await Self.status(fixture, [("Origin", origin)]) == status, "\(origin)")
            }
            #expect(try await Self.status(fixture, []) == "101")
            let twice = [("Origin", "https://bitpal.example"), ("Origin", "https://evil.example")]
            #expect(try await Self.status(fixture, twice) == "403")
        }
    }

    @Test("answers what is no handshake as HTTP, with a problem")
    func handshake() async throws {
        try await StreamFixture.run { fixture async throws in
            let client = TestClient(port: fixture.port)
            #expect(try await client.get("/v1/stream").problem == "bad-request")
            #expect(try await Self.status(fixture, [("Sec-WebSocket-Version", "8")]) == "422")
            #expect(try await Self.status(fixture, [("Sec-WebSocket-Key", "short")]) == "422")
            #expect(try await Self.status(fixture, [("Upgrade", "h2c")]) == "400")
            #expect(try await Self.status(fixture, [("Authorization", "Bearer nobody")]) == "401")
            #expect(try await Self.status(fixture, [("Authorization", "Bearer alice")]) == "101")
            // The protocol's own example (RFC 6455, section 1.3).
            #expect(StreamHandshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        }
    }

    @Test("takes a token in a message, once, and closes on a wrong one")
    func authenticate() async throws {
        try await StreamFixture.run(isPublic: false) { fixture async throws in
            try await fixture.connect { client in
                try await client.send(Self.subscribe("ticker", "a:b"))
                #expect(Self.code(try await client.message()) == .string("unauthenticated"))
                try await client.send("{\"op\":\"authenticate\",\"token\":\"alice\"}")
                #expect(try await client.message()["type"] == .string("authenticated"))
                try await client.send(Self.subscribe("ticker", "a:b"))
                #expect(try await client.message()["type"] == .string("subscribed"))
                try await client.send("{\"op\":\"authenticate\",\"token\":\"bob\"}")
                #expect(Self.code(try await client.message()) == .string("conflict"))
                try await client.send(Self.subscribe("status", ""))
                #expect(Self.code(try await client.message()) == .string("conflict"))
                try await client.send("{\"op\":\"unsubscribe\",\"id\":\"a\"}")
                #expect(try await client.message()["type"] == .string("unsubscribed"))
                try await client.send(Self.subscribe("status", ""))
                #expect(Self.code(try await client.message()) == .string("forbidden"))
            }
            try await fixture.connect { client in
                try await client.send("{\"op\":\"authenticate\",\"token\":\"eve\"}")
                #expect(Self.code(try await client.message()) == .string("unauthenticated"))
                #expect(try await client.closing().0 == 1008)
            }
        }
    }

    @Test("shows a watchlist to its owner alone, with what changes in it, also its entries")
    func watchlist() async throws {
        let ether = InstrumentID(venue: Venue(rawValue: "bitmex"), symbol: "ETHUSD")
        let entries = Mutex([StreamFixture.bitcoin])
        var sources = StreamSources()
        sources.watchlist = { user, id in
            guard user == StreamFixture.alice.user, id == Self.list else { return nil }
            return StreamSources.Watched(name: "mine", instruments: entries.withLock { $0 })
        }
        try await StreamFixture.run(sources: sources) { fixture async throws in
            try await fixture.connect([("Authorization", "Bearer bob")]) { client in
                for key in [Self.list.description, "nonsense"] {
                    try await client.send(Self.subscribe("watchlist", key))
                    #expect(Self.code(try await client.message()) == .string("not-found"))
                }
            }
            try await fixture.connect([("Authorization", "Bearer alice")]) { client in
                try await client.send(Self.subscribe("watchlist", Self.list.description))
                #expect(try await client.message()["type"] == .string("subscribed"))
                let snapshot = try await client.message()
                #expect(snapshot["type"] == .string("snapshot"))
                #expect(Self.instruments(snapshot) == [StreamFixture.bitcoin.description])
                try fixture.say(price: 100)
                let change = try await client.message()
                #expect(change["type"] == .string("change"))
                #expect(Self.instruments(change) == [StreamFixture.bitcoin.description])
                entries.withLock { $0 = [ether, StreamFixture.bitcoin] }
                await fixture.hub.noteWatchlist(Self.list, of: StreamFixture.alice.user)
                let anew = try await client.message()
                #expect(anew["type"] == .string("snapshot") && anew["epoch"] != snapshot["epoch"])
                #expect(Self.instruments(anew) == [ether.description, StreamFixture.bitcoin.description])
            }
        }
    }

    private static func instruments(_ message: JSONObject) -> [String] {
        guard case .object(let data)? = message["data"], case .array(let entries)? = data["entries"] else {
            return []
        }
        return entries.compactMap { entry in
            guard case .object(let members) = entry, case .string(let name)? = members["instrument"] else {
                return nil
            }
            return name
        }
    }

    @Test("ends the connections of whoever is signed out at once, and no others")
    func revocation() async throws {
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect([("Authorization", "Bearer bob")]) { bob in
                try await fixture.connect([("Authorization", "Bearer alice")]) { alice in
                    guard case .token(let id) = StreamFixture.alice.credential else { return }
                    fixture.hub.end(.token(id))
                    let (code, reason) = try await alice.closing()
                    #expect(code == 1008 && reason == "signed out")
                }
                await fixture.hub.recheck { $0 != StreamFixture.alice }
                try await bob.send("{\"op\":\"ping\"}")
                #expect(try await bob.message()["type"] == .string("pong"))
                await fixture.hub.recheck { $0 != StreamFixture.bob }
                #expect(try await bob.closing().0 == 1008)
            }
        }
    }

    @Test("ends the connections of a token that is over, though nobody says so")
    func expiry() async throws {
        try await StreamFixture.run { fixture async throws in
            let watch = RevocationWatch(
                hub: fixture.hub, database: fixture.database, clock: { BusClock.wall() },
                interval: .milliseconds(20))
            try await serving([watch]) {
                // Neither token is one of the database. The first may be found at the start, the second not.
                for token in ["bob", "alice"] {
                    try await fixture.connect([("Authorization", "Bearer \(token)")]) { client in
                        let (code, reason) = try await client.closing()
                        #expect(code == 1008 && reason == "signed out")
                    }
                }
            }
        }
    }

    @Test("says goodbye when the server stops")
    func farewell() async throws {
        let (connected, signal) = AsyncStream.makeStream(of: Void.self)
        let closing = Mutex<Task<UInt16?, any Error>?>(nil)
        try await StreamFixture.run { fixture async throws in
            closing.withLock { closing in
                closing = Task {
                    try await fixture.connect { client in
                        try await client.send("{\"op\":\"ping\"}")
                        _ = try await client.message()
                        signal.yield()
                        return try await client.closing().0
                    }
                }
            }
            for await _ in connected { break }
        }
        #expect(try await closing.withLock { $0 }?.value == 1001)
    }
}

import AccountStore
import Accounts
import Bus
import Credentials
import Hosting
import Instruments
import JSON
import Operations
import ServiceLifecycle
import Store
import Support
import Testing
import Wire

@testable import GatewayAPI
@testable import GatewayFrame

/// Two gateways on one database and one bus, as behind a load balancer that sends each request anywhere.
@Suite("Several gateways", .timeLimit(.minutes(10)))
struct SeveralGatewaysTests {
    private static let instrument = GatewayBus.bitcoin

    /// Adds accounts whose passwords cost little, and the stream; what is to run beside the server.
    private static func complete(_ gateway: inout Gateway) -> [any Service] {
        if let accountService = try? AccountService(gateway.services) { gateway.useAccounts(accountService) }
        return gateway.addStream(gateway.services.market)
    }

    /// Runs `body` with the fixture and who asks one gateway and the other.
    ///
    /// With `apart`, the first one's machine is so many seconds ahead of PostgreSQL's, and the second one's
    /// behind.
    private static func run(
        apart seconds: Int64 = 0, _ body: (GatewayFixture, TestClient, TestClient) async throws -> Void
    ) async throws {
        let key = try TestDatabase.temporaryDirectory() + "/key"
        try await GatewayFixture.run {
            $0.accounts.hashing = HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 64)
            $0.accounts.keyFile = key
        } assemble: { gateway in
            complete(&gateway)
        } _: { first async throws in
            try await another("test0001", beside: first, ahead: -seconds) { second async throws in
                guard seconds != 0 else { return try await body(first, first.client.sameSite, second) }
                // The fixture's own goes by the machine's clock, whatever that is.
                try await another("test0002", beside: first, ahead: seconds) { third async throws in
                    try await body(first, third, second)
                }
            }
        }
    }

    /// Runs one more gateway on the same database and bus, whose machine's clock is wrong.
    private static func another(
        _ instance: String, beside first: GatewayFixture, ahead seconds: Int64,
        _ body: (TestClient) async throws -> Void
    ) async throws {
        var frame = first.services.frame
        (frame.instance, frame.health) = (instance, HealthRegistry())
        if seconds != 0 {
            let clock = DatabaseClock(frame.database, logger: TestDatabase.logger) {
                BusClock.wall().adding(nanoseconds: seconds * 1_000_000_000)
            }
            try await eventually { await clock.look() }
            frame = frame.timed(by: clock)
        }
        var gateway = Gateway(try GatewayServices(first.services.configuration, in: frame))
        let running = complete(&gateway)
        let server = try gateway.server(setting: "BITPAL_GATEWAY_ADDRESS")
        try await serving(running + [server]) {
            try await body(TestClient(port: try await server.bound().port).sameSite)
        }
    }

    /// Signs somebody up at one; the header that says who it is to any.
    private static func session(
        at client: TestClient, _ email: String = "ann@example.org"
    ) async throws -> (String, String) {
        let made = try await client.ask(
            "POST", "/v1/auth/sign-up",
            json: #"{"email":"\#(email)","password":"vacuum trombone quilt"}"#)
        guard let cookie = made.header("set-cookie")?.split(separator: ";").first else {
            throw PropertyFailure("no cookie: \(made.status) \(made.text)")
        }
        return ("Cookie", String(cookie))
    }

    @Test("know each other's sessions, and when they are over")
    func sessions() async throws {
        try await Self.run { _, one, other async throws in
            let cookie = try await Self.session(at: one)
            #expect(
                try await other.get("/v1/account", headers: [cookie]).text("user.email") == "ann@example.org")
            #expect(try await other.ask("POST", "/v1/auth/sign-out", headers: [cookie]).status < 300)
            for client in [one, other] {
                #expect(try await client.get("/v1/account", headers: [cookie]).status == 401)
            }
        }
    }

    @Test("know sessions and idempotency keys of each other though their clocks are hours apart")
    func clocks() async throws {
        // More than a session may be idle.
        try await Self.run(apart: 2 * 3_600) { _, ahead, behind async throws in
            for (one, other) in [(ahead, behind), (behind, ahead)] {
                let email = "ann\(one.port)@example.org"
                let cookie = try await Self.session(at: one, email)
                #expect(try await one.get("/v1/account", headers: [cookie]).text("user.email") == email)
                #expect(try await other.get("/v1/account", headers: [cookie]).text("user.email") == email)
                let headers = [cookie, ("Idempotency-Key", "list-1")]
                let made = try await one.ask("POST", "/v1/watchlists", headers: headers, json: Self.list)
                let again = try await other.ask("POST", "/v1/watchlists", headers: headers, json: Self.list)
                #expect(made.status == 201 && again.header("idempotency-replayed") == "true", "\(again.text)")
            }
        }
    }

    private static let list = #"{"name":"Home"}"#

    @Test("end the streams of a session that is signed out at the other, and no others")
    func revocation() async throws {
        try await Self.run { _, one, other async throws in
            let cookie = try await Self.session(at: one)
            let origin = ("Origin", "http://127.0.0.1:\(other.port)")
            try await StreamClient.run(port: other.port) { nobody, _ async throws in
                try await StreamClient.run(port: other.port, headers: [cookie, origin]) {
                    socket, head async throws in
                    #expect(head.hasPrefix("HTTP/1.1 101"), "\(head)")
                    // Alerts are told to who is signed in alone.
                    try await socket.send(#"{"op":"subscribe","id":"a","channel":"alerts","key":""}"#)
                    #expect(try await socket.message()["type"] == .string("subscribed"))
                    let end = try await one.ask(
                        "POST", "/v1/auth/sign-out-everywhere", headers: [cookie])
                    #expect(end.status == 204, "\(end.text)")
                    let (code, reason) = try await socket.closing()
                    #expect(code == 1008 && reason == "signed out")
                }
                try await nobody.send(#"{"op":"ping"}"#)
                #expect(try await nobody.message()["type"] == .string("pong"))
            }
        }
    }

    @Test("do once what is asked of both under one idempotency key")
    func idempotency() async throws {
        try await Self.run { _, one, other async throws in
            let headers = [try await Self.session(at: one), ("Idempotency-Key", "list-1")]
            let path = "/v1/watchlists"
            let first = try await one.ask("POST", path, headers: headers, json: #"{"name":"Home"}"#)
            let again = try await other.ask("POST", path, headers: headers, json: #"{"name":"Home"}"#)
            #expect(first.status == 201 && again.status == 201)
            #expect(again.header("idempotency-replayed") == "true")
            #expect(first.text == again.text)
            #expect(try await other.get(path, headers: headers).count() == 1)
            let changed = try await other.ask("POST", path, headers: headers, json: #"{"name":"Work"}"#)
            #expect(changed.problem == "idempotency-mismatch")
        }
    }

    @Test("take over each other's streams: whoever resumes at the other has the newest at once")
    func stream() async throws {
        try await Self.run { first, one, other async throws in
            let publisher = try first.services.frame.publisher("feed")
            try await serving([publisher]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                func say(_ price: Int64) throws {
                    var day = Bitpal_V1_DayTicker()
                    day.lastPrice = price
                    var batch = OutboundBatch()
                    batch.append(
                        .dayTicker(Self.instrument, day),
                        to: try publisher.topic(Topic.dayTicker(Self.instrument)))
                    publisher.offer(&batch)
                }
                func last(_ client: TestClient) async throws -> String? {
                    try await client.get("/v1/tickers/\(Self.instrument.venue):\(Self.instrument.symbol)")
                        .text("last")
                }
                try say(100)
                let name = "\(Self.instrument)"
                let place = try await StreamClient.run(port: one.port) { client, _ in
                    try await client.send(Self.subscribe(name, ""))
                    while true {
                        let message = try await client.message()
                        if message["type"] == .string("snapshot") {
                            return (message["epoch"], message["sequence"])
                        }
                    }
                }
                guard case (.number(let epoch)?, .number(let sequence)?) = place else {
                    throw PropertyFailure("\(place)")
                }
                try say(200)
                try await eventually { try await last(other) == "200" }
                try await StreamClient.run(port: other.port) { client, _ in
                    let after = #","after":{"epoch":\#(epoch),"sequence":\#(sequence)}"#
                    try await client.send(Self.subscribe(name, after))
                    #expect(try await client.message()["type"] == .string("subscribed"))
                    // The other numbers its own way, and says so.
                    let anew = try await client.message()
                    #expect(anew["type"] == .string("snapshot") && anew["epoch"] != place.0)
                    guard case .object(let data)? = anew["data"] else { throw PropertyFailure("\(anew)") }
                    #expect(data["last"] == .string("200"))
                }
            }
        }
    }

    private static func subscribe(_ key: String, _ after: String) -> String {
        #"{"op":"subscribe","id":"t","channel":"ticker","key":"\#(key)"\#(after)}"#
    }
}

extension TestClient {
    /// The same, asking as the gateway's own page does.
    fileprivate var sameSite: TestClient {
        var client = self
        client.headers = [("Sec-Fetch-Site", "same-origin")]
        return client
    }
}

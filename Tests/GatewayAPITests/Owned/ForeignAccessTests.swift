import AccountStore
import Accounts
import Bus
import HTTPTypes
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import Store

/// Walks the list of all routes: none shows or changes what is another user's.
@Suite("Other people's things", .timeLimit(.minutes(10)))
struct ForeignAccessTests {
    /// Routes with a name in their path that is nobody's secret: the market, links that open by themselves.
    private static let everybodys = [
        "/v1/instruments/", "/v1/tickers/", "/v1/quote/", "/v1/books/", "/v1/trades/", "/v1/candles/",
        "/v1/index/", "/v1/coins/", "/v1/icons/",
        "/v1/indicators/", "/v1/venues/", "/v1/shared/", "/shared/", "/app/", "/problems/",
        // Of operators alone, whoever the user is.
        "/v1/operator/",
    ]
    private static let transaction = """
        {"time":"2026-01-02T00:00:00Z","kind":"deposit","wallet":"Cold","asset":"USD","amount":"5"}
        """
    private static let file =
        #"{"format":"csv","text":"time,kind,wallet,asset,amount\n2026-01-03T00:00:00Z,deposit,Cold,USD,7\n"}"#
    /// What routes that read a body are sent, so that nothing but the owner is wrong.
    private static let bodies = [
        "PATCH /v1/watchlists/{id}": #"{"name":"Taken"}"#,
        "POST /v1/watchlists/{id}/entries": #"{"instrument":"kraken:BTC/USD"}"#,
        "POST /v1/watchlists/{id}/entries/bulk": #"{"instruments":["kraken:BTC/USD"],"action":"add"}"#,
        "PUT /v1/watchlists/{id}/order": #"{"instruments":["kraken:BTC/USD"]}"#,
        "PATCH /v1/alerts/{id}": #"{"note":"taken"}"#,
        "PATCH /v1/channels/{id}": #"{"enabled":false}"#,
        "POST /v1/channels/{id}/confirm": #"{"code":"12345678"}"#,
        "PATCH /v1/portfolios/{id}": #"{"name":"Taken"}"#,
        "POST /v1/portfolios/{id}/wallets": #"{"name":"Warm"}"#,
        "POST /v1/portfolios/{id}/transactions": transaction,
        "PUT /v1/portfolios/{id}/transactions/{number}": transaction,
        "POST /v1/portfolios/{id}/transactions/bulk": #"{"numbers":[2],"action":"remove"}"#,
        "POST /v1/portfolios/{id}/import": file,
        "POST /v1/portfolios/{id}/import/preview": file,
        "PUT /v1/portfolios/{id}/lots/settings": #"{"settings":[{"method":"hifo"}]}"#,
        "PUT /v1/portfolios/{id}/targets": #"{"targets":[{"asset":"BTC","share":"0.5"}]}"#,
        "POST /v1/portfolios/{id}/what-if": #"{"transactions":[\#(transaction)]}"#,
        "POST /v1/portfolios/{id}/shares": #"{"days":3}"#,
    ]

    /// What of the two layers is there.
    enum Layers: CaseIterable, Sendable {
        case both
        /// Every statement forgot whose things are.
        case rowSecurity
        /// And nothing holds them back: shows that statements did forget, and each by itself.
        case none
    }

    @Test(
        "are not found, by any route, also when every statement forgot whose they are, but with no layer",
        arguments: Layers.allCases)
    func notFound(layers: Layers) async throws {
        let isCareless = layers != .both
        try await TwoUserFixture.run(connect: { store in
            if isCareless { store.rewriting = { OwnerPredicate.removed(from: $0) } }
        }) { fixture, ann, ben in
            var things = try await Self.fill(ben)
            try await things.merge(Self.signIns(fixture)) { own, _ in own }
            _ = try await Self.fill(ann)
            if layers == .none { return try await Self.asThief(fixture, things, ann) }
            let before = try await Self.look(ben)
            var tried = 0
            for route in try Self.names(fixture) where route.path.contains("{") {
                if Self.everybodys.contains(where: { route.path.hasPrefix($0) }) { continue }
                guard let path = Self.path(route.path, things) else {
                    Issue.record(
                        "\(route.method) \(route.path) is covered by no test: name an object of Ben's")
                    continue
                }
                let name = "\(route.method) \(route.path)"
                let answer = try await ann.ask("\(route.method)", path, json: Self.bodies[name])
                #expect(answer.status == 404, "\(name) gave \(answer.status) \(answer.text)")
                #expect(answer.problem == "not-found", "\(name)")
                tried += 1
            }
            #expect(tried > 40)
            try await Self.inBodies(things, ann)
            #expect(try await Self.look(ben) == before)
            if !isCareless { try await Self.asOwner(fixture, things, ben) }
        }
    }

    /// Ids in bodies and filters are no other way.
    private static func inBodies(_ things: [String: String], _ ann: TestClient) async throws {
        let alert = things["/v1/alerts/{id}"] ?? ""
        let bulk = try await ann.ask(
            "POST", "/v1/alerts/bulk", json: #"{"ids":["\#(alert)"],"action":"delete"}"#)
        #expect(bulk.status == 404)
        #expect(try await ann.get("/v1/firings?rule=\(alert)").count() == 0)
        #expect(try await ann.get("/v1/deliveries?channel=ben's").count() == 0)
    }

    /// The same questions by their owner find something, so that the others were about something.
    private static func asOwner(_ fixture: GatewayFixture, _ things: [String: String], _ ben: TestClient)
        async throws
    {
        for route in ordered(try names(fixture)) where route.path.contains("{") {
            if everybodys.contains(where: { route.path.hasPrefix($0) }) { continue }
            guard let path = path(route.path, things) else { continue }
            let name = "\(route.method) \(route.path)"
            let answer = try await ben.ask("\(route.method)", path, json: bodies[name])
            #expect(
                answer.status != 404 && answer.status < 500, "\(name) gave \(answer.status) \(answer.text)")
        }
    }

    /// Without row-level security, what forgot whose things are finds Ben's for Ann.
    private static func asThief(_ fixture: GatewayFixture, _ things: [String: String], _ ann: TestClient)
        async throws
    {
        try await fixture.services.database.disableRowSecurity()
        for route in ordered(try names(fixture)) where route.path.contains("{") {
            if everybodys.contains(where: { route.path.hasPrefix($0) }) { continue }
            guard let path = path(route.path, things) else { continue }
            let name = "\(route.method) \(route.path)"
            let answer = try await ann.ask("\(route.method)", path, json: bodies[name])
            #expect(answer.status != 404, "\(name) still asks whose it is: \(answer.text)")
        }
    }

    /// What removes comes last, the inner before the outer.
    private static func ordered(_ names: [RouteTable.Name]) -> [RouteTable.Name] {
        names.filter { $0.method != .delete }
            + names.filter { $0.method == .delete }.sorted { $0.path.count > $1.path.count }
    }

    /// All routes, those of accounts among them.
    private static func names(_ fixture: GatewayFixture) throws -> [RouteTable.Name] {
        var gateway = Gateway(fixture.services)
        gateway.accounts = try AccountService(fixture.services)
        return gateway.routes().names
    }

    /// How Ben signs in.
    private static func signIns(_ fixture: GatewayFixture) async throws -> [String: String] {
        let ids = (1...3).map { UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0C00 | $0) }
        try await fixture.services.database.transaction { session in
            try session.openSession(
                ids[0], digest: [UInt8](repeating: 1, count: 32), of: TwoUserFixture.ben, client: "",
                agent: "",
                at: BusClock.wall())
            try session.addToken(
                StoredToken(
                    id: ids[1], user: TwoUserFixture.ben, name: "script", scopes: [.marketRead],
                    created: TwoUserFixture.now),
                digest: [UInt8](repeating: 2, count: 32))
            try session.addPasskey(
                StoredPasskey(
                    id: ids[2], user: TwoUserFixture.ben, credential: [1], publicKey: [2], counter: 0,
                    name: "key",
                    created: TwoUserFixture.now))
        }
        return [
            "/v1/account/sessions/{id}": "\(ids[0])", "/v1/account/tokens/{id}": "\(ids[1])",
            "/v1/account/passkeys/{id}": "\(ids[2])",
        ]
    }

    /// One thing of each kind, by the path that names it.
    static func fill(_ client: TestClient) async throws -> [String: String] {
        var things: [String: String] = [:]
        let list = try await client.make("/v1/watchlists", #"{"name":"Mine"}"#)
        let added = try await client.ask(
            "POST", "/v1/watchlists/\(list)/entries", json: #"{"instrument":"kraken:BTC/USD"}"#)
        #expect(added.status == 201, "\(added.text)")
        things["/v1/watchlists/{id}"] = list
        let channel = try await client.make(
            "/v1/channels", #"{"kind":"webhook","name":"mine","settings":{"url":"https://example.com/a"}}"#)
        things["/v1/channels/{id}"] = channel
        let token = String(repeating: "0a", count: 32)
        things["/v1/account/devices/{id}"] = try await client.make(
            "/v1/account/devices",
            #"{"kind":"apns","bundle":"app.bitpal","device":"\#(token)","environment":"sandbox"}"#)
        let alert = try await client.make(
            "/v1/alerts",
            #"{"instrument":"kraken:BTC/USD","condition":{"price":"last","crosses":"above","level":"61000"}}"#
        )
        things["/v1/alerts/{id}"] = alert
        things["/v1/deliveries/{id}"] = try await client.make("/v1/channels/\(channel)/test", "{}")
        let fired = try await client.ask("POST", "/v1/alerts/\(alert)/test-fire")
        #expect(fired.status == 202, "\(fired.text)")
        let portfolio = try await client.make("/v1/portfolios", #"{"name":"Main"}"#)
        things["/v1/portfolios/{id}"] = portfolio
        let wallet = try await client.ask(
            "POST", "/v1/portfolios/\(portfolio)/wallets", json: #"{"name":"Cold"}"#)
        #expect(wallet.status == 201, "\(wallet.text)")
        things["{number}"] = try await client.make("/v1/portfolios/\(portfolio)/transactions", transaction)
        // For what removes several: a path names the first.
        _ = try await client.make("/v1/portfolios/\(portfolio)/transactions", transaction)
        things["{share}"] = try await client.make("/v1/portfolios/\(portfolio)/shares", #"{"days":3}"#)
        things["{instrument}"] = "kraken:BTC%2FUSD"
        return things
    }

    /// Everything that somebody has.
    static func look(_ client: TestClient) async throws -> [String] {
        var all: [String] = []
        for path in [
            "/v1/watchlists", "/v1/alerts", "/v1/channels", "/v1/deliveries", "/v1/firings", "/v1/portfolios",
        ] {
            all.append(try await client.get(path).text)
        }
        return all
    }

    /// A route's path with somebody's things in it; `nil` when one is not known.
    private static func path(_ pattern: String, _ things: [String: String]) -> String? {
        guard
            let family = things.keys.first(where: { $0.hasPrefix("/") && (pattern + "/").hasPrefix($0 + "/") }
            ),
            let id = things[family]
        else { return nil }
        var path = family.replacing("{id}", with: id) + pattern.dropFirst(family.count)
        for name in ["{number}", "{share}", "{instrument}"] {
            if let thing = things[name] { path = path.replacing(name, with: thing) }
        }
        return path.contains("{") ? nil : path
    }
}

extension Database {
    /// Takes the second layer away from every table.
    func disableRowSecurity() async throws {
        try await withSession { session in
            try session.script(
                """
                DO $$ DECLARE name text; BEGIN
                    FOR name IN SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE rowsecurity
                    LOOP EXECUTE format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', name); END LOOP;
                END $$
                """)
        }
    }
}

import Instruments
import MarketStore
import Store
import Support
import Testing

@testable import GatewayAPI

/// What a gateway answers beside what it says that it answers.
@Suite("Documented answers", .timeLimit(.minutes(10)))
struct DocumentedAnswerTests {
    /// A connection that becomes another one, and an answer that does not end.
    private static let endless: Set = ["/v1/stream", "/v1/events"]

    private static func run(_ body: (OpenAPIFile, AccountGatewayFixture, TestClient) async throws -> Void)
        async throws
    {
        let file = try OpenAPIFile()
        try await AccountGatewayFixture.run(assemble: { gateway in gateway.addStream(gateway.services.market)
        }) {
            fixture async throws in
            let coin = Instrument(
                id: TwoUserFixture.bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"),
                kind: .spot,
                priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
            try await fixture.database.store([coin], at: .zero)
            try await body(file, fixture, try await fixture.operatorClient())
        }
    }

    /// Asks every route that reads; how many gave what they are asked for.
    private static func read(
        _ file: OpenAPIFile, _ client: TestClient, _ things: [String: String] = [:]
    ) async throws -> Int {
        var successes = 0
        for operation in file.operations where operation.method == "GET" && !endless.contains(operation.path)
        {
            let path = filled(operation.path, things)
            let (answer, faults) = try await client.ask("GET", operation.path, at: path, documentedBy: file)
            #expect(faults == [], "\(answer.text.prefix(2_000))")
            #expect(answer.status < 500 || answer.problem == "unavailable", "\(path): \(answer.text)")
            successes += answer.status == 200 ? 1 : 0
        }
        return successes
    }

    /// A route's path with somebody's things in it, and with what nobody has where there is none.
    private static func filled(_ pattern: String, _ things: [String: String]) -> String {
        let family = things.keys.filter { (pattern + "/").hasPrefix($0 + "/") }.max { $0.count < $1.count }
        var path = pattern
        if let family, let id = things[family] {
            path = family.replacing("{id}", with: id) + pattern.dropFirst(family.count)
        }
        let nobodys = [
            "{id}": "01980000-0000-7000-8000-000000000001", "{share}": "01980000-0000-7000-8000-000000000001",
            "{instrument}": "kraken:BTC%2FUSD", "{pair}": "BTC-USD", "{number}": "1", "{token}": "abc",
        ]
        for (name, value) in nobodys.merging(things, uniquingKeysWith: { $1 }) where name.hasPrefix("{") {
            path = path.replacing(name, with: value)
        }
        return path
    }

    @Test("are what it says, of all that a fresh installation shows its operator")
    func fresh() async throws {
        try await Self.run { file, _, boss async throws in
            #expect(try await Self.read(file, boss) > 20)
        }
    }

    @Test("are what it says, of all that shows what somebody made")
    func owned() async throws {
        try await Self.run { file, _, boss in
            let things = try await ForeignAccessTests.fill(boss)
            #expect(try await Self.read(file, boss, things) > 40)
        }
    }

    @Test("are what it says, of what somebody makes, and of what is refused")
    func made() async throws {
        try await Self.run { file, fixture, boss in
            for (path, json, status) in [
                ("/v1/watchlists", #"{"name":"Coins"}"#, 201), ("/v1/watchlists", #"{"name":7}"#, 422),
                ("/v1/watchlists", "{", 400), ("/v1/portfolios", #"{"name":"Savings","base":"USD"}"#, 201),
                (
                    "/v1/channels",
                    #"{"kind":"ntfy","name":"phone","settings":{"server":"https://ntfy.sh","topic":"x"}}"#,
                    201
                ),
                (
                    "/v1/alerts",
                    #"""
                    {"instrument":"kraken:BTC/USD",
                    "condition":{"price":"last","crosses":"above","level":"61000"}}
                    """#, 201
                ), ("/v1/alerts", #"{"instrument":"kraken:BTC/USD"}"#, 422),
            ] {
                let (answer, faults) = try await boss.ask("POST", path, json: json, documentedBy: file)
                #expect(answer.status == status && faults == [], "\(path): \(answer.text)")
            }
            let (answer, faults) = try await fixture.nobody.ask("GET", "/v1/account", documentedBy: file)
            #expect(answer.status == 401 && faults == [], "\(answer.text)")
        }
    }
}

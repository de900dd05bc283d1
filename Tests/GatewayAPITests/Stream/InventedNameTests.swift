import HTTPTypes
import Hosting
import HummingbirdCore
import Instruments
import JSON
import MarketStore
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// What somebody costs who makes names up: real routes, a real database, a real bus.
@Suite("Names that nobody lists", .timeLimit(.minutes(10)))
struct InventedNameTests {
    private static let bitcoin = MarketRouteTests.bitcoin

    /// A gateway with its stream, and with one instrument unless it `isNew`.
    private static func run(
        isNew: Bool = false, _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (GatewayFixture, StreamHub) async throws -> Void
    ) async throws {
        let made = MadeStream()
        try await GatewayFixture.run(
            configure,
            prepare: { gateway in
                gateway.identify = { request, _ in
                    request.headers[.authorization] == "Bearer alice" ? StreamFixture.alice : nil
                }
            },
            assemble: { gateway in
                let services = gateway.addStream(gateway.services.market)
                made.hub = gateway.stream
                return services
            }
        ) { fixture async throws in
            guard let hub = made.hub else { throw PropertyFailure("no stream") }
            if !isNew { try await TestTape.prepare(bitcoin, in: fixture.services.database) }
            try await body(fixture, hub)
        }
    }

    private static func subscribe(_ id: String, _ channel: String, _ key: String) -> String {
        #"{"op":"subscribe","id":"\#(id)","channel":"\#(channel)","key":"\#(key)"}"#
    }

    /// The type of an answer, or the code of a problem, with what it says.
    private static func word(_ message: JSONObject) -> (word: String, detail: String) {
        func text(_ value: JSONValue?) -> String { if case .string(let text)? = value { text } else { "" } }
        guard case .object(let problem)? = message["problem"] else { return (text(message["type"]), "") }
        return (text(problem["code"]), text(problem["detail"]))
    }

    /// Asks, and reads on to what is answered to it.
    private static func answer(
        _ client: StreamClient, _ id: String, _ channel: String, _ key: String
    ) async throws -> (word: String, detail: String) {
        try await client.send(subscribe(id, channel, key))
        while true {
            let message = try await client.message()
            let word = word(message)
            if message["id"] == .string(id), !["snapshot", "change"].contains(word.word) { return word }
        }
    }

    private static func invented(_ number: Int) -> (channel: String, key: String) {
        switch number % 6 {
        case 0: ("ticker", "kraken:NOPE\(number)")
        case 1: ("book", "kraken:NOPE\(number)")
        case 2: ("trades", "nowhere:NOPE\(number)")
        case 3: ("candles", "1m/kraken:NOPE\(number)")
        case 4: ("index", "NOPE\(number)-USD")
        default: ("venues", "nowhere\(number)")
        }
    }

    @Test("ten thousand of them are each refused, and leave everything as it was")
    func inventor() async throws {
        try await Self.run { fixture, hub async throws in
            let (port, view) = (fixture.client.port, fixture.services.market)
            try await StreamClient.run(port: port) { other, _ async throws in
                #expect(try await Self.answer(other, "a", "ticker", "\(Self.bitcoin)").word == "subscribed")
                #expect(try await Self.answer(other, "b", "trades", "\(Self.bitcoin)").word == "subscribed")
                // What is asked before is done with.
                try await other.send(#"{"op":"ping","id":"p"}"#)
                while try await other.message()["id"] != .string("p") {}
                let (things, followed) = (hub.thingCount, view.followedCount)
                #expect(things == 2 && followed == 1)
                for start in stride(from: 0, to: 10_000, by: 500) {
                    try await StreamClient.run(port: port) { inventor, _ async throws in
                        var answers: [String: Int] = [:]
                        for number in start..<start + 500 {
                            let (channel, key) = Self.invented(number)
                            let word = try await Self.answer(inventor, "\(number)", channel, key).word
                            answers[word, default: 0] += 1
                        }
                        #expect(answers == ["not-found": 500])
                        #expect(hub.limits.subscriptions.count == 2)
                    }
                }
                #expect(hub.thingCount == things && view.followedCount == followed)
                #expect(try await Self.answer(other, "c", "book", "\(Self.bitcoin)").word == "subscribed")
                #expect(try await Self.answer(other, "d", "venues", "*").word == "subscribed")
                #expect(try await Self.answer(other, "e", "index", "BTC-USD").word == "subscribed")
                #expect(try await Self.answer(other, "f", "venues", "kraken").word == "subscribed")
            }
        }
    }

    @Test("are 404 to who asks for books, trades and events, before anything is followed")
    func routes() async throws {
        try await Self.run { fixture, hub async throws in
            for path in [
                "/v1/books/kraken:NOPE", "/v1/books/kraken:NOPE/cost?side=buy&quantity=1",
                "/v1/trades/kraken:NOPE", "/v1/candles/kraken:NOPE?range=1D&live=true",
                "/v1/events?channel=trades:kraken:NOPE", "/v1/events?channel=index:NOPE-USD",
            ] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 404 && answer.problem == "not-found", "\(path): \(answer.text)")
            }
            #expect(fixture.services.market.followedCount == 0 && hub.thingCount == 0)
        }
    }

    @Test("cannot be told from others while no venue has said what it lists: nothing is followed until then")
    func newInstallation() async throws {
        try await Self.run(isNew: true) { fixture, hub async throws in
            try await StreamClient.run(port: fixture.client.port) { client, _ async throws in
                let early = [("trades", "\(Self.bitcoin)"), ("index", "BTC-USD"), ("venues", "kraken")]
                for (channel, key) in early {
                    #expect(try await Self.answer(client, "a", channel, key).word == "unavailable")
                }
                #expect(hub.thingCount == 0 && fixture.services.market.followedCount == 0)
                // What an operator configured is known before its venue says anything.
                let wanted = Subscription(
                    instrument: Self.bitcoin, channels: ["trade"], wantedBy: "configuration")
                _ = try await fixture.services.database.withSession {
                    try $0.execute(.addSubscription(wanted, at: .zero))
                }
                #expect(try await Self.answer(client, "a", "trades", "\(Self.bitcoin)").word == "subscribed")
                #expect(try await Self.answer(client, "b", "index", "BTC-USD").word == "unavailable")
                try await TestTape.prepare(Self.bitcoin, in: fixture.services.database)
                #expect(try await Self.answer(client, "b", "index", "BTC-USD").word == "subscribed")
                #expect(try await Self.answer(client, "c", "index", "NOPE-USD").word == "not-found")
            }
        }
    }

    @Test("aside: an address has its share of subscriptions, over all its connections, and a user another")
    func subscriptions() async throws {
        try await Self.run(isNew: false) {
            $0.budgets.subscriptions = .init(perAddress: 3, perUser: 2)
            $0.budgets.tapes = .init(perAddress: 1, perUser: 1)
        } _: { fixture, hub async throws in
            let (port, name) = (fixture.client.port, "\(Self.bitcoin)")
            try await StreamClient.run(port: port) { first, _ async throws in
                #expect(try await Self.answer(first, "a", "ticker", name).word == "subscribed")
                #expect(try await Self.answer(first, "b", "trades", name).word == "subscribed")
                try await StreamClient.run(port: port) { second, _ async throws in
                    let tape = try await Self.answer(second, "a", "candles", "1m/\(name)")
                    #expect(tape.word == "rate-limited")
                    let most = "one address has at most"
                    #expect(tape.detail == "\(most) 1 subscriptions to trades and candles; close some")
                    #expect(try await Self.answer(second, "a", "book", name).word == "subscribed")
                    let more = try await Self.answer(second, "b", "ticker", name)
                    #expect(more.word == "rate-limited")
                    #expect(more.detail == "\(most) 3 subscriptions; close some")
                    let events = try await fixture.client.get("/v1/events?channel=ticker:\(name)")
                    #expect(events.status == 429 && events.problem == "rate-limited", "\(events.text)")
                    try await first.send(#"{"op":"unsubscribe","id":"b"}"#)
                    while Self.word(try await first.message()).word != "unsubscribed" {}
                    #expect(
                        try await Self.answer(second, "b", "candles", "1m/\(name)").word == "subscribed")
                }
                let alice = [("Authorization", "Bearer alice")]
                try await StreamClient.run(port: port, headers: alice) { own, _ async throws in
                    #expect(try await Self.answer(own, "a", "trades", name).word == "subscribed")
                    #expect(try await Self.answer(own, "b", "ticker", name).word == "subscribed")
                    let most = try await Self.answer(own, "c", "book", name)
                    #expect(most.detail == "one user has at most 2 subscriptions; close some")
                }
            }
            try await eventually { hub.limits.subscriptions.count == 0 && hub.limits.connections.count == 0 }
        }
    }

    @Test("aside: an address has its share of whole books; the same one again is always its own")
    func books() async throws {
        try await Self.run {
            $0.budgets.books = .init(perAddress: 1, perUser: 1)
        } _: { fixture, _ async throws in
            let ether = InstrumentID(venue: .kraken, symbol: "ETH/USD")
            try await TestTape.prepare(ether, in: fixture.services.database)
            // Nobody speaks of either: the first is empty, or said to be nobody's.
            let first = try await fixture.client.get("/v1/books/kraken:BTC%2FUSD")
            #expect([200, 503].contains(first.status), "\(first.text)")
            let second = try await fixture.client.get("/v1/books/kraken:ETH%2FUSD")
            #expect(second.status == 429 && second.problem == "rate-limited", "\(second.text)")
            #expect(second.text.contains("at most 1 whole books"))
            let again = try await fixture.client.get("/v1/books/kraken:BTC%2FUSD")
            #expect([200, 503].contains(again.status), "\(again.text)")
            #expect(fixture.services.market.followedCount == 1)
        }
    }

    @Test("aside: what is counted by address counts a network of version 6 as one")
    func networks() throws {
        let limit = ClientLimit(of: "things", ofUser: 1, ofAddress: 1)
        let held = try limit.take(nil, from: "2001:db8::1")
        #expect(throws: Problem.self) { _ = try limit.take(nil, from: "2001:db8::2:1") }
        let other = try limit.take(nil, from: "2001:db8:0:1::1")
        #expect(limit.count == 2)
        withExtendedLifetime((held, other)) {}
    }
}

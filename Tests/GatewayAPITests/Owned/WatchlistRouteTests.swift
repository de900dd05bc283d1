import JSON
import Store
import Instruments
import MarketStore
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayStream

@Suite("Watchlist routes", .timeLimit(.minutes(10)))
struct WatchlistRouteTests {
    @Test("make, order, show with quotes and remove, and nothing of it without a user")
    func life() async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            gateway.live.ticker = { id in
                var ticker = TickerBody(KnownTicker(instrument: id), BusConnectionState())
                ticker.last = "61000.5"
                return ticker
            }
        }) { fixture, ann, ben in
            #expect(try await fixture.client.get("/v1/watchlists").status == 401)
            let id = try await ann.make("/v1/watchlists", #"{"name":"Home"}"#)
            let added = try await ann.ask(
                "POST", "/v1/watchlists/\(id)/entries", json: #"{"instrument":"kraken:BTC/USD"}"#)
            #expect(added.status == 201)
            let again = try await ann.ask(
                "POST", "/v1/watchlists/\(id)/entries", json: #"{"instrument":"kraken:BTC/USD"}"#)
            #expect(again.status == 409)
            #expect(again.problem == "duplicate")
            let plain = try await ann.get("/v1/watchlists/\(id)")
            #expect(try plain.text("entries.0.instrument") == "kraken:BTC/USD")
            #expect(try plain.json("entries.0.ticker") == nil)
            let quoted = try await ann.get("/v1/watchlists/\(id)?quotes=true")
            #expect(try quoted.text("entries.0.ticker.last") == "61000.5")
            let wishes = try await fixture.services.database.subscriptions()
            #expect(wishes.map(\.wantedBy) == ["watchlist:\(id)"])
            #expect(try await ben.get("/v1/watchlists").count() == 0)
            let entry = "/v1/watchlists/\(id)/entries/kraken:BTC%2FUSD"
            #expect(try await ann.ask("DELETE", entry, json: "[[[[").status == 400)
            #expect(try await ann.get("/v1/watchlists/\(id)").text("entries.0.instrument") != nil)
            let gone = try await ann.ask("DELETE", entry)
            #expect(gone.status == 204)
            #expect(try await fixture.services.database.subscriptions().isEmpty)
        }
    }

    @Test("take and lose entries together or not at all, and say how many they have")
    func together() async throws {
        try await TwoUserFixture.run { fixture, ann, ben async throws in
            let ether = InstrumentID(venue: .kraken, symbol: "ETH/USD")
            let coin = Instrument(
                id: ether, base: Asset(rawValue: "ETH"), quote: Asset(rawValue: "USD"), kind: .spot,
                priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
            try await fixture.services.database.store([coin], at: .zero)
            let id = try await ann.make("/v1/watchlists", #"{"name":"Home"}"#)
            func change(
                _ action: String, _ instruments: String, _ client: TestClient
            ) async throws -> TestAnswer {
                try await client.ask(
                    "POST", "/v1/watchlists/\(id)/entries/bulk",
                    json: #"{"instruments":[\#(instruments)],"action":"\#(action)"}"#)
            }
            let both = #""kraken:ETH/USD","kraken:BTC/USD""#
            #expect(try await change("add", both, ben).status == 404)
            let unknown = try await change("add", #""kraken:ETH/USD","kraken:NO/USD""#, ann)
            #expect(try unknown.status == 422 && unknown.text("field") == "instrument")
            let none = try await ann.get("/v1/watchlists")
            #expect(try none.json("items.0.count") == .number("0"))
            let added = try await change("add", both, ann)
            #expect(added.status == 200, "\(added.text)")
            #expect(try added.text("entries.0.instrument") == "kraken:ETH/USD")
            #expect(try added.json("count") == .number("2") && added.count("entries") == 2)
            #expect(try await change("add", #""kraken:BTC/USD""#, ann).problem == "duplicate")
            let twice = try await change("remove", #""kraken:BTC/USD","kraken:BTC/USD""#, ann)
            #expect(twice.status == 404)
            let all = try await ann.get("/v1/watchlists")
            #expect(try all.json("items.0.count") == .number("2"))
            let renamed = try await ann.ask("PATCH", "/v1/watchlists/\(id)", json: #"{"name":"Top"}"#)
            #expect(try renamed.json("count") == .number("2"))
            #expect(try await change("", both, ann).text("field") == "action")
            #expect(try await change("remove", "", ann).text("field") == "instruments")
            #expect(try await change("remove", both, ann).json("count") == .number("0"))
            #expect(try await fixture.services.database.subscriptions().isEmpty)
        }
    }

    @Test("refuse more instruments than a user may have followed, with rules together, and nobody else's")
    func quota() async throws {
        try await TwoUserFixture.run({ $0.instrumentsPerUser = 2 }) { fixture, ann, ben async throws in
            let coins = ["ETH", "LTC"].map { coin in
                Instrument(
                    id: InstrumentID(venue: .kraken, symbol: "\(coin)/USD"), base: Asset(rawValue: coin),
                    quote: Asset(rawValue: "USD"), kind: .spot, priceScale: Scale(1) ?? .zero,
                    sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
            }
            try await fixture.services.database.store(coins, at: .zero)
            let id = try await ann.make("/v1/watchlists", #"{"name":"Home"}"#)
            func watch(_ coin: String) async throws -> TestAnswer {
                try await ann.ask(
                    "POST", "/v1/watchlists/\(id)/entries", json: #"{"instrument":"kraken:\#(coin)/USD"}"#)
            }
            func rule(_ coin: String) -> String {
                #"{"instrument":"kraken:\#(coin)/USD","#
                    + #""condition":{"price":"last","crosses":"above","level":"5"}}"#
            }
            func refused(_ answer: TestAnswer) throws {
                #expect(answer.status == 422, "\(answer.text)")
                #expect(try answer.text("field") == "instrument")
                #expect(try answer.text("value") == "3 instruments")
                #expect(try answer.text("accepted")?.hasPrefix("at most 2 ") == true, "\(answer.text)")
            }
            #expect(try await watch("BTC").status == 201)
            // The same instrument counts once.
            let first = try await ann.make("/v1/alerts", rule("BTC"))
            _ = try await ann.make("/v1/alerts", rule("ETH"))
            try refused(try await watch("LTC"))
            try refused(
                try await ann.ask(
                    "POST", "/v1/watchlists/\(id)/entries/bulk",
                    json: #"{"instruments":["kraken:LTC/USD"],"action":"add"}"#))
            try refused(try await ann.ask("POST", "/v1/alerts", json: rule("LTC")))
            try refused(
                try await ann.ask(
                    "PATCH", "/v1/alerts/\(first)", json: #"{"instrument":"kraken:LTC/USD"}"#))
            try refused(
                try await ann.ask("POST", "/v1/alerts/import", json: #"{"rules":[\#(rule("LTC"))]}"#))
            let off = try await ann.make("/v1/alerts?enabled=false", rule("LTC"))
            try refused(try await ann.ask("POST", "/v1/alerts/\(off)/enable"))
            // Nothing was stored of what was refused, and others have their own.
            #expect(try await ann.get("/v1/watchlists/\(id)").count("entries") == 1)
            #expect(try await fixture.services.database.subscriptions().count == 3)
            #expect(try await ben.ask("POST", "/v1/alerts", json: rule("LTC")).status == 201)
            // What is followed already may be wanted again, and what is given back makes room.
            #expect(try await watch("ETH").status == 201)
            let entry = "/v1/watchlists/\(id)/entries/kraken:BTC%2FUSD"
            #expect(try await ann.ask("DELETE", entry).status == 204)
            #expect(try await ann.ask("DELETE", "/v1/alerts/\(first)").status == 204)
            #expect(try await ann.ask("POST", "/v1/alerts/\(off)/enable").status == 200)
        }
    }

    @Test("a change is seen at once by the owner's other devices")
    func otherDevices() async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            _ = gateway.addStream(gateway.services.market)
        }) { _, ann, _ in
            let id = try await ann.make("/v1/watchlists", #"{"name":"Home"}"#)
            try await StreamClient.run(port: ann.port, headers: ann.headers) { device, _ in
                let key = #""channel":"watchlist","key":"\#(id)""#
                try await device.send(#"{"op":"subscribe","id":"w",\#(key)}"#)
                #expect(try await device.message()["type"] == .string("subscribed"))
                // Nothing else looks at the list here: the hub does not run.
                _ = try await ann.ask(
                    "POST", "/v1/watchlists/\(id)/entries", json: #"{"instrument":"kraken:BTC/USD"}"#)
                let snapshot = try await device.message()
                #expect(snapshot["type"] == .string("snapshot"))
                guard case .object(let data)? = snapshot["data"], case .array(let entries)? = data["entries"]
                else { throw PropertyFailure("\(snapshot)") }
                #expect(entries.count == 1)
            }
        }
    }

    @Test("go on page by page, and refuse what cannot be with the field and what is accepted")
    func pagesAndFaults() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            for name in ["One", "Two", "Three"] {
                _ = try await ann.make("/v1/watchlists", #"{"name":"\#(name)"}"#)
            }
            var names: [String] = []
            var next: String?
            repeat {
                let cursor = next.map { "&cursor=\($0)" } ?? ""
                let page = try await ann.get("/v1/watchlists?limit=2\(cursor)")
                for index in 0..<(try page.count() ?? 0) {
                    names.append(try page.text("items.\(index).name") ?? "")
                }
                next = try page.text("next")
            } while next != nil
            #expect(names == ["One", "Two", "Three"])
            let twice = try await ann.ask("POST", "/v1/watchlists", json: #"{"name":"One"}"#)
            #expect(twice.status == 422)
            #expect(try twice.text("field") == "name")
            let unknown = try await ann.ask(
                "POST", "/v1/watchlists", json: #"{"name":"Four","colour":"red"}"#)
            #expect(unknown.status == 422)
            let id = try await ann.get("/v1/watchlists").text("items.0.id") ?? ""
            let nowhere = try await ann.ask(
                "POST", "/v1/watchlists/\(id)/entries", json: #"{"instrument":"kraken:XBT/USD"}"#)
            #expect(nowhere.status == 422)
            #expect(try nowhere.text("accepted")?.contains("kraken:BTC/USD") == true)
            let order = try await ann.ask(
                "PUT", "/v1/watchlists/\(id)/order", json: #"{"instruments":["kraken:BTC/USD"]}"#)
            #expect(order.status == 422)
        }
    }
}

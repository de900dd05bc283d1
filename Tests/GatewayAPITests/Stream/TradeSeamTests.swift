import Bus
import Instruments
import JSON
import MarketData
import MarketState
import Support
import Testing
import Wire

@testable import GatewayStream

@Suite("Trades that are said while somebody comes", .timeLimit(.minutes(10)))
struct TradeSeamTests {
    /// The names of a snapshot's or a page's trades, in their order.
    private static func names(_ value: JSONValue?) -> [String] {
        guard case .array(let items)? = value else { return [] }
        return items.compactMap { item in
            guard case .object(let members) = item, case .string(let id)? = members["id"] else { return nil }
            return id
        }
    }

    private static func ring(_ fixture: StreamFixture) -> TradeRing? {
        fixture.view.tradeRing(StreamFixture.bitcoin)
    }

    /// Runs a gateway that follows a tape, with its first trade heard, stored and read.
    private static func joined(_ body: @Sendable (StreamFixture, TestTape) async throws -> Void) async throws
    {
        try await StreamFixture.run { fixture async throws in
            try await TestTape.prepare(StreamFixture.bitcoin, in: fixture.database)
            let tape = try TestTape(StreamFixture.bitcoin, fixture.publisher)
            #expect(fixture.view.hold(.trades(StreamFixture.bitcoin)))
            try await eventually { Self.ring(fixture)?.seam.isWhole == true }
            tape.say([1])
            try await eventually { Self.ring(fixture)?.trades.count == 1 }
            try await tape.store(in: fixture.database)
            try await eventually { Self.ring(fixture)?.seam.isWhole == true }
            try await body(fixture, tape)
        }
    }

    private static func page(_ fixture: StreamFixture) async throws -> [String] {
        let answer = try await TestClient(port: fixture.port).get("/v1/trades/bitmex:XBTUSD?limit=50")
        #expect(answer.status == 200, "\(answer.text)")
        return names(try answer.json("items"))
    }

    @Test("are told to the page and the stream, none left out, though stored only after they were looked for")
    func late() async throws {
        try await StreamFixture.run { fixture async throws in
            try await TestTape.prepare(StreamFixture.bitcoin, in: fixture.database)
            let tape = try TestTape(StreamFixture.bitcoin, fixture.publisher)
            // Said before anybody followed, and stored after they came: neither heard nor read at first.
            _ = tape.trade(1)
            try await fixture.connect { client in
                try await client.send(
                    "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"trades\",\"key\":\"bitmex:XBTUSD\"}")
                #expect(try await client.message()["type"] == .string("subscribed"))
                #expect(Self.names(try await client.message()["data"]).isEmpty)
                // Once the subscription holds and what is stored was read, nothing is known to be missing.
                try await eventually { Self.ring(fixture)?.seam.isWhole == true }
                tape.say([2])
                try await eventually { Self.ring(fixture)?.trades.isEmpty == false }
                #expect(Self.ring(fixture)?.seam.isWhole == false)
                #expect(try await Self.page(fixture).isEmpty, "the first one is missing before it")
                try await tape.store(in: fixture.database)
                var told: [String] = []
                while told != ["t1", "t2"] { told = Self.names(try await client.message()["data"]) }
                try await eventually { Self.ring(fixture)?.seam.isWhole == true }
                #expect(try await Self.page(fixture) == ["t2", "t1"])
                // From here on what comes live is enough.
                tape.say([3])
                let message = try await client.message()
                #expect(message["type"] == .string("change") && Self.names(message["data"]) == ["t3"])
            }
        }
    }

    @Test("are read again where the bus lost some")
    func lost() async throws {
        try await Self.joined { fixture, tape async throws in
            tape.lose(2)
            tape.say([3])
            try await eventually { Self.ring(fixture)?.trades.count == 2 }
            #expect(Self.ring(fixture)?.seam.isWhole == false)
            try await tape.store(in: fixture.database)
            try await eventually { Self.ring(fixture)?.seam.isWhole == true }
            #expect(Self.ring(fixture)?.trades.map(\.id) == ["t1", "t2", "t3"])
        }
    }

    @Test("are on one page or another, though more are not stored yet than a page holds")
    func pages() async throws {
        try await Self.joined { fixture, tape async throws in
            tape.say((2...9).map { $0 })
            try await eventually { Self.ring(fixture)?.trades.count == 9 }
            var (told, cursor) = ([String](), "")
            while told.count < 9 {
                let path = "/v1/trades/bitmex:XBTUSD?limit=2\(cursor)"
                let page = try await TestClient(port: fixture.port).get(path)
                let names = Self.names(try page.json("items"))
                try #require(!names.isEmpty, "\(told) \(page.text)")
                told += names
                guard case .string(let next)? = try page.json("next") else { break }
                cursor = "&cursor=\(next)"
            }
            #expect(told == (1...9).reversed().map { "t\($0)" })
        }
    }

    @Test("are told whole to a stream where more came at once than are kept")
    func many() async throws {
        try await StreamFixture.run { fixture async throws in
            try await TestTape.prepare(StreamFixture.bitcoin, in: fixture.database)
            let tape = try TestTape(StreamFixture.bitcoin, fixture.publisher)
            try await fixture.connect { client in
                try await client.send(
                    "{\"op\":\"subscribe\",\"id\":\"a\",\"channel\":\"trades\",\"key\":\"bitmex:XBTUSD\"}")
                try await eventually { Self.ring(fixture)?.seam.isWhole == true }
                var batch = OutboundBatch()
                let topic = try fixture.publisher.topic(Topic.trade(StreamFixture.bitcoin))
                for price in Int64(1)...250 { batch.append(.trade(tape.id, tape.trade(price)), to: topic) }
                #expect(fixture.publisher.offer(&batch))
                // Whoever adds up what came since a snapshot is where the numbers say.
                var told: [String] = []
                var sequence = 0
                while told.last != "t250" {
                    let message = try await client.message()
                    if message["type"] == .string("skipped"), case .number(let count)? = message["count"] {
                        sequence += try #require(Int(count))
                        told = []
                    }
                    guard case .number(let text)? = message["sequence"] else { continue }
                    let names = Self.names(message["data"])
                    if message["type"] == .string("snapshot") {
                        told = []
                    } else {
                        #expect(Int(text) == sequence + names.count)
                    }
                    sequence = try #require(Int(text))
                    told += names
                }
                #expect(told.suffix(30) == (221...250).map { "t\($0)" })
                let places = told.compactMap { Int($0.dropFirst()) }
                #expect(zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(places)")
            }
        }
    }
}

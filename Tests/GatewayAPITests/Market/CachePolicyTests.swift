import Bus
import Instruments
import MarketData
import MarketState
import MarketStore
import Support
import Testing
import Wire

@testable import GatewayAPI

/// How long clients may keep what they were told of the market: `Cache-Control` of the routes as they are.
@Suite("How fresh the market is", .timeLimit(.minutes(10)))
struct CachePolicyTests {
    private static let path = MarketRouteTests.path

    private static func expect(_ client: TestClient, _ path: String, seconds: Int) async throws {
        let answer = try await client.get(path)
        #expect(answer.status == 200, "\(path) gave \(answer.text)")
        #expect(answer.header("cache-control") == "private, max-age=\(seconds)", "\(path)")
    }

    @Test("prices are kept for a second, what there is for a minute, and who asks again gets 304")
    func prices() async throws {
        try await MarketRouteTests.run { fixture, publisher, tape async throws in
            let client = fixture.client
            tape.quote(.live, bid: 61_000, ask: 61_002)
            let ticker = "/v1/tickers/\(Self.path)"
            try await eventually { try await client.get(ticker).status == 200 }
            _ = tape.trade(5)
            try await tape.store(in: fixture.services.database)
            for path in [
                "/v1/quote/BTC-USD", "/v1/tickers", "/v1/tickers?instruments=kraken:BTC%2FUSD", ticker,
                "/v1/trades/\(Self.path)", "/v1/index", "/v1/venues", "/v1/instruments/\(Self.path)",
            ] { try await Self.expect(client, path, seconds: 1) }
            for path in ["/v1/instruments", "/v1/instruments?q=btc&limit=1"] {
                try await Self.expect(client, path, seconds: 60)
                let tag = try #require(try await client.get(path).header("etag"))
                let again = try await client.get(path, headers: [("If-None-Match", tag)])
                #expect(again.status == 304 && again.header("cache-control") == "private, max-age=60")
            }
            // What moves so far changes with each trade, the scores of an hour do not.
            try await Self.expect(client, "/v1/trending", seconds: 5)
            let missing = try await client.get("/v1/quote/BTC-XYZ")
            #expect(missing.status == 404 && missing.header("cache-control") == "no-store")
        }
    }

    @Test("books are kept for a second")
    func books() async throws {
        try await MarketRouteTests.run { fixture, publisher, _ async throws in
            let bitcoin = MarketRouteTests.bitcoin
            var batch = OutboundBatch()
            let change = BookStateChange(state: .syncing, reason: .snapshotPending, receivedTime: .zero)
            batch.append(
                .bookStateChange(bitcoin, change), to: try publisher.topic(Topic.bookDelta(bitcoin)))
            let book = try BookText("seq 1 | bids 100×2 | asks 101×1")
            batch.append(
                .bookSnapshot(bitcoin, book.snapshot(epoch: publisher.epoch)),
                to: try publisher.topic(Topic.bookSnapshot(bitcoin)))
            publisher.offer(&batch)
            let path = "/v1/books/\(Self.path)"
            try await eventually { try await fixture.client.get(path).status == 200 }
            try await Self.expect(fixture.client, path, seconds: 1)
            try await Self.expect(fixture.client, path + "/cost?side=buy&quantity=1", seconds: 1)
        }
    }

    @Test("the newest candles are kept for two seconds, those of the past for a minute")
    func candles() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            let (client, path) = (fixture.client, "/v1/candles/\(Self.path)?interval=1m&limit=2")
            try await MarketRouteTests.store(.minute, 5, in: fixture.services.database)
            for more in ["", "&live=true", "&from=2026-01-01T00:00:00Z"] {
                try await Self.expect(client, path + more, seconds: 2)
            }
            try await Self.expect(client, "/v1/candles/\(Self.path)?range=1D", seconds: 2)
            try await Self.expect(client, "/v1/indicators/\(Self.path)?name=sma&period=2", seconds: 2)
            let next = try #require(try await client.get(path).text("next"))
            try await Self.expect(client, "\(path)&cursor=\(next)", seconds: 60)
            try await Self.expect(client, "\(path)&to=2026-01-01T00:03:00Z", seconds: 60)
            // What is still to come, and what may still be fetched, is not kept for long.
            try await Self.expect(client, "\(path)&to=2100-01-01T00:00:00Z", seconds: 2)
            try await Self.expect(client, "\(path)&to=2025-01-01T00:00:00Z", seconds: 2)
        }
    }
}

import Bus
import Hosting
import Instruments
import JSON
import MarketData
import MarketState
import MarketStore
import Store
import Support
import Testing
import Wire

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

@Suite("Market routes", .timeLimit(.minutes(10)))
struct MarketRouteTests {
    static let bitcoin = InstrumentID(venue: Venue(rawValue: "kraken"), symbol: "BTC/USD")
    static let path = "kraken:BTC%2FUSD"

    /// A gateway that follows a feed which speaks of one instrument.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (GatewayFixture, Publisher, TestTape) async throws -> Void
    ) async throws {
        try await GatewayFixture.run(configure) { fixture async throws in
            let services = fixture.services
            try await TestTape.prepare(bitcoin, in: services.database)
            let publisher = try services.frame.publisher("feed")
            try await running([publisher]) {
                for await event in publisher.events where event == .brokerAppeared { break }
                try await body(fixture, publisher, try TestTape(bitcoin, publisher))
            }
        }
    }

    /// Stores closed candles of the bitcoin at 1.00, one after another from the year's begin.
    static func store(_ kind: CandleInterval, _ count: Int, in database: Database) async throws {
        let start: Int64 = 1_767_225_600_000_000_000
        try await database.withSession { session in
            try session.script(
                """
                SELECT market.ensure_candle_partition(\(kind.seconds), \(start));
                INSERT INTO market.candle (instrument_id, interval_seconds, start_unix_nanos,
                    open_time_unix_nanos, close_time_unix_nanos, open, high, low, close, trade_count,
                    lease_epoch, written_at, price_scale, size_scale, flags, volume, taker_buy_volume)
                SELECT instrument_id, \(kind.seconds), start, start, start, 100, 100, 100, 100, 1, 0,
                    clock_timestamp(), 2, 0, 1, 1, 0
                FROM market.instrument, generate_series(0, \(count - 1)) AS n,
                    LATERAL (SELECT \(start) + n * \(kind.seconds)::bigint * 1000000000) AS at (start)
                WHERE symbol = 'BTC/USD'
                ON CONFLICT DO NOTHING
                """)
        }
    }

    /// Tells a candle of a minute after the year's begin.
    private static func say(
        _ minute: Int64, close: Int64, isClosed: Bool = false, _ publisher: Publisher, _ topic: PublisherTopic
    ) {
        var candle = Bitpal_V1_Candle()
        (candle.interval, candle.instrument) = ("1m", bitcoin.description)
        candle.startUnixNanos = (29_453_760 + minute) * 60_000_000_000
        (candle.open, candle.high, candle.low, candle.close) = (100, 300, 100, close)
        (candle.volume, candle.tradeCount, candle.isClosed) = (7, 2, isClosed)
        var batch = OutboundBatch()
        batch.append(.madeCandle(bitcoin, candle), to: topic)
        publisher.offer(&batch)
    }

    @Test("finds instruments with mistakes, and pages through them")
    func instruments() async throws {
        try await Self.run { fixture, _, _ async throws in
            let ether = Instrument(
                id: InstrumentID(venue: Venue(rawValue: "bitmex"), symbol: "XBTUSD"),
                base: Asset(rawValue: "XBT"),
                quote: Asset(rawValue: "USD"), kind: .perpetual, priceScale: .zero, sizeScale: .zero)
            try await fixture.services.database.store([ether], at: .zero)
            let all = try await fixture.client.get("/v1/instruments?limit=1")
            #expect(try all.json("items.0.instrument") == .string("bitmex:XBTUSD"))
            guard case .string(let next)? = try all.json("next") else {
                Issue.record("there is no next page")
                return
            }
            let rest = try await fixture.client.get("/v1/instruments?limit=1&cursor=\(next)")
            #expect(try rest.json("items.0.instrument") == .string("kraken:BTC/USD"))
            #expect(try rest.json("next") == .null)
            let spot = try await fixture.client.get("/v1/instruments?q=bitcion%20btc&kind=spot&base=xbt")
            #expect(try spot.json("items.0.symbol") == .string("BTC/USD"))
            let one = try await fixture.client.get("/v1/instruments/\(Self.path)")
            #expect(try one.json("price_scale") == .number("2"))
            #expect(try one.json("listings.0.instrument") == .string("bitmex:XBTUSD"))
            for (path, field) in [
                ("limit=0", "limit"), ("limit=501", "limit"), ("limit=a", "limit"), ("kind=house", "kind"),
                ("cursor=x", "cursor"), ("limit=1&limit=2", "limit"),
                ("q=\(String(repeating: "a", count: 201))", "q"),
            ] {
                let answer = try await fixture.client.get("/v1/instruments?\(path)")
                #expect(answer.status == 422, "\(path)")
                #expect(try answer.json("field") == .string(field), "\(path)")
            }
            #expect(try await fixture.client.get("/v1/instruments/kraken:NOPE").status == 404)
            #expect(try await fixture.client.get("/v1/instruments/nonsense").status == 404)
        }
    }

    @Test("tells every trade once page by page, also where more share an instant than fit into a page")
    func tradesOfAnInstant() async throws {
        try await Self.run { fixture, _, tape async throws in
            // Two, then seven at once, then three.
            let first = tape.trade(1)
            var (rows, ids) = (TradeBatch(), [String]())
            for (number, instant) in [0, 1, 2, 2, 2, 2, 2, 2, 2, 3, 4, 5].enumerated() {
                let time = first.venueTime.adding(nanoseconds: Int64(instant))
                let trade = Trade(
                    id: "n\(number)", side: .buy, price: Price(Int64(number)), size: Quantity(1),
                    priceScale: .zero, sizeScale: .zero, venueTime: time, receivedTime: time)
                rows.append(trade, of: TwoUserFixture.bitcoin)
                ids.insert(trade.id, at: 0)
            }
            _ = try await fixture.services.database.insert(rows)
            for limit in [1, 2, 3, 5, 7, 8, 12, 13] {
                var (told, cursor) = ([String](), "")
                repeat {
                    let page = try await fixture.client.get("/v1/trades/\(Self.path)?limit=\(limit)\(cursor)")
                    #expect(page.status == 200, "\(page.text)")
                    let count = try #require(try page.count())
                    #expect((1...limit).contains(count))
                    for place in 0..<count {
                        guard case .string(let id)? = try page.json("items.\(place).id") else { continue }
                        told.append(id)
                    }
                    guard case .string(let next)? = try page.json("next") else { break }
                    cursor = "&cursor=\(next)"
                } while told.count <= ids.count
                #expect(told == ids, "\(limit) a page")
            }
        }
    }

    @Test("tells prices, a pair's price in words, and the tape")
    func prices() async throws {
        try await Self.run { fixture, _, tape async throws in
            let client = fixture.client
            let silent = try await client.get("/v1/tickers/\(Self.path)")
            #expect(silent.status == 503 && silent.problem == "unavailable")
            #expect(try await client.get("/v1/quote/BTC-USD").status == 404)
            tape.quote(.live, bid: 61_000, ask: 61_002)
            try await eventually { try await client.get("/v1/tickers/\(Self.path)").status == 200 }
            let ticker = try await client.get("/v1/tickers/\(Self.path)")
            #expect(try ticker.json("bid") == .string("61000") && ticker.json("ask") == .string("61002"))
            let several = try await client.get("/v1/tickers?instruments=kraken:BTC%2FUSD,kraken:NOPE")
            #expect(try several.json("items.0.bid") == .string("61000") && several.json("items.1") == nil)
            let quote = try await client.get("/v1/quote/btc-usd")
            #expect(try quote.json("source") == .string("kraken:BTC/USD"))
            #expect(try quote.json("text") == .string("BTC 61,000.00 dollars"))
            for price in 1...5 { _ = tape.trade(Int64(price)) }
            try await tape.store(in: fixture.services.database)
            let newest = try await client.get("/v1/trades/\(Self.path)?limit=2")
            #expect(try newest.json("items.0.price") == .string("5.00"))
            guard case .string(let next)? = try newest.json("next") else {
                Issue.record("there is no next page")
                return
            }
            let older = try await client.get("/v1/trades/\(Self.path)?limit=10&cursor=\(next)")
            #expect(try older.json("items.0.price") == .string("3.00"))
            #expect(try older.json("items.2.price") == .string("1.00") && older.json("next") == .null)
            #expect(try await client.get("/v1/trades/kraken:NOPE").status == 404)
            #expect(try await client.get("/v1/tickers?instruments=nonsense").status == 422)
        }
    }

    @Test("tells a book with its analytics, and what a trade would take")
    func books() async throws {
        try await Self.run { fixture, publisher, _ async throws in
            let client = fixture.client
            let delta = try publisher.topic(Topic.bookDelta(Self.bitcoin))
            let whole = try publisher.topic(Topic.bookSnapshot(Self.bitcoin))
            var batch = OutboundBatch()
            let change = BookStateChange(state: .syncing, reason: .snapshotPending, receivedTime: .zero)
            batch.append(.bookStateChange(Self.bitcoin, change), to: delta)
            let book = try BookText("seq 1 | bids 100×2 99×5 90×7 | asks 101×1 102×3")
            batch.append(.bookSnapshot(Self.bitcoin, book.snapshot(epoch: publisher.epoch)), to: whole)
            publisher.offer(&batch)
            let path = "/v1/books/\(Self.path)"
            try await eventually {
                let answer = try await client.get(path)
                let state = try answer.json("state")
                return answer.status == 200 && state == .string("live")
            }
            let answer = try await client.get(path + "?depth=1")
            #expect(try answer.json("bids.0") == .array([.string("100"), .string("2")]))
            #expect(try answer.json("bids.1") == nil && answer.json("bid_levels") == .number("3"))
            #expect(try answer.json("analytics.spread") == .string("1"))
            #expect(try answer.json("analytics.mid") == .string("100.5"))
            let near = try await client.get(path + "?within=2%25")
            #expect(try near.json("bids.1.0") == .string("99") && near.json("bids.2") == nil)
            let groups = try await client.get(path + "?group=10")
            #expect(try groups.json("asks") == .array([.array([.string("110"), .string("4")])]))
            let cost = try await client.get(path + "/cost?side=buy&quantity=2")
            #expect(
                try cost.json("average_price") == .string("101.5") && cost.json("complete") == .bool(true))
            for (query, field) in [
                ("/cost", "side"), ("/cost?side=buy", "quantity"),
                ("/cost?side=buy&quantity=1&amount=1", "quantity"),
                ("/cost?side=buy&quantity=-1", "quantity"), ("/cost?side=up&quantity=1", "side"),
                ("?depth=1001", "depth"), ("?within=0", "within"), ("?within=a", "within"),
                ("?group=0", "group"),
            ] {
                let refused = try await client.get(path + query)
                #expect(refused.status == 422, "\(query)")
                #expect(try refused.json("field") == .string(field), "\(query)")
            }
        }
    }

    @Test(
        "a chart shows what there is: while its own candles are still to come, shorter ones, and says which")
    func youngChart() async throws {
        try await Self.run { fixture, _, _ async throws in
            let (client, database) = (fixture.client, fixture.services.database)
            let path = "/v1/candles/\(Self.path)?range=1D"
            #expect(try await client.get(path).json("interval") == .string("5m"))
            for (kind, count, interval, items) in [
                (CandleInterval.second, 90, "1s", 90), (.minute, 1, "1s", 90), (.fiveMinutes, 1, "1s", 90),
            ] {
                try await Self.store(kind, count, in: database)
                let answer = try await client.get(path)
                #expect(try answer.json("interval") == .string(interval), "after \(kind)")
                #expect(try answer.count() == items)
            }
        }
    }

    @Test("tells the candle that is being made after the stored ones, where that is asked for")
    func candleInMaking() async throws {
        try await Self.run { fixture, publisher, _ async throws in
            let client = fixture.client
            let topic = try publisher.topic(Topic.candle(interval: "1m", Self.bitcoin))
            func say(_ minute: Int64, close: Int64, isClosed: Bool = false) {
                Self.say(minute, close: close, isClosed: isClosed, publisher, topic)
            }
            let path = "/v1/candles/\(Self.path)?interval=1m&limit=2"
            // The first question begins to listen.
            try await eventually {
                say(0, close: 200)
                return try await client.get("\(path)&live=true").count() == 1
            }
            let first = try await client.get("\(path)&live=true")
            #expect(try first.json("items.0.close") == .string("200"))
            #expect(try first.json("items.0.closed") == .bool(false))
            #expect(try await client.get(path).count() == 0)
            say(1, close: 150)
            // One that is older than the newest, told again, does not take its place.
            say(0, close: 250, isClosed: true)
            say(1, close: 160)
            try await eventually {
                try await client.get("\(path)&live=true").json("items.0.close") == .string("160")
            }
            #expect(try await client.get("/v1/candles/\(Self.path)?limit=1&live=true").count() == 1)
            #expect(try await client.get("\(path)&live=true&from=2026-01-01T00:02:00Z").count() == 0)
            for query in ["&to=2026-01-01T00:00:00Z", "&cursor=x"] {
                #expect(try await client.get("\(path)&live=true\(query)").status == 422)
            }
        }
    }

    @Test("puts the candle that is being made behind the stored ones, and pages on before the ones it tells")
    func candlesAndTheNext() async throws {
        try await Self.run { fixture, publisher, _ async throws in
            let (client, database) = (fixture.client, fixture.services.database)
            try await Self.store(.minute, 3, in: database)
            let topic = try publisher.topic(Topic.candle(interval: "1m", Self.bitcoin))
            let path = "/v1/candles/\(Self.path)?interval=1m&limit=2"
            func starts(_ path: String) async throws -> [String] {
                guard case .array(let items)? = try await client.get(path).json("items") else { return [] }
                return items.compactMap { item in
                    guard case .object(let candle) = item, case .string(let start)? = candle["start"]
                    else { return nil }
                    return String(start.dropFirst(11).prefix(5))
                }
            }
            try await eventually {
                Self.say(3, close: 200, publisher, topic)
                return try await starts("\(path)&live=true") == ["00:02", "00:03"]
            }
            #expect(try await starts(path) == ["00:01", "00:02"])
            guard case .string(let next)? = try await client.get("\(path)&live=true").json("next") else {
                Issue.record("there is no next page")
                return
            }
            #expect(try await starts("\(path)&cursor=\(next)") == ["00:00", "00:01"])
            // What is stored of the same minute is its end.
            try await Self.store(.minute, 4, in: database)
            try await eventually {
                try await client.get("\(path)&live=true").json("items.1.close") == .string("1")
            }
            #expect(try await starts("\(path)&live=true") == ["00:02", "00:03"])
        }
    }

    @Test("refuses a parameter that nobody would read, and says which there are")
    func unknownParameters() async throws {
        try await Self.run { fixture, _, _ async throws in
            for (path, field, accepted) in [
                ("/v1/instruments?quary=btc", "quary", "limit, cursor, q, venue, kind"),
                ("/v1/venues?limit=1", "limit", "no parameter here"),
                ("/v1/candles/\(Self.path)?intervall=1h", "intervall", "interval"),
            ] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 422 && answer.problem == "invalid-field", "\(path)")
                #expect(try answer.json("field") == .string(field))
                #expect(try answer.text("accepted")?.contains(accepted) == true, "\(answer.text)")
            }
            // Who watches over us may ask as it likes.
            #expect(try await fixture.client.get("/health/live?probe=1").status == 200)
        }
    }

    @Test(
        "tells an indicator's values to the digits that they have",
        arguments: [
            (60_048.319_999_999_99, 6, "60048.32"), (60_046.560_000_000_04, 6, "60046.56"),
            (60_048.319_999_999_99, 12, "60048.32"), (1.0 / 3, 5, "0.33333"), (-1.0 / 3, 5, "-0.33333"),
            (0.000_012_345_678_9, 12, "0.000012345679"), (-0.000_000_1, 4, "0"),
            (1e16, 8, "10000000000000000"),
            (1e20, 4, "1e+20"), (2.5, 0, "3"), (100, 4, "100"), (.nan, 4, "nan"),
        ] as [(Double, Int, String)])
    func indicatorText(value: Double, places: Int, text: String) {
        #expect(IndicatorText.text(value, places: places) == text)
    }

    @Test("tells indicators without the noise of binary fractions")
    func indicators() async throws {
        try await Self.run { fixture, _, _ async throws in
            let start = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
            try await fixture.services.database.withSession { session in
                try session.script(
                    """
                    SELECT market.ensure_candle_partition(60, \(start.nanoseconds));
                    INSERT INTO market.candle (instrument_id, interval_seconds, start_unix_nanos,
                        open_time_unix_nanos, close_time_unix_nanos, open, high, low, close, trade_count,
                        lease_epoch, written_at, price_scale, size_scale, flags, volume, taker_buy_volume)
                    SELECT instrument_id, 60, start, start, start, 100 + n, 100 + n, 100 + n, 100 + n, 1, 0,
                        clock_timestamp(), 2, 0, 1, 1, 0
                    FROM market.instrument, generate_series(0, 8) AS n,
                        LATERAL (SELECT \(start.nanoseconds) + n * 60::bigint * 1000000000) AS at (start)
                    WHERE symbol = 'BTC/USD'
                    """)
            }
            let answer = try await fixture.client.get("/v1/indicators/\(Self.path)?name=sma&period=7")
            #expect(try answer.json("items.5.value") == .null)
            #expect(try answer.json("items.6.value") == .string("1.03"))
            #expect(try answer.json("items.7.value") == .string("1.04"))
        }
    }

    @Test("tells what moves most of the day so far, before an hour was scored")
    func moving() throws {
        func ticker(_ symbol: String, last: String? = "1", _ change: String?) -> TickerBody {
            var known = KnownTicker(instrument: InstrumentID(venue: .kraken, symbol: symbol))
            known.top = nil
            var body = TickerBody(known, BusConnectionState())
            (body.last, body.changePercent, body.volume) = (last, change, "5")
            return body
        }
        let bodies = TrendingBody.moving(
            [
                ticker("A", "1.5"), ticker("B", "-20"), ticker("D", nil), ticker("C", "0"),
                ticker("E", last: nil, "99"),
            ], limit: 3)
        #expect(bodies.map(\.symbol) == ["B", "A", "C"])
        #expect(bodies.map(\.priceChange) == ["-0.2", "0.015", "0"] && bodies[0].volume == "5")
        #expect(bodies[0].hour == nil && bodies[0].score == nil)
    }

    @Test("calls no change one of 24 hours while trades of them may be missing")
    func incomplete() {
        var body = TickerBody(
            KnownTicker(instrument: InstrumentID(venue: .kraken, symbol: "A")), BusConnectionState())
        body.changePercent = "1.5"
        #expect(body.dayChangePercent == "1.5")
        body.incomplete = true
        #expect(body.dayChangePercent == nil)
    }

    @Test("shows something that moves as soon as something is heard")
    func fresh() async throws {
        try await Self.run { fixture, _, tape async throws in
            #expect(try await fixture.client.get("/v1/trending").count() == 0)
            tape.quote(.live, bid: 61_000, ask: 61_002)
            try await eventually { try await fixture.client.get("/v1/trending").count() == 1 }
            let item = try await fixture.client.get("/v1/trending")
            #expect(try item.json("items.0.instrument") == .string("kraken:BTC/USD"))
            #expect(try item.json("items.0.score") == nil)
        }
    }

    @Test("tells nothing of the market to nobody where it is not public")
    func closed() async throws {
        try await Self.run {
            $0.server.marketIsPublic = false
        } _: { fixture, _, _ in
            for path in ["/v1/instruments", "/v1/tickers", "/v1/venues", "/v1/quote/BTC-USD", "/v1/index"] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 401 && answer.problem == "unauthenticated", "\(path)")
            }
            #expect(try await fixture.client.get("/v1/status").status == 401)
        }
    }

    @Test(
        "says prices in words",
        arguments: [
            ("61000.5", "USD", "1.234", "Bitcoin 61,000.50 dollars, up 1.2 % today"),
            ("1234567", "EUR", "-0.06", "Bitcoin 1,234,567.00 euros, down 0.1 % today"),
            ("0.000123", "XYZ", "0.01", "Bitcoin 0.000123 XYZ, unchanged today"),
            ("999.999", "JPY", nil, "Bitcoin 1,000.00 yen"),
        ] as [(String, String, String?, String)])
    func words(price: String, quote: String, change: String?, text: String) {
        #expect(
            QuoteText.sentence(name: "Bitcoin", price: price, quote: quote, changePercent: change) == text)
    }
}

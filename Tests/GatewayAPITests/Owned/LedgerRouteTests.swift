import AccountStore
import Instruments
import JSON
import LedgerFiles
import MarketState
import MarketStore
import Portfolio
import PortfolioStore
import Shapes
import Store
import Support
import Testing
import Wire

@testable import GatewayAPI

/// What whoever reckons elsewhere is given.
@Suite("The ledger of a portfolio", .timeLimit(.minutes(10)))
struct LedgerRouteTests {
    /// 2026-01-01.
    private static let day: Int64 = 20_454
    private static let length: Int64 = 86_400_000_000_000
    private static let end = Timestamp(nanoseconds: (day + 3) * length)
    private static let usd = Asset(rawValue: "USD")

    /// A transaction of a day of that month; `more` are members with a comma behind each.
    private static func row(_ day: Int, _ kind: String, _ amount: String, _ more: String) -> String {
        #"{"time":"2026-01-0\#(day)T00:00:00.5Z","wallet":"Kraken",\#(more)"kind":"\#(kind)","#
            + #""amount":"\#(amount)"}"#
    }

    /// A portfolio with an account at an exchange and three transactions, one of them with all that one may
    /// have.
    private static func filled(_ ann: TestClient) async throws -> String {
        let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
        let path = "/v1/portfolios/\(id)"
        for wallet in [#"{"name":"Kraken","kind":"exchange"}"#, #"{"name":"Odd"}"#] {
            _ = try await ann.ask("POST", "\(path)/wallets", json: wallet)
        }
        let coin = #""asset":"BTC","counter_asset":"USD","#
        let bought =
            #""counter_amount":"30000","external_id":"b1","note":"a \"b\"\n","fee_asset":"USD","#
            + #""fee_amount":"0.000000000000000001","#
        let sold =
            #""counter_amount":"6100","tags":["x y","z"],"price_source":"me","lots":["b1=0.1"],"#
        for row in [
            row(1, "deposit", "100000", #""asset":"USD","#), row(2, "buy", "0.50", coin + bought),
            row(3, "sell", "0.1", coin + sold),
        ] {
            _ = try await ann.make("\(path)/transactions", row)
        }
        let lots = #"{"settings":[{"method":"specific"},{"from":"2026-02-01","method":"lifo"}]}"#
        #expect(try await ann.ask("PUT", "\(path)/lots/settings", json: lots).status == 200)
        return id
    }

    /// Daily closes of bitcoin from the first day on, in tenths of a dollar.
    private static func close(_ prices: [Int64], in database: Database) async throws {
        let scale = try #require(Scale(1))
        var batch = CandleBatch()
        for (index, price) in prices.enumerated() {
            let start = Timestamp(nanoseconds: (day + Int64(index)) * length)
            let (last, value) = (start.adding(nanoseconds: length - 1), Price(price))
            batch.append(
                CandleRow(
                    interval: .day, start: start, openTime: start, closeTime: last, open: value, high: value,
                    low: value, close: value, priceScale: scale, sizeScale: .zero, tradeCount: 1,
                    volume: Amount(units: 1, places: 0), takerBuyVolume: nil, notional: nil, flags: .closed),
                of: TwoUserFixture.bitcoin)
        }
        _ = try await database.fill(batch)
    }

    private static func stored(_ id: String, in database: Database) async throws -> StoredLedger {
        let (portfolio, user) = (PortfolioID(rawValue: try #require(UniqueID(id))), TwoUserFixture.ann)
        return try await database.transaction(as: user, .snapshot) { session in
            try session.ledger(of: try session.portfolio(portfolio, of: user), needsPrices: true)
        }
    }

    @Test("gives the same report elsewhere, with the days that were stored and what is compared with")
    func whole() async throws {
        try await TwoUserFixture.run { fixture, ann, _ async throws in
            let (id, database) = (try await Self.filled(ann), fixture.services.database)
            try await Self.close([600_000, 610_000, 620_000], in: database)
            try await database.withSession { session in
                try session.script(
                    """
                    INSERT INTO portfolio.day (portfolio_id, day, value, inflow, outflow)
                    VALUES ('\(id)', \(Self.day), 1234.5, 100000, 0)
                    """)
            }
            let answer = try await ann.get(
                "/v1/portfolios/\(id)/ledger?prices=true&days=true&benchmark=kraken:BTC%2FUSD")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try answer.text("portfolio.name") == "Main" && answer.text("portfolio.id") == id)
            let read = try LedgerDocument(reading: answer.body)
            let stored = try await Self.stored(id, in: database)
            #expect(read.imported.transactions == stored.imported.transactions)
            #expect(read.imported.lines == [1, 2, 3])
            #expect(read.settings == stored.settings && read.settings.count == 2)
            #expect(read.areExchanges == ["Kraken": true])
            var copy = stored
            (copy.imported, copy.settings, copy.base) = (read.imported, read.settings, read.base)
            (copy.areExchanges, copy.prices) = (read.areExchanges, read.prices)
            let reports = try [copy, stored].map { ledger in
                var loaded = try ledger.loaded(until: Self.end)
                loaded.benchmark = read.benchmark
                return String(decoding: ReportBody(of: loaded).json, as: UTF8.self)
            }
            #expect(reports[0] == reports[1])
            #expect(reports[0].contains(#""price":"62000""#) && reports[0].contains(#""benchmark":{"#))
            #expect(read.benchmark?.price(in: Self.usd, at: Self.end)?.price.description == "62000")
            #expect(read.days.map(\.value?.description) == ["1234.5"])
            #expect(read.days.map(\.date) == ["2026-01-01"])
        }
    }

    @Test("has no more than is asked for, in the currency and as of the moment that is asked for")
    func parts() async throws {
        try await TwoUserFixture.run { fixture, ann, ben async throws in
            let before = fixture.services.clock().plain
            let id = try await Self.filled(ann)
            try await Self.close([600_000], in: fixture.services.database)
            let path = "/v1/portfolios/\(id)/ledger"
            let plain = try await ann.get(path)
            #expect(try plain.count("transactions") == 3 && plain.text("base") == "USD")
            for list in ["prices", "live", "days"] { #expect(try plain.count(list) == 0, "\(list)") }
            #expect(try plain.json("benchmark") == .null)
            #expect(try plain.json("transactions.0.note") == nil)
            #expect(try await ann.get("\(path)?prices=true").count("prices") == 1)
            #expect(try await ann.get("\(path)?base=EUR").text("base") == "EUR")
            let then = try await ann.get("\(path)?as_recorded=\(before)")
            #expect(try then.count("transactions") == 0 && then.count("lot_settings") == 0)
            #expect(try await ben.get(path).status == 404)
            for (query, field) in [
                ("base=BTC", "base"), ("live=true", "live"), ("benchmark=ZZZ", "benchmark"),
                ("as_recorded=soon", "as_recorded"), ("price=true", "price"),
            ] {
                let refused = try await ann.get("\(path)?\(query)")
                #expect(refused.status == 422, "\(query): \(refused.text)")
                #expect(try refused.text("field") == field)
            }
        }
    }

    @Test("has the prices of the moment where they are asked for and somebody knows them")
    func live() async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            gateway.live.valuation = { id, _ in
                var known = Bitpal_V1_PortfolioValuation()
                (known.portfolio, known.base) = (id.description, "USD")
                var position = Bitpal_V1_PortfolioPosition()
                (position.asset, position.price, position.source) = ("BTC", "64000.5", "index BTC-USD")
                position.priceTimeUnixNanos = Self.end.nanoseconds
                known.positions.append(position)
                return known
            }
        }) { _, ann, _ in
            let path = "/v1/portfolios/\(try await Self.filled(ann))/ledger"
            #expect(try await ann.get("\(path)?prices=true").count("live") == 0)
            let answer = try await ann.get("\(path)?prices=true&live=true")
            let read = try LedgerDocument(reading: answer.body)
            #expect(read.live.map(\.point.price.description) == ["64000.5"])
            #expect(read.live.map(\.point.time) == [Self.end])
            #expect(read.live.map(\.source) == ["index BTC-USD"])
        }
    }
}

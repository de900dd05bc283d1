import Instruments
import JSON
import PortfolioStore
import Store
import Support
import Testing
import Wire

@testable import GatewayAPI

@Suite("Portfolio routes", .timeLimit(.minutes(10)))
struct PortfolioRouteTests {
    private static func row(_ day: Int, _ more: String) -> String {
        #"{"time":"2026-01-0\#(day)T00:00:00Z","wallet":"Cold",\#(more)}"#
    }
    private static let deposit = row(1, #""kind":"deposit","asset":"USD","amount":"1000","external_id":"d1""#)
    private static let buy = row(
        2, #""kind":"buy","asset":"BTC","amount":"0.25","counter_asset":"USD","counter_amount":"500""#)
    private static let sell = row(
        3, #""kind":"sell","asset":"BTC","amount":"0.1","counter_asset":"USD","counter_amount":"300""#)

    /// A portfolio with a wallet and three transactions.
    private static func filled(_ ann: TestClient) async throws -> String {
        let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
        _ = try await ann.ask("POST", "/v1/portfolios/\(id)/wallets", json: #"{"name":"Cold"}"#)
        for row in [deposit, buy, sell] { _ = try await ann.make("/v1/portfolios/\(id)/transactions", row) }
        return id
    }

    @Test("a wallet that is there is changed in what is named, and in nothing else")
    func wallets() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let path = "/v1/portfolios/\(try await ann.make("/v1/portfolios", #"{"name":"Main"}"#))/wallets"
            let first = try await ann.ask("POST", path, json: #"{"name":"W","kind":"exchange","note":"n"}"#)
            #expect(first.status == 201)
            let same = try await ann.ask("POST", path, json: #"{"name":"W"}"#)
            #expect(same.status == 200)
            #expect(try same.text("kind") == "exchange" && same.text("note") == "n")
            let other = try await ann.ask("POST", path, json: #"{"name":"W","kind":"cold"}"#)
            #expect(try other.text("kind") == "cold" && other.text("note") == "n")
        }
    }

    @Test("a new portfolio is valued in what it names, else in the currency of its owner's settings")
    func base() async throws {
        try await TwoUserFixture.run { _, ann, ben async throws in
            func base(_ client: TestClient, _ json: String) async throws -> String? {
                try await client.ask("POST", "/v1/portfolios", json: json).text("base")
            }
            #expect(try await base(ann, #"{"name":"Before"}"#) == "USD")
            let set = try await ann.ask("PATCH", "/v1/account/settings", json: #"{"base_currency":"EUR"}"#)
            #expect(set.status == 200, "\(set.text)")
            #expect(try await base(ann, #"{"name":"After"}"#) == "EUR")
            #expect(try await base(ann, #"{"name":"Named","base":"CHF"}"#) == "CHF")
            #expect(try await base(ben, #"{"name":"Before"}"#) == "USD")
        }
    }

    @Test("a transaction that is refused is no line of a file, and says what is accepted")
    func refusals() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
            let rows = [
                (#""amount":"-1","time":"2026-01-01T00:00:00Z""#, "amount"),
                (#""amount":"1","time":"today""#, "time"),
            ]
            for (more, field) in rows {
                let body = #"{"wallet":"W","kind":"deposit","asset":"USD",\#(more)}"#
                let answer = try await ann.ask("POST", "/v1/portfolios/\(id)/transactions", json: body)
                #expect(answer.status == 422)
                #expect(try answer.text("field") == field)
                #expect(try answer.text("detail")?.contains("line") == false)
                #expect(try answer.text("accepted")?.hasPrefix("a ") == true)
            }
        }
    }

    @Test("transactions are added once, edited with their history, and removed")
    func transactions() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await Self.filled(ann)
            let path = "/v1/portfolios/\(id)/transactions"
            #expect(try await ann.ask("POST", path, json: Self.deposit).status == 200)
            #expect(try await ann.get(path).count() == 3)
            let first = try await ann.get("\(path)?limit=2")
            #expect(try first.text("items.0.kind") == "sell")
            let rest = try await ann.get("\(path)?limit=2&cursor=\(try first.text("next") ?? "")")
            #expect(try rest.text("items.0.kind") == "deposit")
            #expect(try rest.json("next") == .null)
            #expect(try await ann.get("\(path)?asset=BTC").count() == 2)
            let more = Self.deposit.replacing("1000", with: "2000")
            #expect(try await ann.ask("PUT", "\(path)/1?revision=1", json: more).text("amount") == "2000")
            #expect(try await ann.ask("PUT", "\(path)/1?revision=1", json: more).status == 412)
            #expect(try await ann.get("\(path)/1?history=true").count() == 2)
            // Without the purchase there is nothing to sell.
            let needed = try await ann.ask("DELETE", "\(path)/2")
            #expect(needed.status == 409)
            #expect(try await ann.ask("DELETE", "\(path)/3").status == 204)
            #expect(try await ann.get("\(path)/3").status == 404)
            let unknown = try await ann.ask("POST", path, json: Self.buy.replacing("BTC", with: "BTX"))
            #expect(try unknown.text("field") == "asset")
            let wrong = try await ann.ask("POST", path, json: Self.buy.replacing("0.25", with: "much"))
            #expect(wrong.status == 422)
            #expect(try wrong.text("field") == "amount")
        }
    }

    @Test("transactions are removed together or not at all, and listed by number as they were at a time")
    func together() async throws {
        try await TwoUserFixture.run { fixture, ann, ben async throws in
            let id = try await Self.filled(ann)
            let path = "/v1/portfolios/\(id)/transactions"
            func remove(_ numbers: String, _ client: TestClient) async throws -> TestAnswer {
                try await client.ask(
                    "POST", "\(path)/bulk", json: #"{"numbers":[\#(numbers)],"action":"remove"}"#)
            }
            #expect(try await remove("3,9", ann).status == 404)
            #expect(try await remove("2", ann).status == 409)
            #expect(try await remove("2,3", ben).status == 404)
            #expect(try await remove("", ann).text("field") == "numbers")
            #expect(try await ann.get("\(path)?order=number").count() == 3)
            let before = fixture.services.clock().plain
            #expect(try await remove("2,3", ann).status == 204)
            #expect(try await ann.get("\(path)?order=number").count() == 1)
            let then = "\(path)?order=number&as_recorded=\(before)&limit=2"
            let first = try await ann.get(then)
            #expect(try first.json("items.0.number") == .number("1"))
            #expect(try first.json("items.1.number") == .number("2"))
            let rest = try await ann.get("\(then)&cursor=\(try first.text("next") ?? "")")
            #expect(try rest.count() == 1 && rest.json("items.0.number") == .number("3"))
            #expect(try rest.json("next") == .null)
            #expect(try await ann.get("\(then)&kind=sell").json("items.0.number") == .number("3"))
            let unordered = try await ann.get("\(path)?as_recorded=\(before)")
            #expect(try unordered.status == 422 && unordered.text("field") == "as_recorded")
        }
    }

    @Test("say what they are worth, hold and made, with what is not known as such")
    func values() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await Self.filled(ann)
            let start = "/v1/portfolios/\(id)"
            let valuation = try await ann.get("\(start)/valuation")
            // No market of the test has a price of bitcoin: the whole is unknown, and no guess.
            #expect(try valuation.json("value") == .null)
            #expect(try valuation.text("known_value") == "800")
            #expect(try valuation.text("missing.0") == "BTC")
            #expect(try await ann.get("\(start)/holdings").count() == 2)
            #expect(try await ann.get("\(start)/lots").text("items.0.cost_basis") == "300")
            let allocation = try await ann.get("\(start)/allocation")
            #expect(try allocation.count() == 0 && allocation.text("missing_prices.0") == "BTC")
            #expect(try await ann.get("\(start)/history?range=1W").count() == 7)
            #expect(try await ann.get("\(start)/performance?range=1D").text("range") == "1D")
            let gains = try await ann.get("\(start)/report?year=2026&form=generic")
            #expect(gains.header("content-type")?.hasPrefix("text/csv") == true)
            #expect(gains.text.contains("100"))
            #expect(try await ann.get("\(start)/report").text("totals.realized") == "100")
            #expect(try await ann.get("\(start)/explain?asset=BTC").count("lines") ?? 0 > 0)
            let targets = try await ann.ask(
                "PUT", "\(start)/targets", json: #"{"targets":[{"asset":"BTC","share":"0.5"}]}"#)
            #expect(try targets.text("targets.0.share") == "0.5")
            let over = try await ann.ask(
                "PUT", "\(start)/targets", json: #"{"targets":[{"asset":"BTC","share":"1.5"}]}"#)
            #expect(over.status == 422)
            let whatIf = try await ann.ask(
                "POST", "\(start)/what-if",
                json: #"{"transactions":[\#(Self.sell.replacing("01-03", with: "01-04"))]}"#)
            #expect(try whatIf.text("realized") == "100")
        }
    }

    @Test("lots are taken as their owner says, from a day on, and a wrong word is named with its place")
    func lots() async throws {
        try await TwoUserFixture.run { _, ann, ben async throws in
            let id = try await Self.filled(ann)
            let path = "/v1/portfolios/\(id)/lots"
            #expect(try await ann.get(path).text("settings.0.method") == "fifo")
            let wanted =
                #"{"settings":[{"method":"hifo"},{"from":"2026-02-01","method":"lifo","scope":"wallet"}]}"#
            let set = try await ann.ask("PUT", path + "/settings", json: wanted)
            #expect(set.status == 200, "\(set.text)")
            let shown = try await ann.get(path)
            let settings = try await ann.get(path + "/settings")
            for answer in [set, shown, settings] {
                #expect(try answer.json("settings.0.from") == .null)
                #expect(try answer.text("settings.0.method") == "hifo")
                #expect(try answer.text("settings.1.from") == "2026-02-01T00:00:00Z")
                #expect(try answer.text("settings.1.scope") == "wallet")
            }
            for (json, field) in [
                (#"{"settings":[{"method":"best"}]}"#, "settings[0].method"),
                (#"{"settings":[{"method":"fifo","scope":"all"}]}"#, "settings[0].scope"),
                (#"{"settings":[{"from":"soon","method":"fifo"}]}"#, "settings[0].from"),
                (#"{"settings":[{"method":"fifo"},{"method":"lifo"}]}"#, "switch"),
            ] {
                let refused = try await ann.ask("PUT", path + "/settings", json: json)
                #expect(refused.status == 422, "\(json)")
                #expect(try refused.text("field") == field)
            }
            #expect(try await ben.ask("PUT", path + "/settings", json: wanted).status == 404)
            #expect(try await ben.get(path + "/settings").status == 404)
            let cleared = try await ann.ask("PUT", path + "/settings", json: #"{"settings":[]}"#)
            #expect(try cleared.text("settings.0.method") == "fifo")
        }
    }

    @Test("the prices of the moment are used where somebody values, with their source; a stale one is not")
    func livePrices() async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            let time = gateway.services.clock().nanoseconds - 1_000_000_000
            gateway.live.valuation = { id, _ in
                var known = Bitpal_V1_PortfolioValuation()
                (known.portfolio, known.base) = (id.description, "USD")
                for (asset, stale) in [("BTC", ""), ("ETH", "nothing is heard of the bus")] {
                    var position = Bitpal_V1_PortfolioPosition()
                    (position.asset, position.price, position.stale) = (asset, "4000", stale)
                    (position.source, position.priceTimeUnixNanos) = ("index \(asset)-USD", time)
                    known.positions.append(position)
                }
                return known
            }
        }) { _, ann, _ in
            let id = try await Self.filled(ann)
            let start = "/v1/portfolios/\(id)"
            let report = try await ann.get("\(start)/report")
            #expect(try report.text("valuation.0.price") == "4000")
            #expect(try report.text("valuation.0.source") == "index BTC-USD")
            // 0.15 bitcoin and 800 dollars.
            #expect(try report.text("totals.value") == "1400")
            let venues = try await ann.get("\(start)/allocation?by=venue")
            #expect(try venues.text("items.0.name") == "self custody")
            #expect(try venues.text("items.0.share") == "1")
            _ = try await ann.make(
                "\(start)/transactions?new_asset=true",
                Self.row(4, #""kind":"opening","asset":"ETH","amount":"1""#))
            #expect(try await ann.get("\(start)/report").json("totals.value") == .null)
        }
    }

    @Test("an export is imported once; a preview stores nothing; a fault says its line")
    func files() async throws {
        try await TwoUserFixture.run { _, ann, ben async throws in
            let id = try await Self.filled(ann)
            let csv = try await ann.get("/v1/portfolios/\(id)/export?format=csv").text
            let text = csv.replacing("\r", with: "").replacing("\n", with: "\\n")
            let body = #"{"format":"csv","text":"\#(text)","source":"mine.csv"}"#
            let other = try await ben.make("/v1/portfolios", #"{"name":"Copy"}"#)
            let path = "/v1/portfolios/\(other)"
            let preview = try await ben.ask("POST", "\(path)/import/preview", json: body)
            #expect(try preview.json("added") == .number("3"))
            #expect(try await ben.get("\(path)/transactions").count() == 0)
            let first = try await ben.ask("POST", "\(path)/import", json: body)
            #expect(first.status == 201, "\(first.text)")
            let again = try await ben.ask("POST", "\(path)/import", json: body)
            #expect(again.status == 200)
            #expect(try again.json("added") == .number("0"))
            #expect(try await ben.get("\(path)/imports").text("items.0.source") == "mine.csv")
            let report = try await ben.get("\(path)/imports/1")
            #expect(try report.json("added") == .number("3"))
            #expect(try report.count("skipped") == 0)
            #expect(try await ben.get("\(path)/imports/9").status == 404)
            #expect(try await ann.get("\(path)/imports/1").status == 404)
            #expect(try await ben.get("\(path)/export?format=csv").text == csv)
            let wrong = try await ben.ask(
                "POST", "\(path)/import", json: #"{"format":"csv","text":"time,kind\nnever,buy\n"}"#)
            #expect(wrong.status == 422)
            let strange =
                #"{"format":"csv","text":"time,kind,wallet,amount,asset\n2026-01-03T00:00:00Z,opening,A,1,BTX\n""#
            let refused = try await ben.ask("POST", "\(path)/import", json: strange + "}")
            #expect(refused.status == 422)
            #expect(try refused.text("field") == "asset" && refused.text("value") == "BTX")
            #expect(try refused.text("detail")?.hasPrefix("line 2, column 5 (asset): ") == true)
            #expect(try refused.text("accepted")?.contains("BTC") == true)
            let taken = try await ben.ask(
                "POST", "\(path)/import", json: strange + #","allow_unknown_assets":true}"#)
            #expect(taken.status == 201)
            #expect(try taken.text("unknown_assets.0") == "BTX")
        }
    }

    @Test("a link shows shares of the whole to whoever has it, until it is revoked")
    func sharing() async throws {
        try await TwoUserFixture.run { fixture, ann, _ async throws in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
            _ = try await ann.ask("POST", "/v1/portfolios/\(id)/wallets", json: #"{"name":"Cold"}"#)
            _ = try await ann.make("/v1/portfolios/\(id)/transactions", Self.deposit)
            let link = try await ann.ask("POST", "/v1/portfolios/\(id)/shares", json: #"{"days":3}"#)
            let token = try link.text("token") ?? ""
            let shown = try await fixture.client.get("/v1/shared/\(token)")
            #expect(shown.status == 200, "\(shown.text)")
            #expect(try shown.text("allocation.0.asset") == "USD")
            #expect(try shown.text("allocation.0.share.from") == "75")
            #expect(try shown.json("allocation.0.share.to") == .null)
            #expect(!shown.text.contains("1000"))
            let share = try link.text("id") ?? ""
            #expect(try await ann.ask("DELETE", "/v1/portfolios/\(id)/shares/\(share)").status == 204)
            #expect(try await fixture.client.get("/v1/shared/\(token)").status == 404)
            #expect(try await ann.get("/v1/portfolios/\(id)/shares").text("items.0.state") == "revoked")
        }
    }

    @Test("a link shows its owner, and nobody else, what it would at other prices")
    func sharingAtPrices() async throws {
        try await TwoUserFixture.run { fixture, ann, ben async throws in
            let id = try await Self.filled(ann)
            let link = try await ann.ask("POST", "/v1/portfolios/\(id)/shares", json: #"{"days":3}"#)
            let path = "/v1/shared/\(try link.text("token") ?? "")"
            let prices = #"{"prices":"time,asset,currency,price\n2026-01-01,BTC,USD,2000\n"}"#
            // Of 1100 dollars 800 are dollars.
            let shown = try await ann.ask("POST", path, json: prices)
            #expect(shown.status == 200, "\(shown.text)")
            #expect(try shown.text("allocation.0.asset") == "USD")
            #expect(try shown.text("allocation.0.share.from") == "50")
            #expect(try shown.text("allocation.1.share.from") == "25")
            // A price of days to come is none of now.
            let later = prices.replacing("2000", with: #"2000\n2099-01-01,BTC,USD,1"#)
            #expect(try await ann.ask("POST", path, json: later).text == shown.text)
            #expect(try await ben.ask("POST", path, json: prices).status == 404)
            #expect(try await fixture.client.ask("POST", path, json: prices).status == 401)
            let missing = try await ann.ask("POST", path, json: prices.replacing("BTC", with: "ETH"))
            #expect(missing.status == 409, "\(missing.text)")
            let wrong = try await ann.ask("POST", path, json: prices.replacing(",2000", with: ",much"))
            #expect(try wrong.text("field") == "price")
            #expect(try wrong.text("detail")?.hasPrefix("line 2, column 4 (price): ") == true)
        }
    }

    @Test("an amount is a text of digits", arguments: ["0.1", #"" 1""#, #""1 ""#])
    func amounts(_ amount: String) async throws {
        try await TwoUserFixture.run { _, ann, _ in
            let id = try await ann.make("/v1/portfolios", #"{"name":"Main"}"#)
            let answer = try await ann.ask(
                "POST", "/v1/portfolios/\(id)/transactions",
                json: #"{"time":"2026-01-01T00:00:00Z","kind":"deposit","wallet":"W","asset":"USD","amount":"#
                    + amount + "}")
            #expect(answer.status == 422, "\(answer.text)")
            #expect(try answer.text("field") == "amount")
        }
    }

    @Test("a summary stays below 2 kB with the longest names, and leaves the last instruments out for it")
    func longestSummary() async throws {
        let sentence = String(repeating: "\\\"", count: 200)
        try await TwoUserFixture.run(prepare: { gateway in
            let digits = String(repeating: "9", count: 30)
            gateway.live.quote = { id in
                guard id.venue == .kraken else { return .init(last: "61000.5", changePercent: "-12.34") }
                return .init(last: digits, changePercent: digits, stale: sentence)
            }
        }) { _, ann, _ in
            let name = String(repeating: #"\""#, count: 64)
            _ = try await ann.make("/v1/portfolios", #"{"name":"\#(name)"}"#)
            for count in 1...8 {
                let names = (0..<count).map { "kraken:\($0)" + String(repeating: "%22", count: 56) }
                let summary = try await ann.get("/v1/summary?instruments=\(names.joined(separator: ","))")
                #expect(summary.status == 200 && summary.body.count < 2_000, "\(count): \(summary.text)")
                #expect(try summary.text("instruments.0.last") != nil)
                #expect(try summary.text("portfolio.base") == "USD")
            }
            // With what markets are really called there is room for all.
            let common = (0..<8).map { "binance-usdm:BTCUSDT_25032\($0)" }.joined(separator: ",")
            #expect(try await ann.get("/v1/summary?instruments=\(common)").count("instruments") == 8)
        }
        #expect(SummaryText.cut(sentence).utf8.count <= 160 && SummaryText.cut("short") == "short")
    }

    /// Stores that a rule of Ann's fired so long ago, as the evaluator's transaction does.
    private static func fire(_ rule: String, epoch: Int, ago: String, in database: Database) async throws {
        try await database.withSession { session in
            try session.script(
                """
                INSERT INTO alerts.firing (rule_id, epoch, user_id, rule_version, venue, symbol, reason,
                    price, level, venue_time, received_time, sequence, late_by, fired_at)
                VALUES ('\(rule)', \(epoch), '\(TwoUserFixture.ann)', 1, 'kraken', 'BTC/USD',
                    'last price rose to 61000.5', 61000.5, 61000, 0, 0, 0, 0,
                    clock_timestamp() - interval '\(ago)');
                UPDATE alerts.rule SET epoch = \(epoch) WHERE rule_id = '\(rule)'
                """)
        }
    }

    @Test("a summary is small, and shows the first list, the first portfolio and what fired")
    func summary() async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            gateway.live.quote = { _ in .init(last: "61000.5", changePercent: "1.2", stale: nil) }
        }) { fixture, ann, ben in
            _ = try await Self.filled(ann)
            let list = try await ann.make("/v1/watchlists", #"{"name":"Home"}"#)
            _ = try await ann.ask(
                "POST", "/v1/watchlists/\(list)/entries", json: #"{"instrument":"kraken:BTC/USD"}"#)
            let summary = try await ann.get("/v1/summary")
            #expect(summary.status == 200, "\(summary.text)")
            #expect(summary.body.count < 2_000)
            #expect(try summary.text("instruments.0.last") == "61000.5")
            #expect(try summary.text("portfolio.known_value") == "800")
            #expect(try summary.json("alerts.fired_24h") == .number("0"))
            #expect(try summary.json("alerts.last") == .null)
            let condition = #"{"price":"last","crosses":"above","level":"61000"}"#
            let rule = try await ann.make(
                "/v1/alerts", #"{"instrument":"kraken:BTC/USD","condition":\#(condition)}"#)
            // One of the last 24 hours, one before, and one that only was a test.
            try await Self.fire(rule, epoch: 1, ago: "25 hours", in: fixture.services.database)
            try await Self.fire(rule, epoch: 2, ago: "1 hour", in: fixture.services.database)
            #expect(try await ann.ask("POST", "/v1/alerts/\(rule)/test-fire").status == 202)
            let fired = try await ann.get("/v1/summary")
            #expect(try fired.json("alerts.fired_24h") == .number("1"), "\(fired.text)")
            #expect(try fired.text("alerts.last.rule") == rule)
            #expect(try fired.text("alerts.last.instrument") == "kraken:BTC/USD")
            #expect(try fired.text("alerts.last.reason") == "last price rose to 61000.5")
            #expect(fired.body.count < 2_000)
            #expect(try await ben.get("/v1/summary").json("alerts.fired_24h") == .number("0"))
            let many = Array(repeating: "kraken:BTC/USD", count: 9).joined(separator: ",")
            #expect(try await ann.get("/v1/summary?instruments=\(many)").status == 422)
        }
    }
}

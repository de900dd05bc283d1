import AccountStore
import AlertStore
import Alerting
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing

@Suite("Alerts in the database", .timeLimit(.minutes(10)))
struct AlertStoreCommandTests {
    /// The command with a database of its own that knows two instruments.
    private static func bitpal() async throws -> BitpalExecutable {
        let configuration = try await TestDatabase.market()
        let instruments = ["BTC/USD", "ETH/USD"].map { symbol in
            Instrument(
                id: InstrumentID(venue: .kraken, symbol: symbol), base: Asset(rawValue: "BTC"),
                quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero,
                tickSize: nil, lotSize: nil)
        }
        _ = try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.store(instruments, at: .zero)
        }
        return BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
    }

    private static func file(_ lines: [String]) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/rules.jsonl"
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func rule(_ id: String, instrument: String = "kraken:BTC/USD") -> String {
        #"{"id":"\#(id)","instrument":"\#(instrument)","#
            + #""condition":{"price":"last","crosses":"above","level":"5"},"repeat":"once"}"#
    }

    @Test("makes, lists, changes and deletes a rule")
    func life() async throws {
        let bitpal = try await Self.bitpal()
        let made = try await bitpal.run([
            "alert", "create", "--instrument", "kraken:BTC/USD", "--above", "61000.5", "--hysteresis", "10",
            "--note", "high", "--json",
        ])
        #expect(made.status == 0 && made.output.contains(#""repeat":{"cooldown":"1h","hysteresis":"10"}"#))
        let id = String(made.output.dropFirst(7).prefix(36))
        let edited = try await bitpal.run(["alert", "edit", id, "--below", "5", "--json"])
        #expect(edited.output.contains(#""crosses":"below","level":"5""#))
        #expect(edited.output.contains(#""note":"high","state":"armed","version":2"#))
        let listed = try await bitpal.run(["alert", "list"])
        #expect(listed.lines.count == 2 && listed.lines[1].contains("last below 5"))
        #expect(try await bitpal.run(["alert", "disable", id]).output.contains("disabled"))
        #expect(try await bitpal.run(["alert", "delete", id]).status == 0)
        #expect(try await bitpal.run(["alert", "list", "--json"]).output.isEmpty)
        let history = try await bitpal.run(["alert", "history", id, "--json"])
        let kinds = history.lines.map { $0.split(separator: "\"")[7] }
        #expect(kinds == ["deleted", "disabled", "edited", "created"])
        let gone = try await bitpal.run(["alert", "enable", id])
        #expect(gone.status == 3 && gone.hasOneErrorLine)
    }

    @Test("imports all of a file or nothing, in its order, and exports what it imported")
    func transfer() async throws {
        let bitpal = try await Self.bitpal()
        let bad = try Self.file([Self.rule("a"), Self.rule("b", instrument: "kraken:BTC/USDX")])
        let refused = try await bitpal.run(["alert", "import", bad])
        #expect(refused.status == 3 && refused.hasOneErrorLine)
        #expect(refused.errors.contains("rules.jsonl:2: field \"instrument\" is \"kraken:BTC/USDX\""))
        #expect(refused.errors.contains("nearest are kraken:BTC/USD"))
        let many = try await bitpal.run([
            "alert", "import", try Self.file((0...50).map { Self.rule("r\($0)") }),
        ])
        #expect(many.status == 1 && many.errors.contains(":51: field \"enabled\""))
        #expect(many.errors.contains("at most 50"))
        #expect(try await bitpal.run(["alert", "export"]).output.isEmpty)
        let id = "01900000-0000-7000-8000-000000000001"
        let good = try Self.file([
            Self.rule("z"), Self.rule("y", instrument: "kraken:ETH/USD"), Self.rule(id),
        ])
        #expect(try await bitpal.run(["alert", "import", good]).status == 0)
        let exported = try await bitpal.run(["alert", "export"]).lines
        #expect(exported.count == 3 && exported.contains(Self.rule(id)))
        let again = try await bitpal.run(["alert", "import", try Self.file([Self.rule(id)])])
        #expect(again.status == 1 && again.errors.contains("field \"id\" is \"\(id)\""))
        // One that was deleted comes back, under another id.
        #expect(try await bitpal.run(["alert", "delete", id]).status == 0)
        let back = try await bitpal.run(["alert", "import", try Self.file([Self.rule(id)]), "--json"])
        #expect(back.status == 0 && !back.output.contains(id) && back.output.contains(#""level":"5""#))
        #expect(try await bitpal.run(["alert", "export"]).lines.count == 3)
    }

    @Test("lets a user have as many rules switched on as the setting says")
    func setting() async throws {
        var bitpal = try await Self.bitpal()
        bitpal.environment["BITPAL_ALERTS_PER_USER"] = "2"
        let file = try Self.file((0...2).map { Self.rule("r\($0)") })
        let many = try await bitpal.run(["alert", "import", file])
        #expect(many.status == 1 && many.errors.contains(":3: field \"enabled\""), "\(many.errors)")
        #expect(many.errors.contains("at most 2"), "\(many.errors)")
        bitpal.environment["BITPAL_ALERTS_PER_USER"] = "0"
        let refused = try await bitpal.run(["alert", "import", file])
        #expect(refused.status != 0 && refused.errors.contains("1...1000000"), "\(refused.errors)")
    }

    @Test(
        "refuses with the field, its value and what is accepted",
        arguments: [
            (["--above", "5", "--expires", "2020-01-01T00:00:00Z"], "field \"expires\" is 2020-01-01"),
            (["--above", "5", "--cooldown=-1h"], "field \"repeat.cooldown\" is \"-1h\""),
            (["--above", "5", "--cooldown", "-1h"], "field \"repeat.cooldown\" is \"-1h\""),
            (["--above=-5"], "field \"condition.level\" is \"-5\""),
            (["--above", "x"], "field \"condition.level\" is \"x\""),
            (["--above", "5", "--channel", "ops"], "field \"channels\" is \"ops\": accepted is none"),
            ([], "field \"condition\" is missing"),
        ])
    func refusals(flags: [String], words: String) async throws {
        let bitpal = try await Self.bitpal()
        let run = try await bitpal.run(["alert", "create", "--instrument", "kraken:BTC/USD"] + flags)
        #expect(run.status == 1 && run.hasOneErrorLine)
        #expect(run.errors.contains(words))
        #expect(try await bitpal.run(["alert", "list", "--json"]).output.isEmpty)
    }

    @Test("makes a rule of a band with hours, and refuses a time zone that there is not")
    func band() async throws {
        let bitpal = try await Self.bitpal()
        let flags = [
            "alert", "create", "--instrument", "kraken:BTC/USD", "--low", "90", "--high", "110", "--hours",
            "08:00-22:00", "--days", "mon,fri", "--json", "--time-zone",
        ]
        let made = try await bitpal.run(flags + ["Europe/Berlin"])
        #expect(made.status == 0 && made.output.contains(#""leaves":{"low":"90","high":"110"}"#))
        #expect(made.output.contains(#""hours":"08:00-22:00""#) && made.output.contains("Europe/Berlin"))
        let refused = try await bitpal.run(flags + ["Europe/Atlantis"])
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        #expect(refused.errors.contains(#""active.time_zone" is "Europe/Atlantis""#))
    }

    @Test("says why a rule did not fire, and sends a test of its notification")
    func explained() async throws {
        let bitpal = try await Self.bitpal()
        let made = try await bitpal.run([
            "alert", "create", "--instrument", "kraken:BTC/USD", "--above", "105", "--cooldown", "1h",
            "--json",
        ])
        let id = String(made.output.dropFirst(7).prefix(36))
        let early = try await bitpal.run(["alert", "explain", id, "--json"])
        #expect(early.output.contains("no alert-evaluator has taken it in yet"))
        let fired = try await bitpal.run(["alert", "test-fire", id])
        #expect(fired.status == 0 && fired.output.hasPrefix("notification 1 of \(id)"))
        #expect(try await bitpal.run(["alert", "history", id]).output.contains("tested #1"))
        try await Self.evaluate(id, bitpal)
        let why = try await bitpal.run(["alert", "explain", id, "--json"])
        #expect(why.output.contains("it did not fire: its cooldown lasted until"))
        #expect(
            why.output.contains(
                #""venue":"kraken","sequence":3,"trade_id":"t3","late_by_nanos":0,"previous":"100","#
                    + #""price":"106""#
            ))
        #expect(why.output.contains(#""previous":"100","price":"106","level":"105","trade_id":"t1""#))
        let page = try await bitpal.run(["alert", "explain", id])
        #expect(
            page.output.contains("last value") && page.output.contains("rose to 106 from 100, reaching 105"))
        #expect(try await bitpal.run(["alert", "explain", "x"]).status == 3)
    }

    /// Commits what an evaluator knows after three trades.
    private static func evaluate(_ id: String, _ bitpal: BitpalExecutable) async throws {
        let url = try #require(bitpal.environment["BITPAL_DATABASE_URL"])
        let configuration = try StoreConfiguration(url: url)
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            let key = try #require(UniqueID(id))
            let row = try #require(try await database.withSession { try $0.rule(key, of: .localOperator) })
            var engine = AlertEngine()
            var output: [AlertOutput] = []
            let market = engine.market(InstrumentID(venue: .kraken, symbol: "BTC/USD"))
            try engine.add(row.rule, into: &output)
            engine.prove(.trades, of: market, at: .zero, into: &output)
            for (number, price) in [Int64(100), 106, 100, 106].enumerated() {
                engine.trade(
                    Trade(
                        id: "t\(number)", side: .buy, price: Price(price), size: Quantity(1),
                        priceScale: .zero, sizeScale: .zero, venueTime: Timestamp(nanoseconds: Int64(number)),
                        receivedTime: .zero), sequence: UInt64(number), of: market, into: &output)
            }
            let term = LeaseTerm(service: "alert-evaluator", instance: "test")
            let claims = try await database.tendLeases(term).claims
            let steps = output.compactMap { event -> EvaluationCommit.Step? in
                guard case .fired(let firing) = event else { return nil }
                return .init(row, FiringRow(firing, of: row, state: [], isDone: false))
            }
            let commit = EvaluationCommit(
                shard: row.shard, number: 1, ruleChange: row.change, state: engine.state().bytes, steps: steps
            )
            _ = try await database.commit([commit], under: claims)
        }
    }

    @Test("plays rules on stored trades")
    func storedTrades() async throws {
        let bitpal = try await Self.bitpal()
        let url = try #require(bitpal.environment["BITPAL_DATABASE_URL"])
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        try await Database.use(try StoreConfiguration(url: url), logger: TestDatabase.logger) { database in
            var batch = TradeBatch()
            for (second, price) in [Int64(4), 6, 3, 7].enumerated() {
                let time = try #require(Timestamp(iso8601: "2026-01-01T00:00:0\(second)Z"))
                batch.append(
                    Trade(
                        id: "t\(second)", side: .buy, price: Price(price), size: Quantity(1),
                        priceScale: .zero,
                        sizeScale: .zero, venueTime: time, receivedTime: time), of: id)
            }
            _ = try await database.insert(batch)
        }
        let rules = try Self.file([Self.rule("r1")])
        let span = ["--from", "2026-01-01T00:00:00Z", "--to", "2026-01-01T00:00:03Z"]
        let played = try await bitpal.run(["alert", "backtest", "--rules", rules] + span)
        #expect(played.lines.count == 1 && played.lines[0].contains(#""trade_id":"t1""#))
        let backwards = ["--from", span[3], "--to", span[1]]
        #expect(try await bitpal.run(["alert", "backtest", "--rules", rules] + backwards).status == 2)
    }

    @Test("backs up what is there before it migrates an older schema")
    func backup() async throws {
        let bitpal = try await Self.bitpal()
        #expect(
            try await bitpal.run(["alert", "create", "--instrument", "kraken:BTC/USD", "--above", "5"]).status
                == 0)
        let url = try #require(bitpal.environment["BITPAL_DATABASE_URL"])
        try await Database.use(try StoreConfiguration(url: url), logger: TestDatabase.logger) { database in
            // As if the last migration were still to come; it cannot be made twice.
            try await database.withSession { session in
                try session.script(
                    """
                    DELETE FROM alerts.schema_migration
                    WHERE version = (SELECT max(version) FROM alerts.schema_migration)
                    """)
            }
        }
        let folder = try TestDatabase.temporaryDirectory()
        _ = try await bitpal.run(["alert", "list", "--data-dir", folder])
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder + "/backups")
        #expect(kept.count == 1 && kept[0].hasPrefix("before-migration-"))
    }

    @Test("gives ids to imported rules that have none, in the order of the file")
    func withoutIDs() async throws {
        let bitpal = try await Self.bitpal()
        let lines = ["5", "6", "7"].map { level in
            #"{"instrument":"kraken:BTC/USD","#
                + #""condition":{"price":"last","crosses":"above","level":"\#(level)"}}"#
        }
        let made = try await bitpal.run(["alert", "import", try Self.file(lines), "--json"])
        #expect(made.status == 0 && made.lines.count == 3)
        #expect(Set(made.lines.map { $0.dropFirst(7).prefix(36) }).count == 3)
        let listed = try await bitpal.run(["alert", "export"]).lines
        #expect(listed.map { $0.contains("\"level\":\"5\"") } == [true, false, false])
        #expect(listed[2].contains("\"level\":\"7\""))
    }

    @Test(
        "refuses what nothing could decide, and names what could",
        arguments: [
            (
                #"{"instrument":"kraken:BTC/USX","#
                    + #""condition":{"price":"last","crosses":"above","level":"5"}}"#,
                "nearest are kraken:BTC/USD"
            ),
            (
                #"{"instrument":"index:BTC-USX","#
                    + #""condition":{"price":"index","crosses":"above","level":"5"}}"#,
                "nearest are index:BTC-USD"
            ),
            (#"{"condition":{"listing":{"venue":"mtgox"}}}"#, "\"mtgox\": accepted is any of kraken"),
            (
                #"{"condition":{"portfolio":{"id":"main","metric":"profit","crosses":"above","level":"5"}}}"#,
                "\"main\": accepted is the id of a portfolio of yours"
            ),
            (
                #"{"instrument":"kraken:BTC/USD","#
                    + #""condition":{"price":"last","leaves":{"low":"9","high":"5"}}}"#,
                "field \"condition.leaves.high\" is \"5\": accepted is a decimal above \"low\""
            ),
        ])
    func undecidable(rule: String, words: String) async throws {
        let bitpal = try await Self.bitpal()
        let run = try await bitpal.run(["alert", "create", "--rule", rule])
        #expect(run.status != 0 && run.hasOneErrorLine)
        #expect(run.errors.contains(words))
        #expect(try await bitpal.run(["alert", "list", "--json"]).output.isEmpty)
    }
}

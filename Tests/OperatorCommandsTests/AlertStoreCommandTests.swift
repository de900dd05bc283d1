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

@Suite("Alerts from the command line", .timeLimit(.minutes(10)))
struct AlertStoreCommandTests {
    private static let instruments = ["BTC/USD", "ETH/USD"].map { symbol in
        Instrument(
            id: InstrumentID(venue: .kraken, symbol: symbol), base: Asset(rawValue: "BTC"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero,
            tickSize: nil, lotSize: nil)
    }

    /// A gateway that knows two instruments, and the command that asks it.
    private static func serve(
        _ more: [String: String] = [:]
    ) async throws -> (CommandServer, BitpalExecutable) {
        let server = try await CommandServer.start(more: more)
        _ = try await Database.use(server.database, logger: TestDatabase.logger) { database in
            try await database.store(instruments, at: .zero)
        }
        return (server, BitpalExecutable(environment: server.environment))
    }

    /// The id of the first rule that a command printed as JSON.
    private static func id(_ made: BitpalExecutable.Outcome) -> String {
        String(made.output.dropFirst(#"{"id":""#.count).prefix(36))
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
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["alert"] + arguments)
        }
        let made = try await run(
            "create", "--instrument", "kraken:BTC/USD", "--above", "61000.5", "--hysteresis", "10",
            "--note", "high", "--tag", "btc", "--json")
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains(#""repeat":{"cooldown":"1h","hysteresis":"10"}"#))
        let id = Self.id(made)
        let edited = try await run("edit", id, "--below", "5", "--json")
        #expect(edited.output.contains(#""crosses":"below","level":"5""#))
        #expect(edited.output.contains(#""note":"high""#))
        #expect(edited.output.contains(#""state":"armed","version":2"#))
        let listed = try await run("list", "--tag", "btc")
        #expect(listed.lines.count == 2 && listed.lines[1].contains("last below 5"))
        #expect(try await run("list", "--tag", "eth", "--json").output.isEmpty)
        #expect(try await run("show", id).output.contains("every 1h, back 10"))
        #expect(try await run("disable", id).output.contains("disabled"))
        #expect(try await run("list", "--state", "armed", "--json").output.isEmpty)
        #expect(try await run("export", "--state", "armed").output.isEmpty)
        #expect(try await run("export", "--state", "disabled").output.hasPrefix(#"{"id":"\#(id)""#))
        #expect(try await run("delete", id).status == 0)
        #expect(try await run("list", "--json").output.isEmpty)
        let history = try await run("history", id, "--json")
        let kinds = history.lines.map { $0.split(separator: "\"")[7] }
        #expect(kinds == ["deleted", "disabled", "edited", "created"])
        #expect(try await run("history", id, "--limit", "1", "--json").lines.count == 1)
        #expect(try await run("show", id).output.contains("deleted"))
        for words in [["enable", id], ["show", "export"], ["show", server.folder]] {
            let gone = try await bitpal.run(["alert"] + words)
            #expect(gone.status == 3 && gone.hasOneErrorLine && gone.errors.contains("there is no rule"))
        }
        await server.stop()
    }

    @Test("changes all of the rules that are named or none, and only the version that was looked at")
    func together() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["alert"] + arguments)
        }
        var ids: [String] = []
        for level in ["5", "6"] {
            ids.append(
                Self.id(
                    try await run("create", "--instrument", "kraken:BTC/USD", "--above", level, "--json")))
        }
        let both = try await run("edit", ids[0], ids[1], "--rule", #"{"note":"two"}"#, "--json")
        #expect(both.lines.count == 2 && both.lines.allSatisfy { $0.contains(#""note":"two""#) })
        #expect(try await run("edit", ids[0], "--note", "three", "--version", "2").status == 0)
        let stale = try await run("edit", ids[0], ids[1], "--note", "late", "--version", "2")
        #expect(stale.status == 1 && stale.hasOneErrorLine)
        #expect(stale.errors.contains("rule \(ids[0]) was changed meanwhile and is at version 3 now"))
        let wrong = try await run("edit", ids[0], ids[1], "--above", "x")
        #expect(wrong.status == 1 && wrong.errors.contains(#"condition.level is "x""#), "\(wrong.errors)")
        let broken = try await run("edit", ids[0], "--rule", #"{"note":"#)
        #expect(broken.status == 1 && broken.errors.contains("the rule is no JSON at byte"))
        let nobody = "01900000-0000-7000-8000-000000000001"
        for words in [["edit", ids[0], nobody, "--note", "x"], ["delete", ids[1], nobody]] {
            #expect(try await bitpal.run(["alert"] + words).status == 3)
        }
        let left = try await run("list", "--json").lines
        try #require(left.count == 2)
        #expect(left[0].contains(#""note":"three""#) && left[1].contains(#""note":"two""#))
        #expect(try await run("delete", ids[0], ids[1], ids[0]).lines.count == 3)
        await server.stop()
    }

    @Test("imports all of a file or nothing, in its order, and exports what it imported")
    func transfer() async throws {
        let (server, bitpal) = try await Self.serve()
        let bad = try Self.file([Self.rule("a"), Self.rule("b", instrument: "kraken:BTC/USDX")])
        let refused = try await bitpal.run(["alert", "import", bad])
        #expect(refused.status == 3 && refused.hasOneErrorLine)
        #expect(refused.errors.contains("rules.jsonl:2: instrument is \"kraken:BTC/USDX\""))
        #expect(refused.errors.contains("nearest are kraken:BTC/USD"))
        for (line, words) in [
            (Self.rule("b").replacing("\"5\"", with: "\"x\""), "condition.level is \"x\""),
            (String(Self.rule("b").dropLast()), "the rule is no JSON at byte"), ("7", "the rule is 7"),
        ] {
            let path = try Self.file([Self.rule("a"), " ", line])
            let wrong = try await bitpal.run(["alert", "import", path])
            #expect(wrong.status == 1 && wrong.hasOneErrorLine)
            #expect(wrong.errors.contains("rules.jsonl:3: \(words)"), "\(wrong.errors)")
        }
        let twice = try await bitpal.run([
            "alert", "import", try Self.file([Self.rule("a"), Self.rule("b"), Self.rule("a")]),
        ])
        #expect(twice.status == 1 && twice.hasOneErrorLine)
        #expect(twice.errors.contains(#"rules.jsonl:3: field "id" is "a" as on line 1"#), "\(twice.errors)")
        let misspelt = try await bitpal.run([
            "alert", "import", try Self.file([Self.rule("a", instrument: "nonsense")]),
        ])
        #expect(misspelt.status == 1 && misspelt.hasOneErrorLine, "\(misspelt.errors)")
        let many = try await bitpal.run([
            "alert", "import", try Self.file((0...50).map { Self.rule("r\($0)") }),
        ])
        #expect(many.status == 1 && many.errors.contains(":51: field \"enabled\""), "\(many.errors)")
        #expect(many.errors.contains("at most 50"))
        #expect(try await bitpal.run(["alert", "export"]).output.isEmpty)
        let nothing = try await bitpal.run(["alert", "import", try Self.file([])])
        #expect(nothing.status == 1 && nothing.errors.contains("the file holds nothing"), "\(nothing.errors)")
        let id = "01900000-0000-7000-8000-000000000001"
        let good = try Self.file([
            Self.rule("z"), Self.rule("y", instrument: "kraken:ETH/USD"), Self.rule(id),
        ])
        #expect(try await bitpal.run(["alert", "import", good]).status == 0)
        let exported = try await bitpal.run(["alert", "export"]).lines
        #expect(exported.count == 3 && exported.contains(Self.rule(id)))
        let again = try await bitpal.run(["alert", "import", try Self.file([Self.rule(id)])])
        #expect(again.status == 1 && again.errors.contains("rules.jsonl:1: id is \"\(id)\""))
        // One that was deleted comes back, under another id.
        #expect(try await bitpal.run(["alert", "delete", id]).status == 0)
        let back = try await bitpal.run([
            "alert", "import", try Self.file([Self.rule(id)]), "--disabled", "--json",
        ])
        #expect(back.status == 0 && !back.output.contains(id) && back.output.contains(#""level":"5""#))
        #expect(back.output.contains(#""state":"disabled""#))
        #expect(try await bitpal.run(["alert", "export"]).lines.count == 3)
        await server.stop()
    }

    @Test("imports a large file, and no more than a thousand rules at a time")
    func large() async throws {
        let (server, bitpal) = try await Self.serve()
        let note = String(repeating: "n", count: 1_000)
        var lines = (0..<1_000).map { number in
            String(Self.rule("r\(number)").dropLast()) + #","note":"\#(note)"}"#
        }
        let made = try await bitpal.run(["alert", "import", try Self.file(lines), "--disabled"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try await bitpal.run(["alert", "export"]).lines.count == 1_000)
        lines.append(Self.rule("one more"))
        let refused = try await bitpal.run(["alert", "import", try Self.file(lines), "--disabled"])
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        #expect(refused.errors.contains("rules.jsonl: rules is "), "\(refused.errors)")
        #expect(refused.errors.contains("1...1000 rules"))
        await server.stop()
    }

    @Test("lets a user have as many rules switched on as the gateway's setting says")
    func setting() async throws {
        let (server, bitpal) = try await Self.serve(["BITPAL_ALERTS_PER_USER": "2"])
        let many = try await bitpal.run([
            "alert", "import", try Self.file((0...2).map { Self.rule("r\($0)") }),
        ])
        #expect(many.status == 1 && many.errors.contains(":3: field \"enabled\""), "\(many.errors)")
        #expect(many.errors.contains("at most 2"), "\(many.errors)")
        await server.stop()
    }

    @Test("refuses with the field, its value and what is accepted")
    func refusals() async throws {
        let (server, bitpal) = try await Self.serve()
        for (flags, words) in [
            (["--above", "5", "--expires", "2020-01-01T00:00:00Z"], "expires is 2020-01-01"),
            (["--above", "5", "--cooldown=-1h"], "repeat.cooldown is \"-1h\""),
            (["--above", "5", "--cooldown", "-1h"], "repeat.cooldown is \"-1h\""),
            (["--above=-5"], "condition.level is \"-5\""), (["--above", "x"], "condition.level is \"x\""),
            (["--above", "5", "--channel", "ops"], "channels is \"ops\"; accepted: none"),
            ([], "condition is missing"),
        ] {
            let run = try await bitpal.run(["alert", "create", "--instrument", "kraken:BTC/USD"] + flags)
            #expect(run.status == 1 && run.hasOneErrorLine)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(try await bitpal.run(["alert", "list", "--json"]).output.isEmpty)
        await server.stop()
    }

    @Test("makes a rule of a band with hours, and refuses a time zone that there is not")
    func band() async throws {
        let (server, bitpal) = try await Self.serve()
        let flags = [
            "alert", "create", "--instrument", "kraken:BTC/USD", "--low", "90", "--high", "110", "--hours",
            "08:00-22:00", "--days", "mon,fri", "--json", "--time-zone",
        ]
        let made = try await bitpal.run(flags + ["Europe/Berlin"])
        #expect(made.status == 0 && made.output.contains(#""leaves":{"low":"90","high":"110"}"#))
        #expect(made.output.contains(#""hours":"08:00-22:00""#) && made.output.contains("Europe/Berlin"))
        let refused = try await bitpal.run(flags + ["Europe/Atlantis"])
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        #expect(refused.errors.contains(#"active.time_zone is "Europe/Atlantis""#), "\(refused.errors)")
        await server.stop()
    }

    @Test("makes a rule under a UUID of its own, once")
    func ownID() async throws {
        let (server, bitpal) = try await Self.serve()
        let id = "01900000-0000-7000-8000-000000000001"
        let made = try await bitpal.run(["alert", "create", "--rule", Self.rule(id), "--json"])
        #expect(made.status == 0 && Self.id(made) == id, "\(made.errors)")
        let again = try await bitpal.run(["alert", "create", "--rule", Self.rule(id)])
        #expect(again.status == 1 && again.errors.contains("id is \"\(id)\""), "\(again.errors)")
        let named = try await bitpal.run(["alert", "create", "--rule", Self.rule("mine"), "--json"])
        #expect(named.status == 0 && !named.output.contains("mine"))
        await server.stop()
    }

    @Test("says why a rule did not fire, and sends a test of its notification")
    func explained() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["alert"] + arguments)
        }
        let made = try await run(
            "create", "--instrument", "kraken:BTC/USD", "--above", "105", "--cooldown", "1h", "--json")
        let id = Self.id(made)
        let early = try await run("explain", id, "--json")
        #expect(early.output.contains("no alert-evaluator has taken it in yet"))
        let fired = try await run("test-fire", id)
        #expect(fired.status == 0 && fired.output.hasPrefix("notification 1 of \(id)"))
        #expect(try await run("history", id).output.contains("tested #1"))
        try await Self.evaluate(id, server.database)
        let why = try await run("explain", id, "--json")
        #expect(why.output.contains("it did not fire: its cooldown lasted until"))
        #expect(
            why.output.contains(
                #""venue":"kraken","sequence":3,"trade_id":"t3","late_by_nanos":0,"previous":"100","#
                    + #""price":"106""#
            ))
        #expect(why.output.contains(#""previous":"100","price":"106","level":"105","trade_id":"t1""#))
        let page = try await run("explain", id)
        #expect(page.output.contains("last above 105") && page.output.contains("1 times"))
        #expect(
            page.output.contains("last value") && page.output.contains("rose to 106 from 100, reaching 105"))
        #expect(try await run("delete", id).status == 0)
        let gone = try await run("explain", id)
        #expect(gone.status == 0 && gone.output.contains("it is deleted"), "\(gone.errors)")
        #expect(try await run("explain", "x").status == 3)
        await server.stop()
    }

    @Test("says since when a rule is done")
    func done() async throws {
        let (server, bitpal) = try await Self.serve()
        let made = try await bitpal.run([
            "alert", "create", "--instrument", "kraken:BTC/USD", "--above", "105", "--json",
        ])
        let id = Self.id(made)
        #expect(try await !bitpal.run(["alert", "show", id]).output.contains("done"))
        try await Self.evaluate(id, server.database, isDone: true)
        let page = try await bitpal.run(["alert", "show", id]).lines
        #expect(page.contains { $0.hasPrefix("state") && $0.hasSuffix("done") }, "\(page)")
        #expect(page.contains { $0.hasPrefix("done") && $0.hasSuffix("Z") }, "\(page)")
        await server.stop()
    }

    /// Commits what an evaluator knows after three trades.
    private static func evaluate(
        _ id: String, _ configuration: StoreConfiguration, isDone: Bool = false
    ) async throws {
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
                return .init(row, FiringRow(firing, of: row, state: [], isDone: isDone))
            }
            let commit = EvaluationCommit(
                shard: row.shard, number: 1, ruleChange: row.change, state: engine.state().bytes, steps: steps
            )
            _ = try await database.commit([commit], under: claims)
        }
    }

    @Test("plays rules on stored trades, which needs no gateway")
    func storedTrades() async throws {
        let configuration = try await TestDatabase.market()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await database.store(Self.instruments, at: .zero)
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

    @Test("gives ids to imported rules that have none, in the order of the file")
    func withoutIDs() async throws {
        let (server, bitpal) = try await Self.serve()
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
        await server.stop()
    }

    @Test("refuses what nothing could decide, and names what could")
    func undecidable() async throws {
        let (server, bitpal) = try await Self.serve()
        for (status, rule, words) in [
            (
                3,
                #"{"instrument":"kraken:BTC/USX","#
                    + #""condition":{"price":"last","crosses":"above","level":"5"}}"#,
                "nearest are kraken:BTC/USD"
            ),
            (
                3,
                #"{"instrument":"index:BTC-USX","#
                    + #""condition":{"price":"index","crosses":"above","level":"5"}}"#,
                "nearest are index:BTC-USD"
            ),
            (1, #"{"condition":{"listing":{"venue":"mtgox"}}}"#, "\"mtgox\"; accepted: any of kraken"),
            (
                1,
                #"{"condition":{"portfolio":{"id":"main","metric":"profit","crosses":"above","level":"5"}}}"#,
                "\"main\"; accepted: the id of a portfolio of yours"
            ),
            (
                1,
                #"{"instrument":"kraken:BTC/USD","#
                    + #""condition":{"price":"mark","crosses":"above","level":"5"}}"#,
                "no mark price of kraken is read"
            ),
            (
                1,
                #"{"instrument":"kraken:BTC/USD","#
                    + #""condition":{"price":"last","leaves":{"low":"9","high":"5"}}}"#,
                "condition.leaves.high is \"5\"; accepted: a decimal above \"low\""
            ),
        ] as [(Int32, String, String)] {
            let run = try await bitpal.run(["alert", "create", "--rule", rule])
            #expect(run.status == status && run.hasOneErrorLine)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(try await bitpal.run(["alert", "list", "--json"]).output.isEmpty)
        await server.stop()
    }
}

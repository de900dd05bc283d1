import Bus
import Foundation
import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("Portfolios of a gateway", .timeLimit(.minutes(10)))
struct PortfolioStoreCommandTests {
    private static let header =
        "time,kind,wallet,to_wallet,asset,amount,counter_asset,counter_amount,fee_asset,fee_amount,external_id,note"

    /// A gateway with a database of its own, and the command that asks it.
    private static func serve() async throws -> (CommandServer, BitpalExecutable) {
        let server = try await CommandServer.start()
        return (server, BitpalExecutable(environment: server.environment))
    }

    private static func file(_ lines: [String], name: String = "ledger.csv") throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/" + name
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static let story = [
        header, "2022-01-01T00:00:00Z,buy,A,,BTC,1,USD,100,USD,1,b1,",
        "2022-06-01T00:00:00Z,buy,A,,BTC,1,USD,300,,,b2,\"a, \"\"note\"\"\"",
        "2023-03-01T00:00:00Z,sell,A,,BTC,1.5,USD,600,USD,2,,",
    ]

    @Test("makes a portfolio, adds, edits and removes transactions, and keeps what they were")
    func life() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        #expect(try await run("create", "main", "--base", "EUR", "--json").output.contains(#""base":"EUR""#))
        let twice = try await run("create", "main")
        #expect(twice.status == 1 && twice.hasOneErrorLine)
        #expect(try await run("wallet", "add", "main", "Cold", "--kind", "cold").status == 0)
        let added = try await run(
            "add", "main", "--kind", "buy", "--wallet", "Cold", "--asset", "BTC", "--amount", "0.5",
            "--counter-asset", "EUR", "--counter-amount", "10000", "--time", "2024-01-01T00:00:00Z", "--json")
        #expect(added.status == 0 && added.output.contains(#""number":1,"revision":1"#))
        let edited = try await run("edit", "main", "1", "--amount", "0.25", "--note", "half", "--json")
        #expect(edited.output.contains(#""revision":2"#) && edited.output.contains(#""amount":"0.25""#))
        #expect(edited.output.contains(#""counter_amount":"10000""#))
        let revisions = try await run("transactions", "main", "--number", "1", "--json")
        #expect(revisions.lines.count == 2 && revisions.lines[0].contains(#""in_force":false"#))
        let sale = try await run(
            "add", "main", "--kind", "sell", "--wallet", "Cold", "--asset", "BTC", "--amount", "1",
            "--counter-asset", "EUR", "--counter-amount", "1", "--time", "2024-02-01T00:00:00Z")
        #expect(sale.status == 1 && sale.hasOneErrorLine)
        #expect(sale.errors.contains("short of 0.75 BTC at 2024-02-01T00:00:00Z"))
        #expect(try await run("remove", "main", "1").status == 0)
        #expect(try await run("transactions", "main", "--json").output.isEmpty)
        let missing = try await run("transactions", "mian")
        #expect(missing.status == 3 && missing.errors.contains("did you mean main?"))
        #expect(try await run("delete", "main").status == 2)
        #expect(try await run("delete", "main", "--yes").status == 0)
        #expect(try await run("list", "--json").output.isEmpty)
        await server.stop()
    }

    @Test("a wallet that is there keeps what is not named, and a portfolio is in its account's currency")
    func defaults() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(arguments)
        }
        #expect(try await run("user", "add", "ann@example.org", "--role", "operator").status == 0)
        try await Database.use(server.database, logger: TestDatabase.logger) { database in
            try await database.transaction { session in
                try session.script("UPDATE accounts.setting SET base_currency = 'EUR'")
            }
        }
        let made = try await run("portfolio", "create", "main", "--json")
        #expect(made.output.contains(#""base":"EUR""#), "\(made.errors)")
        func wallet(_ more: String...) async throws -> String {
            let added = try await bitpal.run(["portfolio", "wallet", "add", "main", "Cold"] + more)
            #expect(added.status == 0, "\(added.errors)")
            return try await run("portfolio", "wallet", "list", "main", "--json").output
        }
        #expect(try await wallet().contains(#""kind":"other","note":"""#))
        #expect(try await wallet("--kind", "cold").contains(#""kind":"cold","note":"""#))
        #expect(try await wallet("--note", "the safe").contains(#""kind":"cold","note":"the safe""#))
        #expect(try await wallet().contains(#""kind":"cold","note":"the safe""#))
        let wrong = try await run("portfolio", "wallet", "add", "main", "Cold", "--kind", "safe")
        #expect(wrong.status == 1 && wrong.hasOneErrorLine && wrong.errors.contains("exchange, address"))
        await server.stop()
    }

    @Test("without a gateway the commands end with status 4 and say how to start one")
    func noGateway() async throws {
        let bitpal = BitpalExecutable()
        let commands = [
            ["list"], ["create", "main"], ["transactions", "main"], ["export", "main"], ["target", "main"],
            ["import", try Self.file(Self.story), "--into", "main"], ["share", "list", "main"],
        ]
        for command in commands {
            let folder = try TestDatabase.temporaryDirectory()
            let outcome = try await bitpal.run(["portfolio"] + command + ["--data-dir", folder])
            #expect(outcome.status == 4 && outcome.hasOneErrorLine, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("bitpal up"))
        }
    }

    @Test("refuses a bad value with one line that names field, value and what is accepted")
    func faults() async throws {
        let (server, bitpal) = try await Self.serve()
        _ = try await bitpal.run(["portfolio", "create", "main"])
        _ = try await bitpal.run(["portfolio", "wallet", "add", "main", "Cold"])
        for (change, words) in [
            (["--amount", "0,5"], #"amount: "0,5" has a comma"#),
            (["--time", "2024-01-01T00:00:00"], "zone"), (["--amount", "-1"], "amount: -1 is negative"),
            (["--kind", "bought"], #"kind: "bought" is none of"#),
            (["--wallet", "Cld"], #"wallet is "Cld"; accepted: "Cold""#),
            (["--fee-asset", "EUR", "--fee-amount", "20000"], "fee_amount"),
        ] {
            var fields = [
                "--kind": "buy", "--wallet": "Cold", "--asset": "BTC", "--amount": "0.5",
                "--counter-asset": "EUR", "--counter-amount": "10000", "--time": "2024-01-01T00:00:00Z",
            ]
            for index in stride(from: 0, to: change.count, by: 2) {
                fields[change[index]] = change[index + 1]
            }
            let arguments = fields.flatMap { [$0.key, $0.value] }
            let outcome = try await bitpal.run(["portfolio", "add", "main"] + arguments)
            #expect(outcome.status == 1 && outcome.hasOneErrorLine)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
            #expect(try await bitpal.run(["portfolio", "transactions", "main", "--json"]).output.isEmpty)
        }
        await server.stop()
    }

    @Test("transactions are removed together or not at all, and listed as they were at an instant")
    func together() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        _ = try await run("create", "main")
        _ = try await run("import", try Self.file(Self.story), "--into", "main")
        let missing = try await run("remove", "main", "3", "7")
        #expect(missing.status == 3 && missing.errors.contains("there is no transaction 7"))
        #expect(try await run("transactions", "main", "--json").lines.count == 3)
        let needed = try await run("remove", "main", "1")
        #expect(needed.status == 1 && needed.hasOneErrorLine)
        let before = BusClock.wall().plain
        #expect(try await run("remove", "main", "3", "1").status == 0)
        let left = try await run("transactions", "main", "--json")
        #expect(left.lines.count == 1 && left.output.hasPrefix(#"{"number":2,"#))
        let then = try await run("transactions", "main", "--as-recorded", before, "--kind", "buy", "--json")
        #expect(then.lines.count == 2 && then.output.hasPrefix(#"{"number":1,"#))
        let stale = try await run("edit", "main", "2", "--note", "x", "--revision", "7")
        #expect(stale.status == 1 && stale.errors.contains("is at revision 1 now"))
        let edited = try await run("edit", "main", "2", "--tags", "a;b", "--external-id", "", "--json")
        #expect(edited.output.contains(#""external_id":"","note":"a, \"note\"""#), "\(edited.errors)")
        #expect(edited.output.contains(#""tags":["a","b"]"#))
        await server.stop()
    }

    @Test("a file larger than anybody else may send is taken from the terminal, and one too large refused")
    func largeFile() async throws {
        let (server, bitpal) = try await Self.serve()
        _ = try await bitpal.run(["portfolio", "create", "main"])
        let note = String(repeating: "n", count: 3_000)
        let rows = (0..<700).map { number in
            "2022-01-01T00:00:00Z,deposit,A,,USD,1,,,,,d\(number),\(note)"
        }
        let large = try Self.file([Self.header] + rows)
        let taken = try await bitpal.run(["portfolio", "import", large, "--into", "main"])
        #expect(taken.lines.first == "700 rows read, 700 added, 0 lines skipped", "\(taken.errors)")
        let huge = try Self.file([], name: "huge.csv")
        #expect(truncate(huge, 65 << 20) == 0)
        let refused = try await bitpal.run(["portfolio", "import", huge, "--into", "main"])
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        #expect(refused.errors.contains("huge.csv: has 68157440 bytes; at most 67108864 are read"))
        let noText = try Self.file([], name: "latin.csv")
        try Data([0x74, 0x0A, 0xE9]).write(to: URL(filePath: noText))
        let latin = try await bitpal.run(["portfolio", "import", noText, "--into", "main"])
        #expect(latin.errors.contains("latin.csv: line 2, column 1: byte 0xE9 is not UTF-8"))
        await server.stop()
    }

    @Test("imports all of a file or nothing, once, and exports what gives the same ledger again")
    func transfer() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        for name in ["a", "b"] { _ = try await run("create", name) }
        let path = try Self.file(Self.story)
        let preview = try await run("import", path, "--into", "a", "--preview", "--json")
        #expect(preview.output.contains(#""preview":true,"rows":3,"added":3,"#))
        #expect(try await run("transactions", "a", "--json").output.isEmpty)
        let first = try await run("import", path, "--into", "a", "--json")
        #expect(first.output.contains(#""preview":false,"rows":3,"added":3,"first":1,"last":3,"#))
        // No market is known here, so that even this one is said.
        #expect(first.output.contains(#""last":3,"unknown_assets":["BTC"],"settings":[],"skipped":[]"#))
        let again = try await run("import", path, "--into", "a")
        #expect(again.lines[0] == "3 rows read, 0 added, 3 lines skipped")
        #expect(again.lines[1] == "skipped line 2: duplicate: external_id \"b1\" is there already")
        for (form, other) in [("csv", "b"), ("json", "c")] {
            if other == "c" { _ = try await run("create", other) }
            let exported = try await run("export", "a", "--format", form)
            let copy = try Self.file([exported.output], name: "export.\(form)")
            #expect(try await run("import", copy, "--into", other, "--format", form).status == 0)
            #expect(try await run("export", other, "--format", form).output == exported.output)
        }
        let bad = try Self.file(Self.story + ["2024-01-01T00:00:00Z,sell,A,,BTC,9,USD,1,,,x,"])
        let refused = try await run("import", bad, "--into", "b")
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        let place = "ledger.csv: line 5, column 6 (amount): "
        #expect(refused.errors.contains(place + "wallet \"A\" is short of 8.5 BTC"))
        #expect(try await run("transactions", "b", "--json").lines.count == 3)
        let unreadable = try Self.file([Self.header, "soon,buy,A,,BTC,1,USD,1,,,,"])
        let fault = try await run("import", unreadable, "--into", "b", "--preview")
        #expect(fault.status == 1 && fault.errors.contains("ledger.csv: line 2, column 1 (time): \"soon\""))
        await server.stop()
    }

    @Test("an import names line, column and the nearest names of an asset that nobody knows")
    func unknownAssets() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        _ = try await run("create", "main")
        try await Self.trade(on: server.database)
        let row = "2022-01-01T00:00:00Z,opening,A,,BTX,1,USD,1,,,b1,"
        let csv = try Self.file([Self.header, row])
        let refused = try await run("import", csv, "--into", "main")
        #expect(refused.status == 1 && refused.hasOneErrorLine)
        #expect(refused.errors.contains("ledger.csv: line 2, column 5 (asset): "))
        #expect(
            refused.errors.contains("nearest are BTC") && refused.errors.contains("--allow-unknown-assets"))
        let json = try Self.file(
            [
                "[", #"{"time": "2022-01-01T00:00:00Z", "kind": "opening", "wallet": "A","#,
                #" "amount": "1", "asset": "BTX"}]"#,
            ], name: "a.json")
        let other = try await run("import", json, "--into", "main", "--format", "json", "--preview")
        #expect(other.errors.contains("a.json: line 3, column 26 (asset): "))
        #expect(try await run("transactions", "main", "--json").output.isEmpty)
        let taken = try await run("import", csv, "--into", "main", "--allow-unknown-assets")
        #expect(taken.lines.last == "no market of this installation trades BTX: taken as they are")
        // What was taken is known: its export needs no word.
        _ = try await run("create", "copy")
        let export = try Self.file([try await run("export", "main").output])
        #expect(try await run("import", export, "--into", "copy").status == 0)
        let twice = try Self.file(
            [Self.header, row, row.replacing(",1,USD", with: ",2,USD")], name: "twice.csv")
        let repeated = try await run("import", twice, "--into", "main")
        #expect(repeated.errors.contains("twice.csv: line 3, column 11 (external_id)"))
        #expect(!repeated.errors.contains("row "))
        let strange = try await run(
            "add", "main", "--kind", "opening", "--wallet", "A", "--asset", "BTZ", "--amount", "1")
        #expect(strange.status == 1 && strange.errors.contains("--new-asset takes it as it is"))
        await server.stop()
    }

    /// One market, so that there is something to know.
    private static func trade(on store: StoreConfiguration) async throws {
        let database = Database(configuration: store, logger: TestDatabase.logger)
        let market = Instrument(
            id: InstrumentID(venue: .kraken, symbol: "BTC/USD"), base: Asset(rawValue: "BTC"),
            quote: Asset(rawValue: "USD"), kind: .spot, priceScale: .zero, sizeScale: .zero)
        try await database.store([market], at: .zero)
        await database.close()
    }

    @Test("exports wallets, lots and targets with the transactions, and with --history what is no more")
    func document() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        for name in ["a", "b"] { _ = try await run("create", name) }
        _ = try await run("import", try Self.file(Self.story), "--into", "a")
        _ = try await run("wallet", "add", "a", "A", "--kind", "exchange", "--note", "main account")
        _ = try await run("lots", "a", "lifo", "2024-01-01=hifo/wallet")
        _ = try await run("target", "a", "BTC=0.5")
        _ = try await run("edit", "a", "1", "--note", "edited")
        let document = try await run("export", "a", "--format", "json")
        let copy = try Self.file([document.output], name: "a.json")
        let taken = try await run("import", copy, "--into", "b")
        #expect(
            taken.lines.contains("2 lot settings taken over") && taken.lines.contains("1 target taken over"))
        #expect(try await run("export", "b", "--format", "json").output == document.output)
        let whole = try await run("export", "a", "--format", "json", "--history")
        #expect(whole.output.contains(#""revisions":["#) && whole.output.contains("edited"))
        #expect(whole.output.contains(#""source":"ledger.csv""#))
        let again = try await run(
            "import", try Self.file([whole.output], name: "w.json"), "--into", "b", "--json")
        #expect(again.output.contains(#""added":0,"#) && again.output.contains(#""settings":[]"#))
        #expect(try await run("export", "a", "--history").status == 2)
        await server.stop()
    }

    @Test("an import may pause between its statements: the database does not end its transaction")
    func patience() async throws {
        let (server, bitpal) = try await Self.serve()
        _ = try await bitpal.run(["portfolio", "create", "main"])
        // Says how long the session of an import may take, be idle inside its transaction, and wait.
        try await Database.use(server.database, logger: TestDatabase.logger) { database in
            try await database.transaction { session in
                try session.script(
                    """
                    CREATE TABLE public.patience (setting text);
                    CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                    BEGIN
                        INSERT INTO public.patience VALUES (concat_ws(' ',
                            current_setting('statement_timeout'),
                            current_setting('idle_in_transaction_session_timeout'),
                            current_setting('lock_timeout')));
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER note BEFORE INSERT ON portfolio.import
                        FOR EACH ROW EXECUTE FUNCTION public.note();
                    """)
            }
            let outcome = try await bitpal.run([
                "portfolio", "import", try Self.file(Self.story), "--into", "main",
            ])
            #expect(outcome.status == 0)
            #expect(try await database.rows(SessionTimeouts()) == ["1h 1h 1min"])
        }
        await server.stop()
    }

    @Test("reports on a portfolio as on its file, by its own lots, and as of any past moment")
    func reports() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        _ = try await run("create", "main")
        let path = try Self.file(Self.story)
        _ = try await run("import", path, "--into", "main")
        for command in ["report", "basis", "explain"] {
            let extra = command == "explain" ? [] : ["--json"]
            let stored = try await bitpal.run(["portfolio", command, "main"] + extra)
            let file = try await bitpal.run(["portfolio", command, "--ledger", path] + extra)
            #expect(stored.status == 0 && stored.output == file.output, "\(command)")
        }
        let gains = try await run("gains", "main", "--year", "2023")
        #expect(gains.lines.count == 3)
        let lots = try await run("lots", "main", "lifo/wallet", "2024-01-01=hifo")
        #expect(lots.lines.last?.contains("wallet") == true, "the scope goes on")
        _ = try await run("lots", "main", "lifo", "2024-01-01=hifo/wallet")
        let report = try await run("report", "main", "--json")
        #expect(report.output.contains(#""cost_basis":"350.5","gain""#))
        let past = try await run("report", "main", "--as-recorded", "2020-01-01T00:00:00Z", "--json")
        #expect(past.output.contains(#""disposals":[]"#))
        let both = try await run("report", "main", "--ledger", path)
        #expect(both.status == 2 && both.hasOneErrorLine)
        await server.stop()
    }

    @Test("plans, studies and shares a portfolio")
    func plans() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["portfolio"] + arguments)
        }
        _ = try await run("create", "main")
        _ = try await run(
            "import",
            try Self.file([
                Self.header, "2024-01-01T00:00:00Z,opening,A,,BTC,1,USD,100,,,o1,",
                "2024-01-01T00:00:00Z,opening,A,,USD,100,,,,,o2,",
            ]), "--into", "main")
        let prices = try Self.file(["time,asset,currency,price", "2024-01-01,BTC,USD,300"], name: "p.csv")
        let shares = try await run("allocation", "main", "--prices", prices, "--json")
        #expect(
            shares.lines.count == 2 && shares.lines[0].contains(#""name":"BTC","value":"300","share":"0.75""#)
        )
        let venues = try await run("allocation", "main", "--by", "venue", "--prices", prices)
        #expect(venues.lines.count == 2 && venues.lines[1].hasPrefix("self custody"))
        #expect(try await run("wallet", "add", "main", "A", "--kind", "exchange").status == 0)
        let moved = try await run("allocation", "main", "--by", "venue", "--prices", prices, "--json")
        #expect(moved.output.contains(#""name":"A","value":"400","share":"1""#))
        let kinds = try await run("allocation", "main", "--by", "category", "--prices", prices, "--json")
        #expect(kinds.output.contains(#""name":"coin","value":"300""#))
        let much = try await run("rebalance", "main", "--prices", prices, "--target", "BTC=1.5")
        #expect(much.status == 2 && much.hasOneErrorLine)
        #expect(try await run("target", "main", "BTC=0.5").status == 0)
        let trades = try await run("rebalance", "main", "--prices", prices, "--json")
        #expect(trades.output.contains(#""side":"sell","asset":"BTC","amount":"0.33333333""#))
        let sale = try Self.file([Self.header, "2024-02-01T00:00:00Z,sell,A,,BTC,1,USD,350,,,s,"])
        let study = try await run("whatif", "main", "--with", sale, "--prices", prices, "--json")
        #expect(study.output.contains(#""realized":"250""#))
        #expect(try await run("transactions", "main", "--json").lines.count == 2)
        let secret = try await run("share", "create", "main").lines[0]
        let view = try await run("share", "open", secret, "--prices", prices)
        #expect(view.lines[0] == "BTC  75 % and more" && view.lines[1] == "USD  25 % to 50 %")
        let list = try await run("share", "list", "main", "--json").output
        let id = String(list.split(separator: "\"")[3])
        #expect(try await run("share", "revoke", "main", id).status == 0)
        #expect(try await run("share", "open", secret, "--prices", prices).status == 3)
        await server.stop()
    }

    @Test("keeps 10^30 and 18 decimals from the file through PostgreSQL to JSON and back")
    func wideAmounts() async throws {
        let (server, bitpal) = try await Self.serve()
        _ = try await bitpal.run(["portfolio", "create", "main"])
        let (large, small) = ("1000000000000000000000000000000.000000000000000001", "0.000000000000000001")
        let path = try Self.file([
            Self.header, "2022-01-01T00:00:00Z,buy,A,,SHIB,\(large),USD,\(small),,,b1,",
            "2022-01-02T00:00:00Z,sell,A,,SHIB,\(small),USD,\(large),,,s1,",
        ])
        #expect(try await bitpal.run(["portfolio", "import", path, "--into", "main"]).status == 0)
        let rows = try await bitpal.run(["portfolio", "transactions", "main", "--json"])
        #expect(rows.output.contains("\"amount\":\"\(large)\"") && rows.output.contains("\"\(small)\""))
        let report = try await bitpal.run(["portfolio", "report", "main", "--json"])
        // What is left of the purchase is a whole number again.
        #expect(report.output.contains("\"amount\":\"1000000000000000000000000000000\""))
        #expect(report.output.contains("\"proceeds\":\"\(large)\""))
        for form in ["csv", "json"] {
            let exported = try await bitpal.run(["portfolio", "export", "main", "--format", form])
            #expect(exported.output.contains(large) && exported.output.contains(small))
        }
        await server.stop()
    }

    @Test("writes a backup and puts it back in an empty database, and refuses one that is not")
    func backup() async throws {
        let (server, bitpal) = try await Self.serve()
        _ = try await bitpal.run(["portfolio", "create", "main"])
        _ = try await bitpal.run(["portfolio", "import", try Self.file(Self.story), "--into", "main"])
        let database = Database(configuration: server.database, logger: TestDatabase.logger)
        try await database.execute(AddChannel())
        let path = try TestDatabase.temporaryDirectory() + "/own.bitpal"
        #expect(try await bitpal.run(["backup", path]).status == 0)
        // No table of what people own is left out, whoever added it.
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let tables = try await database.rows(OwnTables())
        #expect(tables.count > 15)
        for table in tables { #expect(text.contains("\ntable \(table) "), "\(table)") }
        await database.close()
        #expect(try await bitpal.run(["backup", path]).status == 1)
        let store = try await TestDatabase.empty()
        let restored = try await BitpalExecutable(environment: ["BITPAL_DATABASE_URL": store.description])
            .run(["restore", path])
        #expect(restored.status == 0)
        let back = Database(configuration: store, logger: TestDatabase.logger)
        #expect(
            try await back.rows(ListedChannels()) == [
                #"mine webhook {"url":"https://example.org"} {"key":"k"}"#
            ])
        await back.close()
        let second = try await CommandServer.start(
            database: store, more: ["BITPAL_KEY_FILE": server.folder + "/accounts.key"])
        let other = BitpalExecutable(environment: second.environment)
        let exports = [
            try await bitpal.run(["portfolio", "export", "main"]).output,
            try await other.run(["portfolio", "export", "main"]).output,
        ]
        #expect(exports[0] == exports[1] && !exports[0].isEmpty)
        let refused = try await bitpal.run(["restore", path])
        #expect(refused.status == 1 && refused.hasOneErrorLine && refused.errors.contains("--replace"))
        for server in [server, second] { await server.stop() }
    }
}

/// A channel with its settings and secrets, as it is stored.
private struct AddChannel: Statement {
    typealias Row = Void
    static let sql = """
        INSERT INTO alerts.channel (channel_id, user_id, name, kind, settings, secrets, created_at)
        SELECT '0190163d-8694-739b-aea5-966c26f8ad91', user_id, 'mine', 'webhook',
            '{"url":"https://example.org"}', '{"key":"k"}', now()
        FROM accounts.app_user
        """
}

private struct ListedChannels: Statement {
    static let sql = "SELECT name || ' ' || kind || ' ' || settings || ' ' || secrets FROM alerts.channel"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

/// The tables of the schemas that people's things are in.
private struct OwnTables: Statement {
    static let sql = """
        SELECT (schemaname || '.' || tablename)::text FROM pg_catalog.pg_tables
        WHERE schemaname IN ('accounts', 'alerts', 'portfolio') AND tablename <> 'schema_migration'
        """
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

/// What sessions of imports were allowed.
private struct SessionTimeouts: Statement {
    static let sql = "SELECT setting FROM public.patience"
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

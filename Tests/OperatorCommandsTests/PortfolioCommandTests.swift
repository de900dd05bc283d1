import Foundation
import Support
import Testing

@Suite("bitpal portfolio", .timeLimit(.minutes(10)))
struct PortfolioCommandTests {
    private static let header =
        "time,kind,wallet,to_wallet,asset,amount,counter_asset,counter_amount,fee_asset,fee_amount,external_id,note"

    /// Writes a ledger into a folder of its own.
    private static func ledger(_ rows: String..., name: String = "ledger.csv") throws -> String {
        let path = "\(FileManager.default.temporaryDirectory.path)/bitpal-\(UUID().uuidString)-\(name)"
        try Data(([header] + rows).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
        try await BitpalExecutable().run(["portfolio"] + arguments)
    }

    private static func story() throws -> String {
        try ledger(
            "2022-01-01T00:00:00Z,buy,A,,BTC,1,USD,100,USD,1,b1,",
            "2022-06-01T00:00:00Z,buy,A,,BTC,1,USD,300,,,b2,",
            "2023-03-01T00:00:00Z,sell,A,,BTC,1.5,USD,600,USD,2,s1,")
    }

    @Test("report --json has disposals with the lots they took, open lots, balances and performance")
    func report() async throws {
        let outcome = try await Self.run("report", "--ledger", Self.story(), "--json")
        #expect(outcome.status == 0)
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        let report = try #require(object as? [String: Any])
        let disposals = try #require(report["disposals"] as? [[String: Any]])
        // 101 + 300 / 2 = 251; 600 - 2 = 598; a gain of 347.
        #expect(disposals.map { $0["cost_basis"] as? String } == ["251"])
        #expect(disposals.map { $0["gain"] as? String } == ["347"])
        let lots = try #require(disposals[0]["lots"] as? [[String: Any]])
        #expect(lots.map { $0["term"] as? String } == ["long", "short"])
        #expect(lots.map { $0["acquired"] as? String } == ["2022-01-01T00:00:00Z", "2022-06-01T00:00:00Z"])
        for key in ["lots", "income", "fees", "balances", "performance"] { #expect(report[key] != nil) }
    }

    @Test(
        "--method, --scope, --as-of and --switch change what is taken",
        arguments: [
            (["--method", "lifo"], "350.5"), (["--method", "average"], "300.75"),
            (["--scope", "wallet"], "251"), (["--scope", "wallet", "--switch", "2023-01-01=lifo"], "350.5"),
            (["--switch", "2023-01-01=hifo"], "350.5"),
        ])
    func options(arguments: [String], cost: String) async throws {
        let outcome = try await BitpalExecutable().run(
            ["portfolio", "report", "--json", "--ledger", Self.story()] + arguments)
        #expect(outcome.output.contains("\"cost_basis\":\"\(cost)\",\"gain\""))
        let early = try await BitpalExecutable().run(
            ["portfolio", "report", "--json", "--as-of", "2023-02-28", "--ledger", Self.story()] + arguments)
        #expect(early.output.contains("\"disposals\":[]"))
    }

    @Test("what is dated after now waits, and is said to")
    func future() async throws {
        let path = try Self.ledger(
            "2022-01-01T00:00:00Z,buy,A,,BTC,1,USD,100,,,b1,",
            "2200-01-01T00:00:00Z,buy,A,,BTC,2,USD,700,,,b2,")
        let report = try await Self.run("report", "--ledger", path, "--json")
        #expect(report.output.contains(#""cost_of_coins":"100""#) && !report.output.contains("700"))
        let page = try await Self.run("report", "--ledger", path)
        #expect(page.output.contains("1 transaction waits until 2200-01-01T00:00:00Z"))
        let all = try await Self.run("report", "--ledger", path, "--as-of", "2200-01-01", "--json")
        #expect(all.output.contains(#""cost_of_coins":"800""#))
    }

    @Test("explain has the currency's digits, and every digit where that is wanted")
    func digits() async throws {
        let path = try Self.ledger(
            "2022-01-01T00:00:00Z,buy,A,,BTC,3,USD,100,,,b1,",
            "2022-06-01T00:00:00Z,sell,A,,BTC,1,USD,50,,,s1,")
        let rounded = try await Self.run("explain", "--ledger", path)
        #expect(rounded.output.contains("  gain 16.67 ≈ 50.00 - 33.33\n"), "\(rounded.output)")
        let exact = try await Self.run("explain", "--ledger", path, "--exact")
        #expect(exact.output.contains("= 50 - 33.33333"), "\(exact.output)")
    }

    @Test("a slip in the file ends with 1 and one line with file, line and column")
    func slip() async throws {
        let path = try Self.ledger("2022-01-01T00:00:00Z,buy,A,,BTC,\"1,0\",USD,100,,,,")
        let outcome = try await Self.run("report", "--ledger", path, "--json")
        #expect(outcome.status == 1)
        #expect(outcome.hasOneErrorLine && outcome.output == "")
        #expect(outcome.errors.contains("\(path): line 2, column 6 (amount)"))
    }

    @Test(
        "wrong options end with 2",
        arguments: [
            ["--method", "best"], ["--as-of", "yesterday"], ["--base", "BTC"], ["--switch", "2023=lifo"],
        ])
    func usage(arguments: [String]) async throws {
        let outcome = try await BitpalExecutable().run(
            ["portfolio", "report", "--ledger", Self.story()] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.hasOneErrorLine)
    }

    @Test("explain derives the percentage, gains fills the form, basis lists what is assumed")
    func others() async throws {
        let path = try Self.story()
        let explained = try await Self.run("explain", "--ledger", path, "--exact")
        #expect(explained.output.contains("gain 347 = 598 - 251"))
        #expect(explained.output.contains("138.25 % = gain 347 / cost 251"))
        let form = try await Self.run("gains", "--year", "2023", "--form", "8949", "--ledger", path)
        #expect(form.lines.dropFirst().first == "I,C,0.5 BTC,06/01/2022,03/01/2023,199.33,150.00,,,49.33")
        let euros = try await Self.run(
            "gains", "--year", "2023", "--form", "8949", "--base", "EUR", "--ledger", path)
        #expect(euros.status == 2 && euros.hasOneErrorLine)
        let compared = try await Self.run("report", "--ledger", path, "--benchmark", "ZZZ")
        #expect(compared.status == 3 && compared.hasOneErrorLine)
        let range = try await Self.run("report", "--ledger", path, "--range", "1W", "--json")
        #expect(range.output.contains(#""range":"1W""#))
        let assumed = try Self.ledger("2022-01-01T00:00:00Z,deposit,A,,BTC,1,,,,,,")
        let basis = try await Self.run("basis", "--assumed", "--ledger", assumed)
        #expect(basis.lines == ["2022-01-01T00:00:00Z  A  deposit 1 BTC  cost 0 assumed (zero)"])
    }

    /// Prices of a file of their own.
    private static func prices(_ rows: String...) throws -> String {
        let path = "\(FileManager.default.temporaryDirectory.path)/bitpal-\(UUID().uuidString)-prices.csv"
        let text = (["time,asset,currency,price"] + rows).joined(separator: "\n")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test("compares with any instrument that the prices name")
    func benchmark() async throws {
        let ledger = try Self.ledger("2023-01-01T00:00:00Z,opening,A,,BTC,1,USD,100,,,o1,")
        let prices = try Self.prices(
            "2023-01-01,BTC,USD,100", "2023-01-02,BTC,USD,200", "2023-01-01,kraken:ETH/USDT,USDT,10",
            "2023-01-02,kraken:ETH/USDT,USDT,15", "2023-01-01,USDT,USD,1")
        func run(_ benchmark: String, _ more: String...) async throws -> BitpalExecutable.Outcome {
            try await BitpalExecutable().run(
                ["portfolio", "report", "--ledger", ledger, "--prices", prices, "--benchmark", benchmark]
                    + more)
        }
        let compared = try await run("kraken:ETH/USDT", "--json")
        #expect(
            compared.output.contains(
                #""benchmark":{"instrument":"kraken:ETH/USDT","from":"2023-01-02T00:00:00Z","days":1,"#
            ))
        // Twice as much beside half as much again.
        #expect(
            compared.output.contains(#""return":"0.5","#)
                && compared.output.contains(#""excess_return":"0.5","#))
        #expect(try await run("kraken:ETH/USDT").output.contains("kraken:ETH/USDT"))
        let unknown = try await run("kraken:XRP/USDT")
        #expect(unknown.status == 3 && unknown.hasOneErrorLine)
        #expect(unknown.errors.contains("2024-12-31,kraken:XRP/USDT,USD,1.5"))
    }

    @Test("--long-term-days says what is long, or that nothing is")
    func longTerm() async throws {
        let path = try Self.story()
        for (days, terms) in [
            ("200", ["long", "long"]), ("500", ["short", "short"]), ("never", ["short", "short"]),
        ] {
            let outcome = try await Self.run("report", "--ledger", path, "--long-term-days", days, "--json")
            let found = outcome.output.split(separator: "\"term\":\"").dropFirst().prefix(2)
            #expect(found.map { String($0.prefix { $0 != "\"" }) } == terms, "\(days)")
            #expect(outcome.output.contains("\"long_term_days\":\"\(days)\""))
        }
        let wrong = try await Self.run("report", "--ledger", path, "--long-term-days", "year")
        #expect(wrong.status == 2 && wrong.hasOneErrorLine)
    }

    @Test("a fee in a third money that outweighs its trade is refused with its place, where it has a rate")
    func thirdFee() async throws {
        let path = try Self.ledger(
            "2023-01-01T00:00:00Z,opening,A,,BTC,1,USD,100,,,o1,",
            "2023-01-02T00:00:00Z,sell,A,,BTC,0.5,USD,60,EUR,1000000,s1,")
        let prices = try Self.prices("2023-01-02,EUR,USD,1")
        let refused = try await Self.run("report", "--ledger", path, "--prices", prices, "--json")
        #expect(refused.status == 1 && refused.hasOneErrorLine && refused.output.isEmpty)
        #expect(refused.errors.contains("\(path): line 3, column 10 (fee_amount): fee_amount is 1000000 EUR"))
        let taken = try await Self.run("report", "--ledger", path, "--json")
        #expect(taken.status == 0)
        #expect(taken.output.contains(#""missing_prices":[{"asset":"EUR","time":"2023-01-02T00:00:00Z"}"#))
    }

    @Test("history names what has no price, and marks what counts by an old one")
    func history() async throws {
        let path = try Self.ledger("2023-01-01T00:00:00Z,opening,A,,BTC,1,USD,100,,,o1,")
        let prices = try Self.prices("2023-01-02,BTC,USD,150")
        let outcome = try await Self.run(
            "history", "--ledger", path, "--prices", prices, "--as-of", "2023-01-07", "--json")
        #expect(
            outcome.lines.map { $0.contains(#""value":"150""#) } == [
                false, true, true, true, true, true, true,
            ])
        #expect(outcome.lines[0].contains(#""value":null"#))
        #expect(
            outcome.lines.map { $0.contains(#""missing":["BTC"]"#) } == [true]
                + Array(repeating: false, count: 6))
        #expect(
            outcome.lines.map { $0.contains(#""stale":["BTC"]"#) } == [
                false, false, false, false, false, true, true,
            ])
        let page = try await Self.run(
            "history", "--ledger", path, "--prices", prices, "--as-of", "2023-01-07")
        #expect(page.lines.contains { $0.hasPrefix("2023-01-07") && $0.hasSuffix("stale: BTC") })
    }

    @Test("import --convert writes our own CSV, which reads back the same")
    func convert() async throws {
        let path = try Self.story()
        let first = try await Self.run("import", path, "--convert")
        let copy = path + ".copy.csv"
        try Data(first.output.utf8).write(to: URL(fileURLWithPath: copy))
        let second = try await Self.run("import", copy, "--convert")
        #expect(first.output == second.output && first.lines.count == 4)
        let preview = try await Self.run("import", path, "--preview")
        #expect(preview.lines.first == "3 rows, 0 of them twice, 0 skipped")
    }
}

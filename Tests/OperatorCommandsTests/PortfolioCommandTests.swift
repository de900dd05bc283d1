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
        let explained = try await Self.run("explain", "--ledger", path)
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

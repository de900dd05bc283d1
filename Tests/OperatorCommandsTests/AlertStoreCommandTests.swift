import Foundation
import Instruments
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
            try await database.execute(UpsertInstruments(instruments, at: .zero))
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
    }

    @Test(
        "refuses with the field, its value and what is accepted",
        arguments: [
            (["--above", "5", "--expires", "2020-01-01T00:00:00Z"], "field \"expires\" is 2020-01-01"),
            (["--above", "5", "--cooldown=-1h"], "field \"repeat.cooldown\" is \"-1h\""),
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
}

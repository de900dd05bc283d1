import Foundation
import Support
import Testing
import Venues

@Suite("Exit status", .timeLimit(.minutes(10)))
struct ExitStatusTests {
    private static let bitpal = BitpalExecutable()

    @Test(
        "wrong usage ends with 2 and one line that leads to the help",
        arguments: [
            (["book"], "bitpal book --help"), (["nonsense"], "bitpal --help"),
            (["book", "kraken"], "bitpal book --help"),
            (["normalize", "x", "--emit", "nothing"], "bitpal normalize --help"),
            (["trades", "bitmex", "XBTUSD", "--limit", "0"], "bitpal trades --help"),
            (["up", "--profile", "live", "--loop"], "bitpal up --help"),
            (["up", "--speed", "0"], "bitpal up --help"),
            (["feed", "add", "bitmex", "XBTUSD", "--channels", "smoke"], "bitpal feed add --help"),
            (["portfolio", "history", "main", "--days=-1"], "bitpal portfolio history --help"),
            (["top", "kraken"], "bitpal top --help"), (["status", "--watched"], "bitpal status --help"),
        ])
    func usage(arguments: [String], help: String) async throws {
        let outcome = try await Self.run(arguments)
        #expect(outcome.status == 2)
        #expect(outcome.hasOneErrorLine)
        #expect(outcome.errors.contains("(see `\(help)`)"))
        #expect(outcome.output == "")
    }

    @Test("what is wrong is said before anybody is asked")
    func first() async throws {
        for arguments in [
            ["portfolio", "target", "main", "BTC"], ["portfolio", "lots", "main", "best"],
            ["user", "add", "ann"],
        ] {
            let outcome = try await Self.run(arguments)
            #expect(outcome.status == 2 && outcome.hasOneErrorLine, "\(outcome.errors)")
        }
    }

    @Test("an unknown venue is answered with the known ones")
    func venue() async throws {
        for command in ["book", "trades"] {
            let outcome = try await Self.run([command, "mtgox", "BTC-USD"])
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("\"mtgox\""))
            #expect(outcome.errors.contains(VenueCatalogue.standard.list))
        }
    }

    @Test("a bus that does not answer ends with 4 and the question whether it runs")
    func unreachable() async throws {
        let bus = "ipc://\(try TestDatabase.temporaryDirectory())/none"
        for arguments in [["book", "bitmex", "XBTUSD"], ["status"], ["topics"], ["sub", "trade."]] {
            let outcome = try await Self.run(arguments + ["--bus", bus])
            #expect(outcome.status == 4)
            #expect(outcome.hasOneErrorLine)
            #expect(outcome.errors.contains("`bitpal up`"))
        }
    }

    @Test("help is no error")
    func help() async throws {
        for arguments in [["--help"], ["help", "book"], ["up", "--help"]] {
            let outcome = try await Self.run(arguments)
            #expect(outcome.status == 0)
            #expect(outcome.errors == "")
            #expect(outcome.output.contains("USAGE"))
        }
    }

    @Test("a variable that nothing reads is refused by name")
    func variable() async throws {
        let outcome = try await BitpalExecutable(environment: ["BITPAL_BUSS": "x"]).run(["status"])
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("BITPAL_BUSS") && outcome.errors.contains("BITPAL_BUS?"))
    }

    @Test("a broken recording ends with 1 and names file and line")
    func recordings() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        func file(_ name: String, _ bytes: Data) throws -> String {
            try bytes.write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
            return "\(folder)/\(name)"
        }
        let notGzip = try file("plain.jsonl", Data("{}".utf8))
        for (path, words) in [
            ("\(folder)/missing.gz", "\(folder)/missing.gz: no such file"),
            (notGzip, "\(notGzip): not a gzip file"),
        ] {
            for command in [["normalize", path], ["up", "--recording", path, "--data-dir", folder]] {
                let outcome = try await Self.run(command)
                #expect(outcome.status == 1)
                #expect(outcome.hasOneErrorLine)
                #expect(outcome.errors.contains(words))
            }
        }
    }

    @Test("a reader that goes away is no failure", .enabled(if: RecordingsFolder.isAvailable))
    func pipe() async throws {
        let path = try #require(RecordingsFolder.file("kraken_v1_20210417"))
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        let command = CommandLine.arguments[0].split(separator: "/").dropLast().joined(separator: "/")
        shell.arguments = [
            "-c",
            "/\(command)/bitpal normalize '\(path)' --emit events | head -1 >/dev/null; "
                + "exit ${PIPESTATUS[0]}",
        ]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
    }

    private static func run(_ arguments: [String]) async throws -> BitpalExecutable.Outcome {
        try await bitpal.run(arguments)
    }
}

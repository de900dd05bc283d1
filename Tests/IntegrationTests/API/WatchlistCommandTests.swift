import Foundation
import Store
import Support
import Testing

/// `bitpal` beside a running `bitpal up`, by its gateway.
@Suite("Commands that ask the gateway", .serialized, .timeLimit(.minutes(10)))
struct WatchlistCommandTests {
    /// What a command came to.
    private struct Outcome {
        var status: Int32
        var output: String
        var errors: String

        /// The names in a table of watchlists or instruments, without its titles.
        var firstColumn: [String] {
            output.split(separator: "\n").dropFirst().map { line in
                String(line.prefix { $0 != " " })
            }
        }
    }

    private static func run(
        _ arguments: [String], _ environment: [String: String] = [:]
    ) async throws -> Outcome {
        let folder = try TestDatabase.temporaryDirectory()
        var home = environment
        home["HOME"] = folder
        home["XDG_DATA_HOME"] = environment["XDG_DATA_HOME"] ?? folder
        let command = try ChildProcess("bitpal", arguments: arguments, environment: home, folder: folder)
        let status = await command.exitStatus()
        return Outcome(status: status, output: command.output, errors: command.errors)
    }

    @Test("find it and its token in the data directory, and keep watchlists that the page has, too")
    func watchlists() async throws {
        let (base, database) = (try FreePorts.run(of: 6), try await TestDatabase.market())
        let folder = try TestDatabase.temporaryDirectory()
        let data = folder + "/bitpal"
        let up = try ChildProcess(
            "bitpal",
            arguments: ["up", "--profile", "demo", "--data-dir", data, "--http", "127.0.0.1:\(base + 5)"],
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                "BITPAL_DATABASE_URL": database.description,
            ], folder: folder)
        try await eventually {
            guard up.isRunning else { throw PropertyFailure(up.errors) }
            return FileManager.default.fileExists(atPath: data + "/gateway.url")
        }
        let file = try FileManager.default.attributesOfItem(atPath: data + "/operator.token")
        #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let url = try String(contentsOfFile: data + "/gateway.url", encoding: .utf8)
        #expect(url == "http://127.0.0.1:\(base + 5)\n")

        func watchlist(_ arguments: String...) async throws -> Outcome {
            try await Self.run(["watchlist"] + arguments, ["XDG_DATA_HOME": folder])
        }
        let made = try await watchlist("create", "Coins", "--json")
        #expect(made.status == 0 && made.output.contains(#""name":"Coins""#), "\(made)")
        let twice = try await watchlist("create", "Coins")
        #expect(twice.status == 1 && twice.errors.contains("Coins"), "\(twice)")
        let symbols = try await Self.symbols(database)
        let (first, second) = (try #require(symbols.first), try #require(symbols.last))
        let added = try await watchlist("add", "Coins", first, second)
        #expect(added.status == 0 && added.firstColumn == [first, second], "\(added)")
        let unknown = try await watchlist("add", "Coins", "\(first)X")
        #expect(unknown.status == 3 && unknown.errors.contains(first), "\(unknown)")
        #expect(try await watchlist("order", "Coins", second).firstColumn == [second, first])
        let shown = try await watchlist("show", "Coins", "--json")
        #expect(shown.output.split(separator: "\n").count == 2 && shown.output.contains(#""ticker":"#))
        #expect(try await watchlist("remove", "Coins", second).firstColumn == [first])
        #expect(try await watchlist("remove", "Coins", second).status == 3)
        #expect(try await watchlist("rename", "Coins", "Majors").firstColumn == ["Majors"])
        let lost = try await watchlist("show", "Major")
        #expect(lost.status == 3 && lost.errors.contains("did you mean Majors?"), "\(lost)")
        #expect(try await watchlist("delete", "Majors").status == 2)
        #expect(try await watchlist("delete", "Majors", "--yes").status == 0)
        #expect(try await watchlist("list", "--json").output == "")
        // Who names it with its directory, or by its address and token, finds it as well.
        #expect(try await Self.run(["watchlist", "list", "--data-dir", data]).status == 0)
        let token = try String(contentsOfFile: data + "/operator.token", encoding: .utf8)
        let named = [
            "BITPAL_URL": "http://localhost:\(base + 5)", "BITPAL_TOKEN": token.filter { !$0.isNewline },
        ]
        #expect(try await Self.run(["watchlist", "list"], named).status == 0)
        let wrong = try await Self.run(
            ["watchlist", "list"], ["BITPAL_URL": named["BITPAL_URL"] ?? "", "BITPAL_TOKEN": "cm_wrong"])
        #expect(wrong.status == 1 && wrong.errors.contains("BITPAL_TOKEN"), "\(wrong)")

        up.signal(SIGTERM)
        #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
        #expect(!FileManager.default.fileExists(atPath: data + "/gateway.url"))
        let over = try await watchlist("list")
        #expect(over.status == 4 && over.errors.contains("bitpal up"), "\(over)")
    }

    @Test("say how to start one where there is none, and show another server no token of this machine")
    func without() async throws {
        let none = try await Self.run(["watchlist", "list"])
        #expect(none.status == 4 && none.errors.contains("start `bitpal up`"), "\(none)")
        let folder = try TestDatabase.temporaryDirectory()
        let data = folder + "/bitpal"
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        try "http://127.0.0.1:1\n".write(toFile: data + "/gateway.url", atomically: true, encoding: .utf8)
        let receiver = try HookReceiver()
        let other = try await Self.run(
            ["watchlist", "list"], ["BITPAL_URL": receiver.url(""), "XDG_DATA_HOME": folder])
        #expect(other.status == 2 && other.errors.contains("BITPAL_TOKEN"), "\(other)")
        #expect(receiver.connections == 0)
        receiver.close()
        let malformed = try await Self.run(["watchlist", "list"], ["BITPAL_URL": "bitpal.example"])
        #expect(malformed.status == 2 && malformed.errors.contains("http://HOST:PORT"), "\(malformed)")
        // One that went without a word, and left no token that could be read.
        let gone = try await Self.run(["watchlist", "list"], ["XDG_DATA_HOME": folder])
        #expect(gone.status == 1 && gone.errors.contains("operator.token"), "\(gone)")
    }

    /// Instruments of the synthetic market, as soon as there are some.
    private static func symbols(_ configuration: StoreConfiguration) async throws -> [String] {
        let database = Database(configuration: configuration, logger: TestDatabase.logger)
        var found: [String] = []
        try await eventually {
            found = try await database.rows(
                "SELECT venue || ':' || symbol FROM market.instrument ORDER BY venue, symbol"
            ) { try $0.text() }
            return found.count > 1
        }
        await database.close()
        return found
    }
}

import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("Watchlists from the command line", .timeLimit(.minutes(10)))
struct WatchlistCommandTests {
    /// A gateway that knows four instruments, and the command that asks it.
    private static func serve(
        _ more: [String: String] = [:]
    ) async throws -> (CommandServer, BitpalExecutable) {
        let server = try await CommandServer.start(more: more)
        let instruments = ["BTC", "ETH", "DOGE", "LTC"].map { coin in
            Instrument(
                id: InstrumentID(venue: .kraken, symbol: "\(coin)/USD"), base: Asset(rawValue: coin),
                quote: Asset(rawValue: "USD"), kind: .spot, priceScale: Scale(1) ?? .zero,
                sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
        }
        try await Database.use(server.database, logger: TestDatabase.logger) { database in
            _ = try await database.store(instruments, at: .zero)
        }
        return (server, BitpalExecutable(environment: server.environment))
    }

    /// The symbols of the entries that a command printed.
    private static func symbols(_ outcome: BitpalExecutable.Outcome) -> [String] {
        outcome.lines.compactMap { line in
            ["BTC", "ETH", "DOGE", "LTC"].first {
                line.contains(#""instrument":"kraken:\#($0)/USD""#)
            }
        }
    }

    @Test("take as many instruments as the gateway's setting says")
    func quota() async throws {
        let (server, bitpal) = try await Self.serve(["BITPAL_GATEWAY_INSTRUMENTS_PER_USER": "2"])
        #expect(try await bitpal.run(["watchlist", "create", "Coins"]).status == 0)
        let add = ["watchlist", "add", "Coins"]
        #expect(try await bitpal.run(add + ["kraken:BTC/USD", "kraken:ETH/USD"]).status == 0)
        let refused = try await bitpal.run(add + ["kraken:LTC/USD"])
        #expect(refused.status == 1 && refused.hasOneErrorLine, "\(refused.errors)")
        #expect(refused.errors.contains("instrument"), "\(refused.errors)")
        #expect(refused.errors.contains("3 instruments") && refused.errors.contains("at most 2"))
        await server.stop()
    }

    @Test("are made, listed, renamed and deleted by their names, before anybody has an account")
    func lists() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["watchlist"] + arguments)
        }
        #expect(try await run("list", "--json").output.isEmpty)
        let none = try await run("show", "Coins")
        #expect(none.status == 3 && none.errors.contains("`bitpal watchlist create NAME` makes one"))
        let made = try await run("create", "Coins", "--json")
        #expect(made.status == 0 && made.output.contains(#""name":"Coins""#), "\(made.errors)")
        #expect(made.output.contains(#""count":0"#))
        let twice = try await run("create", "Coins")
        #expect(twice.status == 1 && twice.hasOneErrorLine && twice.errors.contains("name"))
        #expect(try await run("create", "Others").output.contains("Others"))
        #expect(try await run("add", "Coins", "kraken:BTC/USD", "kraken:ETH/USD").status == 0)
        let list = try await run("list", "--json")
        #expect(list.lines.count == 2 && list.lines[0].contains(#""count":2"#))
        #expect(try await run("list").lines[0].contains("entries"))
        let renamed = try await run("rename", "Coins", "Majors", "--json")
        #expect(renamed.output.contains(#""name":"Majors""#) && renamed.output.contains(#""count":2"#))
        #expect(try await run("rename", "Majors", "Others").status == 1)
        let missing = try await run("show", "Majrs")
        #expect(missing.status == 3 && missing.errors.contains("did you mean Majors?"))
        #expect(try await run("delete", "Majors", "--json").output.contains(#""name":"Majors""#))
        #expect(try await run("delete", "Majors").status == 3)
        #expect(try await run("delete", "Others").output.isEmpty)
        #expect(try await run("list", "--json").output.isEmpty)
        await server.stop()
        let alone = try await BitpalExecutable().run(["watchlist", "list"])
        #expect(alone.status == 4 && alone.hasOneErrorLine && alone.errors.contains("`bitpal up`"))
    }

    @Test("take and lose entries together or not at all, and have them in the order that is wanted")
    func entries() async throws {
        let (server, bitpal) = try await Self.serve()
        func run(_ command: String, _ symbols: String...) async throws -> BitpalExecutable.Outcome {
            let instruments = symbols.map { "kraken:\($0)/USD" }
            return try await bitpal.run(["watchlist", command, "Coins"] + instruments + ["--json"])
        }
        #expect(try await run("create").status == 0)
        let added = try await run("add", "BTC", "ETH", "DOGE")
        #expect(Self.symbols(added) == ["BTC", "ETH", "DOGE"], "\(added.errors)")
        let unknown = try await run("add", "LTC", "LCT")
        #expect(unknown.status == 3 && unknown.hasOneErrorLine)
        #expect(unknown.errors.contains("kraken:LCT/USD") && unknown.errors.contains("kraken:LTC/USD"))
        let twice = try await run("add", "LTC", "BTC")
        #expect(twice.status == 1 && twice.errors.contains("the list has kraken:BTC/USD already"))
        let absent = try await run("remove", "BTC", "LTC")
        #expect(absent.status == 3 && absent.errors.contains("the list has no entry kraken:LTC/USD"))
        #expect(Self.symbols(try await run("show")) == ["BTC", "ETH", "DOGE"])
        #expect(Self.symbols(try await run("order", "DOGE")) == ["DOGE", "BTC", "ETH"])
        #expect(Self.symbols(try await run("order", "ETH", "BTC")) == ["ETH", "BTC", "DOGE"])
        let other = try await run("order", "LTC")
        #expect(other.status == 3 && other.errors.contains("the list has no entry kraken:LTC/USD"))
        #expect(try await run("order", "BTC", "BTC").status == 1)
        #expect(Self.symbols(try await run("remove", "BTC", "DOGE")) == ["ETH"])
        let shown = try await run("show")
        #expect(shown.lines.count == 1 && shown.output.contains(#""ticker":"#))
        let table = try await bitpal.run(["watchlist", "show", "Coins"])
        #expect(table.lines.count == 2 && table.lines[1].hasPrefix("kraken:ETH/USD"))
        // What names no venue is a coin, to add it; off a list goes what stands there.
        let coin = try await bitpal.run(["watchlist", "add", "Coins", "kraken"])
        #expect(coin.status == 3 && coin.errors.contains("kraken"), "\(coin.status) \(coin.errors)")
        #expect(try await bitpal.run(["watchlist", "remove", "Coins", "kraken"]).status == 1)
        #expect(try await bitpal.run(["watchlist", "add", "Coins"]).status == 2)
        await server.stop()
    }
}

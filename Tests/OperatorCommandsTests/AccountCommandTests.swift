import Store
import Support
import Testing

@Suite("Accounts from the command line", .timeLimit(.minutes(10)))
struct AccountCommandTests {
    @Test("are made, listed, disabled and reset")
    func users() async throws {
        let configuration = try await TestDatabase.empty()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["user"] + arguments)
        }
        let made = try await run("add", "Ann@Example.org", "--role", "operator", "--json")
        #expect(made.status == 0 && made.output.contains(#""role":"operator""#))
        #expect(made.output.contains(##""link":"http://localhost:8080/reset#token="##))
        let twice = try await run("add", "ann@example.ORG")
        #expect(twice.status == 1 && twice.hasOneErrorLine && twice.errors.contains("another account"))
        let wrong = try await run("add", "ann")
        #expect(wrong.status == 2 && wrong.errors.contains(#"field "email" is "ann""#))
        #expect(try await run("add", "bob@example.org").output.contains("/reset#token="))
        let list = try await run("list", "--json")
        #expect(list.lines.count == 2 && list.lines[0].contains(#""email":"Ann@Example.org""#))
        let last = try await run("disable", "ann@example.org")
        #expect(last.status == 1 && last.errors.contains("last operator"))
        #expect(try await run("disable", "bob@example.org").status == 0)
        #expect(try await run("list").output.contains("disabled"))
        #expect(try await run("disable", "bob@example.org", "--undo").status == 0)
        #expect(try await !run("list").output.contains("disabled"))
        let link = try await run("reset", "bob@example.org", "--page", "https://bitpal.example/", "--json")
        #expect(link.output.contains(##""link":"https://bitpal.example/reset#token="##))
        #expect(try await run("reset", "bob@example.org", "--page", "bitpal").status == 2)
        #expect(link.status == 0 && link.output.contains(#""expires":""#))
        #expect(try await run("reset", "eve@example.org").status == 3)
        let unsure = try await run("erase", "bob@example.org")
        #expect(unsure.status == 2 && unsure.errors.contains("--yes"))
        #expect(try await run("erase", "ann@example.org", "--yes").errors.contains("last operator"))
        #expect(try await run("erase", "bob@example.org", "--yes").status == 0)
        #expect(try await run("erase", "bob@example.org", "--yes").status == 3)
        #expect(try await !run("list").output.contains("bob@"))
    }

    /// The id of a token that was made.
    private static func id(_ made: BitpalExecutable.Outcome) throws -> String {
        let parts = made.output.split(separator: "\"")
        return String(parts[try #require(parts.firstIndex(of: "id")) + 2])
    }

    @Test("get tokens, which are shown once and revoked")
    func tokens() async throws {
        let server = try await CommandServer.start()
        let bitpal = BitpalExecutable(environment: server.environment)
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(arguments)
        }
        #expect(try await run("user", "add", "ann@example.org").status == 0)
        func create(_ scopes: String) async throws -> BitpalExecutable.Outcome {
            try await run(
                "token", "create", "Ann@example.org", "--name", "ci", "--scopes", scopes, "--days", "7",
                "--json")
        }
        let made = try await create("market:read,alerts:read")
        #expect(made.status == 0 && made.output.contains(#""token":"cm_"#), "\(made.errors)")
        #expect(made.output.contains(#""scopes":["alerts:read","market:read"]"#))
        #expect(!made.output.contains(#""expires":null"#))
        for scopes in ["operator", "", "market:read,,alerts:read"] {
            let refused = try await create(scopes)
            #expect(refused.status == 1 && refused.errors.contains(#"field "scopes""#))
        }
        let list = try await run("token", "list", "ann@example.org", "--json")
        #expect(list.lines.count == 1 && !list.output.contains("cm_"))
        #expect(try await run("token", "list", "ann@example.org").output.contains("alerts:read,market:read"))
        for nobody in ["eve@example.org", ""] {
            let unknown = try await run("token", "list", nobody)
            #expect(unknown.status == 3 && unknown.errors.contains("there is no account \"\(nobody)\""))
        }
        let wrong = try await run("token", "list", "ann")
        #expect(wrong.status == 1 && wrong.errors.contains(#"field "email" is "ann""#))
        let id = try Self.id(made)
        #expect(try await run("token", "revoke", "ann@example.org", id).status == 0)
        #expect(try await run("token", "revoke", "ann@example.org", id).status == 3)
        #expect(try await run("token", "revoke", "ann@example.org", "ci").status == 3)
        #expect(try await run("token", "list", "ann@example.org").output.contains("revoked"))
        await server.stop()
    }

    @Test("of one's own are those of the first operator, and nobody's before there is one")
    func ownTokens() async throws {
        let server = try await CommandServer.start()
        let bitpal = BitpalExecutable(environment: server.environment)
        func token(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["token"] + arguments)
        }
        func create() async throws -> BitpalExecutable.Outcome {
            try await token("create", "--name", "ci", "--scopes", "account:read,operator", "--json")
        }
        let early = try await create()
        #expect(early.status == 1 && early.hasOneErrorLine)
        #expect(early.errors.contains("`bitpal user add EMAIL --role operator` makes the first"))
        #expect(try await token("list", "--json").output.isEmpty)
        let added = try await bitpal.run(["user", "add", "boss@example.org", "--role", "operator"])
        #expect(added.status == 0)
        let made = try await create()
        #expect(made.status == 0, "\(made.errors)")
        let list = try await token("list", "--json")
        #expect(list.lines.count == 1)
        #expect(try await token("list", "boss@example.org", "--json").output == list.output)
        // A token makes no token, whatever it may do else.
        let parts = made.output.split(separator: "\"")
        let text = try #require(parts.first { $0.hasPrefix("cm_") })
        let program = BitpalExecutable(
            environment: server.environment.merging(["BITPAL_TOKEN": String(text)]) { $1 })
        for address in [[], ["boss@example.org"]] {
            let refused = try await program.run(
                ["token", "create"] + address + ["--name", "b", "--scopes", "account:read"])
            #expect(refused.status == 1 && refused.errors.contains("a token cannot do this"))
        }
        #expect(try await token("revoke", "boss@example.org", "b", "c").status == 2)
        #expect(try await token("revoke", try Self.id(made)).status == 0)
        #expect(try await token("list").output.contains("revoked"))
        await server.stop()
        let alone = try await BitpalExecutable().run(["token", "list"])
        #expect(alone.status == 4 && alone.hasOneErrorLine && alone.errors.contains("`bitpal up`"))
    }
}

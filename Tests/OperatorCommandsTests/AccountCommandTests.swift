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
        #expect(wrong.status == 1 && wrong.errors.contains(#"field "email" is "ann""#))
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

    @Test("get tokens, which are shown once and revoked")
    func tokens() async throws {
        let configuration = try await TestDatabase.empty()
        let bitpal = BitpalExecutable(environment: ["BITPAL_DATABASE_URL": configuration.description])
        func run(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(arguments)
        }
        #expect(try await run("user", "add", "ann@example.org").status == 0)
        func create(_ scopes: String) async throws -> BitpalExecutable.Outcome {
            try await run("token", "create", "ann@example.org", "--name", "ci", "--scopes", scopes, "--json")
        }
        let made = try await create("market:read,alerts:read")
        #expect(made.status == 0 && made.output.contains(#""token":"cm_"#))
        #expect(made.output.contains(#""scopes":["alerts:read","market:read"]"#))
        for scopes in ["operator", "", "market:read,,alerts:read"] {
            let refused = try await create(scopes)
            #expect(refused.status == 1 && refused.errors.contains(#"field "scopes""#))
        }
        let list = try await run("token", "list", "ann@example.org", "--json")
        #expect(list.lines.count == 1 && !list.output.contains("cm_"))
        let parts = made.output.split(separator: "\"")
        let place = try #require(parts.firstIndex(of: "id"))
        let id = String(parts[place + 2])
        #expect(try await run("token", "revoke", "ann@example.org", id).status == 0)
        #expect(try await run("token", "revoke", "ann@example.org", id).status == 3)
        #expect(try await run("token", "list", "ann@example.org").output.contains("revoked"))
    }
}

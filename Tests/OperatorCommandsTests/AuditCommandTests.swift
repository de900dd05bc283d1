import AccountStore
import Accounts
import ArgumentParser
import Foundation
import JSON
import Store
import Support
import Testing

@testable import OperatorCommands

@Suite("What commands leave in the audit log", .serialized, .timeLimit(.minutes(10)))
struct AuditCommandTests {
    /// The commands that are about accounts, tokens, secrets or the whole installation, and whatever else
    /// opens the accounts' tables.
    private static var concerned: [(line: String, command: any ParsableCommand.Type)] {
        CommandLineTool.leaves.filter { line, command in
            let options = Mirror(reflecting: command.init()).children.map { "\(type(of: $0.value))" }
            let areas = ["bitpal user ", "bitpal token ", "bitpal secrets ", "bitpal keys "]
            return areas.contains { line.hasPrefix($0) }
                || ["bitpal restore", "bitpal migrate"].contains(line)
                || options.contains { $0.contains("AccountStoreOptions") }
        }
    }

    @Test("is declared by each that changes something, with a word or with why not")
    func declared() throws {
        #expect(Self.concerned.count > 12)
        for (line, command) in Self.concerned {
            let audited = command as? any AuditedCommand.Type
            #expect(audited != nil, "\(line) says nothing of the audit log")
            switch audited?.audit {
            case .entry(let words)?: #expect(!words.isEmpty, "\(line)")
            case .nothing(let reason)?: #expect(!reason.isEmpty, "\(line)")
            case nil: break
            }
        }
        #expect(CommandLineTool.line(of: UserDisableCommand.self) == "bitpal user disable")
    }

    /// What is asked for one after another, and what of it is to be found in the log.
    private struct Walk {
        let bitpal: BitpalExecutable
        let database: Database
        var words: [String: Set<String>] = [:]

        func log() async throws -> [AuditEntry] {
            try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 1_000) }
        }

        /// Runs a command that leaves one line.
        @discardableResult
        mutating func run(_ command: String, _ arguments: [String]) async throws -> JSONValue? {
            let before = try await log()
            let outcome = try await bitpal.run(command.split(separator: " ").map(String.init) + arguments)
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            let after = try await log()
            #expect(after.count == before.count + 1, "\(command)")
            guard let line = after.first else { return nil }
            words["bitpal \(command)", default: []].insert(line.action)
            #expect(line.actor.kind == .terminal && line.actor.user == nil, "\(command)")
            // One that asks the gateway is told by the route.
            #expect(line.actor.command == "bitpal \(command)" || line.actor.address == "127.0.0.1")
            return try outcome.lines.first.map { try JSONValue(Array($0.utf8)[...], depthLimit: 8) }
        }
    }

    @Test("is exactly one line of everything that changes accounts, tokens, secrets and the installation")
    func everyCommand() async throws {
        let server = try await CommandServer.start()
        let key = server.folder + "/accounts.key"
        let database = Database(configuration: server.database, logger: TestDatabase.logger)
        let environment = server.environment.merging(["BITPAL_KEY_FILE": key]) { $1 }
        var walk = Walk(bitpal: BitpalExecutable(environment: environment), database: database)
        try await walk.run("user add", ["boss@example.org", "--role", "operator", "--json"])
        try await walk.run("user add", ["ann@example.org", "--json"])
        try await walk.run("user reset", ["ann@example.org", "--json"])
        for undo in [[], ["--undo"]] { try await Self.disable(undo, &walk) }
        let token = try await walk.run(
            "token create", ["ann@example.org", "--name", "ci", "--scopes", "market:read", "--json"])
        // The command prints nothing then.
        try await Self.silent("token revoke", ["ann@example.org", token?.text("id") ?? ""], &walk)
        let invitation = try await walk.run("user invite", ["--days", "2", "--json"])
        #expect(invitation?.text("link").contains("/sign-up#token=") == true)
        try await Self.silent("user uninvite", [invitation?.text("id") ?? ""], &walk)
        try await walk.run("secrets rotate", ["--json"])
        // As if that was long ago.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: key)
        try await walk.run("secrets forget", ["--json"])
        try await Self.keys(in: server.folder + "/bus", &walk)
        let file = server.folder + "/file.bitpal"
        #expect(try await walk.bitpal.run(["backup", file]).status == 0)
        try await Self.silent("restore", [file, "--replace"], &walk)
        try await Self.silent("user erase", ["ann@example.org", "--yes"], &walk)
        // Roles are the cluster's, which tests share: see `RoleJobTests`.
        for (line, command) in Self.concerned where line != "bitpal migrate" {
            guard case .entry(let words)? = (command as? any AuditedCommand.Type)?.audit else { continue }
            #expect(walk.words[line] == Set(words.map(\.rawValue)), "\(line)")
        }
        await database.close()
        await server.stop()
    }

    private static func keys(in folder: String, _ walk: inout Walk) async throws {
        let place = ["--keys", folder]
        try await silent("keys init", place, &walk)
        try await silent("keys add", ["reader", "--subscribe", "trade."] + place, &walk)
        for option in [[], ["--retire"]] {
            try await silent("keys rotate", ["reader"] + option + place, &walk)
        }
    }

    private static func disable(_ undo: [String], _ walk: inout Walk) async throws {
        try await silent("user disable", ["ann@example.org"] + undo, &walk)
    }

    /// Runs a command whose output is no JSON.
    private static func silent(
        _ command: String, _ arguments: [String], _ walk: inout Walk
    ) async throws {
        do {
            try await walk.run(command, arguments)
        } catch is JSONFault {
            return
        }
    }

    @Test("is shown to operators, by account, word and time")
    func shown() async throws {
        let server = try await CommandServer.start()
        let bitpal = BitpalExecutable(environment: server.environment)
        for arguments in [
            ["user", "add", "boss@example.org", "--role", "operator"], ["user", "add", "ann@example.org"],
            ["user", "disable", "ann@example.org"],
        ] {
            #expect(try await bitpal.run(arguments).status == 0)
        }
        func audit(_ arguments: String...) async throws -> BitpalExecutable.Outcome {
            try await bitpal.run(["audit"] + arguments)
        }
        let all = try await audit("--json")
        #expect(all.status == 0 && all.lines.count == 3, "\(all.errors)")
        #expect(all.lines[0].contains(#""action":"account.disable""#))
        #expect(all.lines[0].contains(#""command":"bitpal user disable""#))
        let ann = try await audit("--account", "ann@example.org", "--json")
        #expect(ann.lines == Array(all.lines[..<2]))
        #expect(try await audit("--action", "account.create", "--json").lines == Array(all.lines[1...]))
        #expect(try await audit("--since", "2100-01-01T00:00:00Z", "--json").lines == [])
        #expect(try await audit("--limit", "1", "--json").lines == [all.lines[0]])
        let table = try await audit()
        #expect(table.output.contains("terminal") && table.output.contains("role=operator"))
        #expect(try await audit("--since", "yesterday").status == 2)
        #expect(try await audit("--action", "account").status == 2)
        #expect(try await audit("--account", "eve@example.org").status == 3)
        let made = try await bitpal.run(
            ["token", "create", "--name", "ci", "--scopes", "market:read", "--json"])
        let text = try #require(made.output.split(separator: "\"").first { $0.hasPrefix("cm_") })
        let program = BitpalExecutable(
            environment: server.environment.merging(["BITPAL_TOKEN": String(text)]) { $1 })
        let refused = try await program.run(["audit"])
        #expect(refused.status == 1 && refused.hasOneErrorLine && refused.errors.contains("operator"))
        await server.stop()
    }
}

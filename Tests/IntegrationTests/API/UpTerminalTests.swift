import Foundation
import Store
import Support
import Testing
import Web

/// How commands find the gateway of `bitpal up`, and what they show to whom.
@Suite("Commands beside bitpal up", .serialized, .timeLimit(.minutes(10)))
struct UpTerminalTests {
    private static let token = "cm_00000000000070008000000000000001_" + String(repeating: "A", count: 43)

    /// A command that has come to its end; what it finds without being told is in the folder.
    private static func run(
        _ arguments: [String], in folder: String, _ more: [String: String] = [:]
    ) async throws -> ChildProcess {
        let command = try ChildProcess(
            "bitpal", arguments: arguments, environment: ["XDG_DATA_HOME": folder].merging(more) { $1 },
            folder: folder)
        _ = await command.exitStatus()
        return command
    }

    private static func expect(
        _ command: ChildProcess, endsWith status: Int32, saying words: String...,
        at place: SourceLocation = #_sourceLocation
    ) async {
        #expect(await command.exitStatus() == status, "\(command.errors)", sourceLocation: place)
        let line = command.errors
        #expect(
            line.hasSuffix("\n") && line.split(separator: "\n").count == 1, "\(line)", sourceLocation: place)
        for word in words {
            #expect(line.contains(word), "\(word): \(line)", sourceLocation: place)
        }
    }

    /// `bitpal up` once its gateway listens, and where that is.
    private static func up(
        _ folder: String, _ database: StoreConfiguration
    ) async throws -> (process: ChildProcess, url: String) {
        let base = try FreePorts.run(of: 6)
        let up = try ChildProcess(
            "bitpal",
            arguments: [
                "up", "--profile", "demo", "--data-dir", folder + "/bitpal", "--http",
                "127.0.0.1:\(base + 5)",
            ],
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_VENUE_SIMULATOR_INTERVAL": "100ms",
                "BITPAL_BOOK_BUILDER_BACKFILL_HISTORY": "false",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                "BITPAL_DATABASE_URL": database.description,
            ], folder: folder)
        let url = "http://127.0.0.1:\(base + 5)"
        try await eventually {
            guard up.isRunning else { throw PropertyFailure(up.errors) }
            return try text(folder, "gateway.url") == url + "\n"
        }
        return (up, url)
    }

    /// A file of the data directory; `nil` where there is none.
    private static func text(_ folder: String, _ name: String) throws -> String? {
        let path = "\(folder)/bitpal/\(name)"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test("find it while it listens, with a token that only its owner may read, and are told when it is gone")
    func found() async throws {
        let (folder, database) = (try TestDatabase.temporaryDirectory(), try await TestDatabase.market())
        let (up, url) = try await Self.up(folder, database)
        let token = try #require(try Self.text(folder, "operator.token"))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/bitpal/operator.token")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let there = ["--data-dir", folder + "/bitpal"]
        let made = try await Self.run(["watchlist", "create", "Coins"] + there, in: folder)
        #expect(await made.exitStatus() == 0, "\(made.errors)")
        #expect(await (try Self.run(["alert", "list"], in: folder)).exitStatus() == 0)
        // What was made in the terminal is what the page reads.
        let lists = try await HTTPClient().get(
            url + "/v1/watchlists", headers: [("Authorization", "Bearer \(token.dropLast())")])
        #expect(String(decoding: lists.body, as: UTF8.self).contains(#""name":"Coins""#))
        await Self.expect(
            try await Self.run(
                ["alert", "list"], in: folder, ["BITPAL_URL": url, "BITPAL_TOKEN": Self.token]),
            endsWith: 1, saying: "BITPAL_TOKEN")
        await up.crash()
        await Self.expect(
            try await Self.run(["alert", "list"] + there, in: folder), endsWith: 4,
            saying: url, "is `bitpal up` running?")

        let (next, _) = try await Self.up(folder, database)
        // Who listened there meanwhile may have been shown the former one.
        #expect(try Self.text(folder, "operator.token") != token)
        let kept = try await Self.run(["watchlist", "list"] + there, in: folder)
        #expect(await kept.exitStatus() == 0 && kept.output.contains("Coins"), "\(kept.errors)")
        next.signal(SIGTERM)
        #expect(await next.exitStatus() == 0, "\(next.errors.suffix(2_000))")
        #expect(try Self.text(folder, "gateway.url") == nil)
        await Self.expect(
            try await Self.run(["alert", "list"] + there, in: folder), endsWith: 4,
            saying: "start `bitpal up`", "BITPAL_URL", "BITPAL_TOKEN")
    }

    @Test(
        "say how to start one where there is none", arguments: ["alert", "channel", "portfolio", "watchlist"])
    func nowhere(group: String) async throws {
        let folder = try TestDatabase.temporaryDirectory()
        await Self.expect(
            try await Self.run([group, "list"], in: folder), endsWith: 4, saying: "start `bitpal up`")
    }

    @Test("show the token of the one here to no other server")
    func strangers() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let (own, other) = (try HookReceiver(), try HookReceiver())
        let directory = folder + "/bitpal"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try own.url("").write(toFile: directory + "/gateway.url", atomically: true, encoding: .utf8)
        #expect(
            FileManager.default.createFile(
                atPath: directory + "/operator.token", contents: Data("\(Self.token)\n".utf8),
                attributes: [.posixPermissions: 0o600]))
        func shown(_ receiver: HookReceiver) -> Set<String?> {
            Set(receiver.received.map { $0.headers["authorization"] })
        }
        _ = try await Self.run(["alert", "list"], in: folder)
        #expect(shown(own) == ["Bearer \(Self.token)"])
        await Self.expect(
            try await Self.run(["alert", "list"], in: folder, ["BITPAL_URL": other.url("")]), endsWith: 2,
            saying: other.url(""), "BITPAL_TOKEN")
        #expect(other.connections == 0)
        _ = try await Self.run(
            ["alert", "list"], in: folder, ["BITPAL_URL": other.url(""), "BITPAL_TOKEN": "theirs"])
        #expect(shown(other) == ["Bearer theirs"])
        // Who names the directory means the one of it.
        let count = own.received.count
        _ = try await Self.run(
            ["alert", "list", "--data-dir", directory], in: folder,
            ["BITPAL_URL": other.url(""), "BITPAL_TOKEN": "theirs"])
        #expect(own.received.count > count && shown(own) == ["Bearer \(Self.token)"])
        #expect(shown(other) == ["Bearer theirs"])
        own.close()
        other.close()
    }
}

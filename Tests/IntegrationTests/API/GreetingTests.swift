import Foundation
import Store
import Support
import Testing
import Web

/// What `bitpal up` prints for a person to open.
@Suite("The address of the page", .serialized, .timeLimit(.minutes(10)))
struct GreetingTests {
    private static func up(
        _ base: UInt16, _ database: StoreConfiguration, _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> ChildProcess {
        let folder = try TestDatabase.temporaryDirectory()
        var environment = [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
            "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
            "BITPAL_DATABASE_URL": database.description,
            "BITPAL_BOOK_BUILDER_BACKFILL_HISTORY": "false", "BITPAL_VENUE_SIMULATOR_VENUES": "kraken",
        ]
        environment.merge(more) { $1 }
        return try ChildProcess(
            "bitpal", arguments: ["up", "--profile", "demo", "--data-dir", folder + "/data"] + arguments,
            environment: environment, folder: folder)
    }

    /// The lines from `The page:` on; none when the process ended before it said them.
    private static func links(_ up: ChildProcess) throws -> [String] {
        while true {
            let lines = up.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if let start = lines.firstIndex(of: "The page:"), lines.dropFirst(start).contains("") {
                return Array(lines[start...].prefix { !$0.isEmpty })
            }
            guard up.isRunning else { return [] }
            try ChildProcess.turn()
        }
    }

    @Test("is printed as it is asked for, with the link of the first operator as long as there is none")
    func printed() async throws {
        let (base, database) = (try FreePorts.run(of: 6), try await TestDatabase.market())
        let address = "127.0.0.1:\(base + 5)"
        let up = try Self.up(base, database, ["--http", address])
        let links = try Self.links(up)
        try #require(links.count == 4, "\(up.output)\n\(up.errors.suffix(2_000))")
        #expect(links[1] == "http://localhost:\(base + 5)/")
        #expect(links[3].hasPrefix("http://localhost:\(base + 5)/setup#token="))
        let page = try await HTTPClient().get(links[1])
        #expect(page.status == 200 && page.header("content-type")?.hasPrefix("text/html") == true)
        up.signal(SIGTERM)
        #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
    }

    @Test("is the one that people know where the operator says so")
    func configured() async throws {
        let (base, database) = (try FreePorts.run(of: 6), try await TestDatabase.market())
        let up = try Self.up(
            base, database, ["--http", "127.0.0.1:\(base + 5)"],
            ["BITPAL_GATEWAY_PAGE_URL": "https://bitpal.example"])
        let links = try Self.links(up)
        try #require(links.count == 4, "\(up.output)\n\(up.errors.suffix(2_000))")
        #expect(links[1] == "https://bitpal.example/")
        #expect(links[3].hasPrefix("https://bitpal.example/setup#token="))
        up.signal(SIGTERM)
        #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
    }

    @Test("is port 8080 of this machine where nothing else is said, or that port is named as taken")
    func standard() async throws {
        let (base, database) = (try FreePorts.run(of: 6), try await TestDatabase.market())
        let up = try Self.up(base, database, [])
        let links = try Self.links(up)
        if links.isEmpty {
            #expect(await up.exitStatus() == 78)
            #expect(up.errors.contains("127.0.0.1:8080 is in use"), "\(up.errors.suffix(2_000))")
        } else {
            #expect(links.dropFirst().first == "http://localhost:8080/")
            up.signal(SIGTERM)
            #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
        }
    }
}

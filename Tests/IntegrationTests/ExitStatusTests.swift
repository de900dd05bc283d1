import Foundation
import Support
import Testing

/// What an operator sees of a process that cannot start, and of one that is told to stop.
@Suite("Exit statuses of the services", .serialized, .timeLimit(.minutes(10)))
struct ExitStatusTests {
    private func start(_ service: String, _ environment: [String: String]) throws -> ChildProcess {
        var all = environment
        let base = try FreePorts.run(of: 4)
        all.merge(["BITPAL_BUS": "tcp://127.0.0.1:\(base)"]) { given, _ in given }
        all.merge(["\(Platform.prefix(service))OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)"]) { given, _ in
            given
        }
        return try ChildProcess(service, environment: all, folder: try TestDatabase.temporaryDirectory())
    }

    @Test("an unknown key of the environment is refused with one line and 78", arguments: Platform.services)
    func unknownKey(service: String) async throws {
        let name = Platform.prefix(service) + "NO_SUCH_KEY"
        let process = try start(service, [name: "1"])
        #expect(await process.exitStatus() == 78)
        let lines = process.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(process.errors)")
        #expect(process.errors.contains(name))
    }

    @Test("a port that is taken is named and ends with 78")
    func portInUse() async throws {
        let base = try FreePorts.run(of: 5)
        let environment = ["BITPAL_BUS": "tcp://127.0.0.1:\(base)"]
        let first = try start("bus-broker", environment)
        try await eventually {
            first.errors.contains("listening") || FileManager.default.isListening(on: base)
        }
        let second = try start("bus-broker", environment)
        #expect(await second.exitStatus() == 78)
        #expect(second.errors.contains("\(base)"), "\(second.errors)")
        first.signal(SIGTERM)
        #expect(await first.exitStatus() == 0, "\(first.errors)")
    }

    @Test(
        "PostgreSQL that refuses is named and ends with 78", arguments: ["book-builder", "portfolio-service"])
    func databaseRefuses(service: String) async throws {
        let environment = ["BITPAL_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"]
        let process = try start(service, environment)
        #expect(await process.exitStatus() == 78)
        #expect(process.errors.split(separator: "\n").count == 1, "\(process.errors)")
    }

    @Test("a recording that cannot be read is named and ends with 78 or 70")
    func brokenRecording() async throws {
        let environment = ["BITPAL_VENUE_SIMULATOR_RECORDINGS": "/nonexistent/recording.jsonl.gz"]
        let process = try start("venue-simulator", environment)
        let status = await process.exitStatus()
        #expect(status == 78 || status == 70)
        #expect(process.errors.contains("/nonexistent/recording.jsonl.gz"), "\(process.errors)")
    }
}

extension FileManager {
    /// Whether somebody listens on a port of loopback, by the kernel's own list.
    func isListening(on port: UInt16) -> Bool {
        guard let table = try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8) else { return false }
        let wanted = "0100007F:" + String(format: "%04X", port)
        return table.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1] == wanted && fields[3] == "0A"
        }
    }
}

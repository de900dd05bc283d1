import Foundation
import Store
import Support
import Testing

/// What `scripts/install-dependencies.sh test` made.
private enum Schemathesis {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    static let isThere: Bool = {
        let ready = root + "/.build/python/ready"
        return (try? String(contentsOfFile: ready, encoding: .utf8))?.contains("schemathesis") ?? false
    }()

    /// An ordinary run asks a few questions a route, a soak every corner and many more.
    static let effort =
        ProcessInfo.processInfo.environment["SOAK"] == "1"
        ? ["examples,coverage,fuzzing,stateful", "100"] : ["examples,fuzzing", "2"]
}

/// Minutes; at full size it takes hours.
private let patience = ProcessInfo.processInfo.environment["SOAK"] == nil ? 30 : 600

@Suite(
    "The API as its OpenAPI document promises it", .timeLimit(.minutes(patience)),
    .enabled(
        if: Schemathesis.isThere, "SKIPPED: no schemathesis; scripts/install-dependencies.sh test gets it"))
struct OpenAPIAnswerTests {
    /// The questions are schemathesis's; `Tests/Tools/check_openapi.py` says what counts as a failure.
    @Test("gives no answer that the document does not describe, and fails at nothing that it is asked")
    func conformance() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let base = try FreePorts.run(of: 8)
        let up = try ChildProcess(
            "bitpal",
            arguments: [
                "up", "--profile", "demo", "--data-dir", folder + "/data", "--http", "127.0.0.1:\(base + 5)",
            ],
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000",
                "BITPAL_BOOK_BUILDER_BACKFILL_HISTORY": "false",
                "BITPAL_VENUE_SIMULATOR_VENUES": "kraken,binance-usdm",
                "BITPAL_DATABASE_URL": try await TestDatabase.market().description,
            ], folder: folder)
        let mark = "/setup#token="
        while !up.output.contains(mark) {
            try #require(up.isRunning, "\(up.errors.suffix(2_000))")
            try ChildProcess.turn()
        }
        let token = up.output.components(separatedBy: mark)[1].prefix { !$0.isWhitespace }
        let check = try ChildProcess(
            Schemathesis.root + "/.build/python/bin/python",
            arguments: [
                Schemathesis.root + "/Tests/Tools/check_openapi.py", "http://127.0.0.1:\(base + 5)",
                String(token),
                folder,
            ] + Schemathesis.effort, folder: folder)
        let status = await check.exitStatus()
        #expect(status == 0, "\(check.output.suffix(12_000))\n\(check.errors.suffix(2_000))")
        up.signal(SIGTERM)
        #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
    }
}

import Foundation
import Store
import Support
import Testing

/// What a browser needs that is no part of the package.
enum Chromium {
    private static let files = [
        "/usr/bin/chromium", "/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromedriver", python,
    ]
    static let python = "/usr/bin/python3"

    /// The folder of the checks that drive it.
    static let checks = root + "Tests/PageTests/chromium/"
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    static var isThere: Bool { files.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }

    static let advice: Comment =
        "needs chromium, chromium-headless-shell, chromium-driver and python3-selenium"

    /// One that tests share, each in a context of its own.
    static func start(in folder: String) throws -> (process: ChildProcess, address: String) {
        let profile = folder + "/chromium"
        let process = try ChildProcess(
            python, arguments: [checks + "chromium.py", profile], folder: folder)
        while true {
            let file = try? String(contentsOfFile: profile + "/DevToolsActivePort", encoding: .utf8)
            // The port, and on the next line a path.
            if let lines = file?.split(separator: "\n"), lines.count == 2 {
                return (process, "127.0.0.1:\(lines[0])")
            }
            try #require(process.isRunning, "\(process.errors.suffix(2_000))")
            try ChildProcess.turn()
        }
    }
}

/// An installation with its page, and a browser in front of it.
final class PageInstallation: Sendable {
    private let folder: String
    private let base: UInt16
    private let database: String
    private let up: ChildProcess
    private let browser: ChildProcess
    private let debugger: String

    /// Starts both, and waits until they answer.
    ///
    /// - Parameters:
    ///   - recordings: Files of recorded sessions; none is the synthetic market.
    ///   - options: More for `bitpal up`.
    /// - Throws: What keeps one of them from starting.
    init(playing recordings: [String] = [], options: [String] = []) async throws {
        folder = try TestDatabase.temporaryDirectory()
        base = try FreePorts.run(of: 8)
        let apple = "http://127.0.0.1:\(base + 6)"
        database = try await TestDatabase.market().description
        up = try ChildProcess(
            "bitpal",
            arguments: [
                "up", "--profile", "demo", "--data-dir", folder + "/data", "--http", "127.0.0.1:\(base + 5)",
            ] + recordings.flatMap { ["--recording", $0] } + options,
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                // Nothing that the page does needs a market so fast; it would take a core for itself.
                "BITPAL_VENUE_SIMULATOR_INTERVAL": "100ms",
                "BITPAL_VENUE_SIMULATOR_VENUES": "bitmex,kraken,binance",
                // Nor a year of past, which takes minutes of the tests beside it.
                "BITPAL_BOOK_BUILDER_BACKFILL_HISTORY": "false",
                // Nobody opens so many views one after another.
                "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000",
                "BITPAL_GATEWAY_ACCOUNTS_SIGN_UP": "open",
                "BITPAL_GATEWAY_APPLE_CLIENTS": "web.bitpal", "BITPAL_GATEWAY_APPLE_PAGE": "web.bitpal",
                "BITPAL_GATEWAY_APPLE_AUTHORIZATION": apple + "/authorize",
                "BITPAL_GATEWAY_APPLE_KEYS": apple + "/keys",
                "BITPAL_DATABASE_URL": database,
            ], folder: folder)
        while Self.setup(in: up.output).isEmpty {
            try #require(up.isRunning, "\(up.errors.suffix(2_000))")
            try ChildProcess.turn()
        }
        (browser, debugger) = try Chromium.start(in: folder)
    }

    /// Whether another part may use it.
    var isSound: Bool { up.isRunning && browser.isRunning }

    /// Runs one part of a file of checks, whose screenshots are kept in `.build/page`.
    func look(_ file: String, _ part: String, _ further: [String: String] = [:]) async throws {
        let checks = try ChildProcess(
            Chromium.python,
            arguments: [Chromium.checks + file, part],
            environment: [
                "PAGE_URL": "http://127.0.0.1:\(base + 5)", "PAGE_SHOTS": Chromium.root + ".build/page",
                "PAGE_BITPAL": ChildProcess.products.appendingPathComponent("bitpal").path,
                "PAGE_BROWSER": debugger, "PAGE_INSTRUMENT": "bitmex:XBTUSD",
                "PAGE_SETUP": Self.setup(in: up.output), "PAGE_APPLE": "\(base + 6)",
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)", "BITPAL_DATABASE_URL": database,
            ].merging(further) { $1 }, folder: folder)
        let status = await checks.exitStatus()
        #expect(status == 0, "\(checks.errors.suffix(8_000))\n\(up.errors.suffix(2_000))")
    }

    /// Stops the installation in good order.
    func stop() async {
        browser.signal(SIGTERM)
        _ = await browser.exitStatus()
        up.signal(SIGTERM)
        let status = await up.exitStatus()
        #expect(status == 0, "\(up.errors.suffix(2_000))")
    }

    /// The path of the link that makes the first operator, the last thing that is printed; empty before.
    private static func setup(in output: String) -> String {
        output.firstMatch(of: /(\/setup#token=\S+)\s/).map { String($0.1) } ?? ""
    }
}

/// One installation for all tests of a suite that a process runs, made when the first needs it.
///
/// Each test has an account and a browser context of its own.
actor SharedInstallation: SuiteTrait, TestScoping {
    @TaskLocal static var current: SharedInstallation?

    private var installation: PageInstallation?

    /// The one that runs, or another in its place where it ended.
    func ready() async throws -> PageInstallation {
        if let installation, installation.isSound { return installation }
        let new = try await PageInstallation()
        installation = new
        return new
    }

    private func stop() async { await installation?.stop() }

    nonisolated func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let shared = SharedInstallation()
        try await Self.$current.withValue(shared) { try await function() }
        await shared.stop()
    }
}

import Store
import Foundation
import Support
import Testing

/// What a browser needs that is no part of the package.
private enum Chromium {
    static let files = ["/usr/bin/chromium", "/usr/bin/chromedriver", "/usr/bin/python3"]

    static var isThere: Bool { files.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) } }
}

@Suite(
    "The web page in Debian's Chromium", .timeLimit(.minutes(30)),
    .enabled(if: Chromium.isThere, "needs chromium, chromium-driver and python3-selenium"))
struct PageTests {
    // Each part is a test, so that several may run at a time, each before an installation of its own. The
    // checks are in `Tests/PageTests/chromium`; screenshots are kept in `.build/page`.

    @Test("needs no account for the market's views") func market() async throws {
        try await look("page_test.py", "Market")
    }

    @Test("takes somebody from nothing to an alert that fired") func account() async throws {
        try await look("page_test.py", "Account")
    }

    @Test("is sound in every view of somebody's own") func ownViews() async throws {
        try await look("page_test.py", "OwnViews")
    }

    @Test("speaks other languages") func languages() async throws {
        try await look("page_test.py", "Languages")
    }

    @Test("is there for who runs the installation") func operatorViews() async throws {
        try await look("page_test.py", "Operator")
    }

    @Test("is used without a pointer") func keyboard() async throws {
        try await look("keys_test.py", "Keyboard")
    }

    @Test("is there without a network, and tells of an alert") func shell() async throws {
        try await look("shell_test.py", "Shell")
    }

    @Test("reckons with every digit") func exact() async throws { try await look("exact_test.py", "Exact") }

    @Test("lets a passkey in") func passkeys() async throws { try await look("passkey_test.py", "Passkeys") }

    @Test("lets Apple's accounts in") func apple() async throws {
        try await look("apple_test.py", "AppleAccounts")
    }

    @Test("keeps portfolios") func portfolios() async throws {
        try await look("portfolio_test.py", "Portfolios")
    }

    @Test("keeps alerts and channels") func alerts() async throws {
        try await look("alerts_test.py", "Alerts")
    }

    @Test("keeps watchlists") func watchlists() async throws { try await look("watch_test.py", "Watchlists") }

    @Test("is kept by its worker") func worker() async throws { try await look("worker_test.py", "Worker") }

    @Test("shows every digit of a book") func book() async throws { try await look("book_test.py", "Book") }

    @Test("draws candles") func chart() async throws { try await look("chart_test.py", "Chart") }

    @Test("follows the quotes that are in sight") func quotes() async throws {
        try await look("quotes_test.py", "Quotes")
    }

    @Test("says when its server is away") func connection() async throws {
        try await look("connection_test.py", "Connection")
    }

    @Test("changes several alerts at once") func rules() async throws {
        try await look("rules_test.py", "Rules")
    }

    @Test("draws what a portfolio was worth") func wealth() async throws {
        try await look("wealth_test.py", "Wealth")
    }

    @Test("describes the API") func docs() async throws { try await look("docs_test.py", "Docs") }

    /// Whoever comes late still sees it move: it is played again and again.
    @Test("moves with a recorded session", .enabled(if: RecordingsFolder.isAvailable))
    func moving() async throws {
        let (files, further) = try Self.recorded()
        try await look("replay_test.py", "Moving", playing: files, options: ["--loop"], further)
    }

    /// Demonstrates that the page shows what the exchange said, and not something like it.
    @Test(
        "ends as a recorded session did, as the commands say and another implementation",
        .enabled(if: RecordingsFolder.isAvailable))
    func replay() async throws {
        let (files, further) = try Self.recorded()
        try await look("replay_test.py", "Replay", playing: files, further)
    }

    /// Two sessions, and what a test is told of them.
    private static func recorded() throws -> (files: [String], environment: [String: String]) {
        let sessions = [
            ("bitmex:XBTUSD", "bitmex_20210722"), ("binance-usdm:SUSHIUSDT", "binancefutures_20210722"),
        ]
        let recorded = try sessions.map { instrument, name in
            let summary = try #require(RecordingsFolder.expected(name, "summary.json"))
            return [instrument, String(summary.dropLast("/summary.json".count))]
        }
        let files = try sessions.map { try #require(RecordingsFolder.file($0.1)) }
        let named = try JSONSerialization.data(withJSONObject: recorded)
        let further = ["PAGE_RECORDED": String(decoding: named, as: UTF8.self)]
        return (files, further)
    }

    /// Runs one part of a file of checks in front of an installation of its own.
    private func look(
        _ file: String, _ part: String, playing recordings: [String] = [], options: [String] = [],
        _ further: [String: String] = [:]
    ) async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let base = try FreePorts.run(of: 8)
        let bus = "tcp://127.0.0.1:\(base)"
        let page = "127.0.0.1:\(base + 5)"
        let apple = "http://127.0.0.1:\(base + 6)"
        let database = try await TestDatabase.market().description
        let up = try ChildProcess(
            "bitpal",
            arguments: ["up", "--profile", "demo", "--data-dir", folder + "/data", "--http", page]
                + recordings.flatMap { ["--recording", $0] } + options,
            environment: [
                "BITPAL_BUS": bus, "BITPAL_VENUE_SIMULATOR_ADDRESS": "127.0.0.1:\(base + 3)",
                "BITPAL_UP_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
                // Nobody opens so many views one after another.
                "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000",
                "BITPAL_GATEWAY_APPLE_CLIENTS": "web.bitpal", "BITPAL_GATEWAY_APPLE_PAGE": "web.bitpal",
                "BITPAL_GATEWAY_APPLE_AUTHORIZATION": apple + "/authorize",
                "BITPAL_GATEWAY_APPLE_KEYS": apple + "/keys",
                "BITPAL_DATABASE_URL": database,
            ], folder: folder)
        while Self.setup(in: up.output).isEmpty {
            try #require(up.isRunning, "\(up.errors.suffix(2_000))")
            try ChildProcess.turn()
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
        let browser = try ChildProcess(
            "/usr/bin/python3",
            arguments: [root + "/Tests/PageTests/chromium/" + file, part],
            environment: [
                "PAGE_URL": "http://" + page, "PAGE_SHOTS": root + "/.build/page",
                "PAGE_BITPAL": ChildProcess.products.appendingPathComponent("bitpal").path,
                "PAGE_INSTRUMENT": "bitmex:XBTUSD", "PAGE_SETUP": Self.setup(in: up.output),
                "BITPAL_BUS": bus, "BITPAL_DATABASE_URL": database, "PAGE_APPLE": "\(base + 6)",
            ].merging(further) { $1 }, folder: folder)
        let status = await browser.exitStatus()
        #expect(status == 0, "\(browser.errors.suffix(8_000))\n\(up.errors.suffix(2_000))")
        up.signal(SIGTERM)
        #expect(await up.exitStatus() == 0, "\(up.errors.suffix(2_000))")
    }

    /// The path of the link that makes the first operator, the last thing that is printed; empty before.
    private static func setup(in output: String) -> String {
        output.firstMatch(of: /(\/setup#token=\S+)\s/).map { String($0.1) } ?? ""
    }
}

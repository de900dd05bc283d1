import Testing

@Suite(
    "The web page in Debian's Chromium", .serialized, .timeLimit(.minutes(30)), SharedInstallation(),
    .enabled(if: Chromium.isThere, Chromium.advice))
struct PageTests {
    // The checks are in `Tests/PageTests/chromium`.

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

    @Test("is there without a network") func shell() async throws { try await look("shell_test.py", "Shell") }

    @Test("tells of an alert, and where it is") func push() async throws {
        try await look("push_test.py", "Push")
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

    @Test("shows the whole market") func discover() async throws {
        try await look("discover_test.py", "Discover")
    }

    @Test("finds coins by their names") func coins() async throws {
        try await look("discover_test.py", "CoinsByName")
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

    /// Runs one part of a file of checks.
    private func look(_ file: String, _ part: String) async throws {
        let shared = try #require(SharedInstallation.current)
        try await shared.ready().look(file, part)
    }
}

import Testing

/// A POST that makes something, and how a test asks for it again and again.
struct Making: Sendable, CustomTestStringConvertible {
    /// As the table of routes names it.
    let route: String
    /// What makes room before each time, where somebody may have only so many.
    var clearing = ""
    /// Tables in which one who asks twice may leave more, since it is not what is made.
    var besides: Set<String> = []
    /// Whether nobody is signed in who asks.
    var isByNobody = false
    /// What is asked for, once what it needs is there.
    let request: @Sendable (MakingGround) async throws -> (path: String, body: String?)

    var testDescription: String { route }

    static let rule =
        #"{"instrument":"kraken:BTC/USD","condition":{"price":"last","crosses":"above","level":"61000"}}"#
    private static let transaction = """
        {"time":"2026-01-02T00:00:00Z","kind":"deposit","wallet":"Cold","asset":"USD","amount":"5"}
        """
    private static let file =
        #"{"format":"csv","text":"time,kind,wallet,asset,amount\n2026-01-03T00:00:00Z,deposit,Cold,USD,7\n"}"#
    private static let channel = #""kind":"webhook","settings":{"url":"https://example.com/a"}"#
    private static let token = #"{"name":"ci","scopes":["account:read"]}"#

    /// Every one.
    static let all = watchlists + samples + alerts + channels + portfolios + accounts + operators

    private static let watchlists = [
        Making(route: "POST /v1/watchlists", clearing: "DELETE FROM accounts.watchlist") { ground in
            ("/v1/watchlists", #"{"name":"\#(ground.name)"}"#)
        },
        Making(route: "POST /v1/watchlists/{id}/entries", clearing: "DELETE FROM accounts.watchlist") {
            ("\(try await $0.watchlist())/entries", #"{"instrument":"kraken:BTC/USD"}"#)
        },
        Making(route: "POST /v1/watchlists/{id}/entries/bulk", clearing: "DELETE FROM accounts.watchlist") {
            let list = try await $0.watchlist()
            return ("\(list)/entries/bulk", #"{"instruments":["kraken:BTC/USD"],"action":"add"}"#)
        },
    ]

    private static let samples = [
        Making(route: "POST /v1/demo/sample", clearing: "DELETE FROM accounts.watchlist") {
            ("/v1/demo/sample", #"{"name":"\#($0.name)"}"#)
        }
    ]

    private static let alerts = [
        Making(route: "POST /v1/alerts") { _ in ("/v1/alerts", rule) },
        Making(route: "POST /v1/alerts/bulk") { ground in
            ("/v1/alerts/bulk", #"{"ids":["\#(try await ground.alert())"],"action":"delete"}"#)
        },
        Making(route: "POST /v1/alerts/import") { _ in
            ("/v1/alerts/import", #"{"rules":[\#(rule),\#(rule)]}"#)
        },
        Making(route: "POST /v1/alerts/{id}/test-fire") { ground in
            ("/v1/alerts/\(try await ground.alert())/test-fire", nil)
        },
    ]

    private static let channels = [
        Making(route: "POST /v1/channels") { ground in
            ("/v1/channels", #"{"name":"\#(ground.name)",\#(channel)}"#)
        },
        Making(route: "POST /v1/channels/{id}/test") { ground in
            let id = try await ground.boss.make("/v1/channels", #"{"name":"\#(ground.name)",\#(channel)}"#)
            return ("/v1/channels/\(id)/test", nil)
        },
        // Nothing is dead here: what it tries again is no new row anyway.
        Making(route: "POST /v1/deliveries/redeliver") { _ in ("/v1/deliveries/redeliver", "{}") },
        Making(route: "POST /v1/account/devices", clearing: "DELETE FROM alerts.channel") { ground in
            let digits = String(ground.number, radix: 16)
            let device = String(repeating: "0", count: 64 - digits.count) + digits
            return (
                "/v1/account/devices",
                #"{"kind":"apns","bundle":"app.bitpal","device":"\#(device)","environment":"sandbox"}"#
            )
        },
    ]

    private static let portfolios = [
        Making(route: "POST /v1/portfolios") { ("/v1/portfolios", #"{"name":"\#($0.name)"}"#) },
        Making(route: "POST /v1/portfolios/{id}/wallets") { ground in
            ("\(try await ground.portfolio())/wallets", #"{"name":"Cold"}"#)
        },
        Making(route: "POST /v1/portfolios/{id}/transactions") { ground in
            ("\(try await ground.ledger())/transactions", transaction)
        },
        Making(route: "POST /v1/portfolios/{id}/transactions/bulk") { ground in
            let all = "\(try await ground.ledger())/transactions"
            let number = try await ground.boss.make(all, transaction)
            return ("\(all)/bulk", #"{"numbers":[\#(number)],"action":"remove"}"#)
        },
        Making(route: "POST /v1/portfolios/{id}/import") { ground in
            ("\(try await ground.portfolio())/import", file)
        },
        Making(route: "POST /v1/portfolios/{id}/shares") { ground in
            ("\(try await ground.portfolio())/shares", #"{"days":3}"#)
        },
    ]

    private static let accounts = [
        Making(route: "POST /v1/account/tokens", clearing: "DELETE FROM accounts.token") { _ in
            ("/v1/account/tokens", token)
        },
        // Attempts to prove who one is count, whatever comes of them.
        Making(
            route: "POST /v1/account/totp", clearing: "DELETE FROM accounts.totp",
            besides: ["accounts.login_failure"]
        ) { _ in ("/v1/account/totp", AccountGatewayFixture.proof) },
        Making(route: "POST /v1/auth/passkeys/register", clearing: "DELETE FROM accounts.passkey") { ground in
            ("/v1/auth/passkeys/register", try await ground.passkey())
        },
        // A key of its own: who repeats it is let in by a session more.
        Making(route: "POST /v1/auth/sign-up", besides: ["accounts.session"], isByNobody: true) { ground in
            let password = AccountGatewayFixture.password
            return (
                "/v1/auth/sign-up", #"{"email":"\#(ground.name)@example.org","password":"\#(password)"}"#
            )
        },
    ]

    private static let operators = [
        Making(route: "POST /v1/operator/invitations") { _ in ("/v1/operator/invitations", "{}") },
        Making(route: "POST /v1/operator/users") { ground in
            ("/v1/operator/users", #"{"email":"\#(ground.name)@example.org"}"#)
        },
        Making(route: "POST /v1/operator/users/{id}/reset") { ground in
            ("/v1/operator/users/\(try await ground.user())/reset", nil)
        },
        Making(route: "POST /v1/operator/users/{id}/tokens") { ground in
            ("/v1/operator/users/\(try await ground.user())/tokens", token)
        },
    ]
}

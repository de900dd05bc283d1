import AccountStore
import AlertStore
import Alerting
import Credentials
import Dispatch
import Encodings
import Instruments
import JSON
import MarketStore
import NIOCore
import PortfolioStore
import Store
import Support
import Testing

@testable import Accounts
@testable import GatewayAPI

/// Somebody who has one of everything, and what only that somebody's rows hold.
private struct OwnedRows {
    let ben: TestClient
    let user: UserID
    let things: [String: String]
    let patterns: [String]

    static let email = "ben@example.org"

    static func gather(_ fixture: AccountGatewayFixture) async throws -> OwnedRows {
        let coin = Instrument(
            id: TwoUserFixture.bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"),
            kind: .spot,
            priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
        try await fixture.database.store([coin], at: .zero)
        let boss = try await fixture.operatorClient()
        _ = try await boss.ask("POST", "/v1/operator/invitations", json: #"{"email":"Ben@example.org"}"#)
        let made = try await fixture.signUp(email)
        let (ben, id) = (try fixture.client(made), try #require(made.string("user.id")))
        let user = UserID(rawValue: try #require(UniqueID(id)))
        let things = try await ForeignAccessTests.fill(ben)
        try await use(ben, things)
        let flags = #"{"items":[{"name":"beta","percentage":0,"users":{"\#(id)":true}}]}"#
        #expect(try await boss.ask("PUT", "/v1/operator/flags", json: flags).status == 200)
        try await signIns(fixture, user)
        let digests = [Secrets.digest(email.utf8), Secrets.digest("confirm \(user)".utf8)]
        let own = things.filter { !$0.key.contains("alerts") && $0.key.contains("/") }.values
        return OwnedRows(
            ben: ben, user: user, things: things,
            patterns: [id, id.replacing("-", with: ""), email, hexadecimal(Array(email.utf8))]
                + digests.map(hexadecimal) + own)
    }

    /// What comes of using things.
    private static func use(_ ben: TestClient, _ things: [String: String]) async throws {
        let portfolio = "/v1/portfolios/\(things["/v1/portfolios/{id}"] ?? "")"
        let edited = """
            {"time":"2026-01-02T00:00:00Z","kind":"deposit","wallet":"Cold","asset":"USD","amount":"6.50"}
            """
        let number = things["{number}"] ?? ""
        #expect(
            try await ben.ask("PUT", "\(portfolio)/transactions/\(number)", json: edited).status == 200)
        let file =
            #"{"format":"csv","text":"time,kind,wallet,asset,amount\n"#
            + #"2026-01-03T00:00:00Z,deposit,Cold,USD,7\n"}"#
        #expect(try await ben.ask("POST", "\(portfolio)/import", json: file).status < 300)
        let targets = #"{"targets":[{"asset":"BTC","share":"0.5"}]}"#
        #expect(try await ben.ask("PUT", "\(portfolio)/targets", json: targets).status == 200)
        let second = try await ben.make("/v1/portfolios", #"{"name":"Old"}"#)
        #expect(try await ben.ask("DELETE", "/v1/portfolios/\(second)").status == 204)
        let token = try await ben.ask(
            "POST", "/v1/account/tokens", headers: [("Idempotency-Key", "once")],
            json: #"{"name":"script","scopes":["market:read"]}"#)
        #expect(token.status == 201)
        #expect(
            try await ben.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof).status == 201)
    }

    private static func signIns(_ fixture: AccountGatewayFixture, _ user: UserID) async throws {
        let accountService = try #require(fixture.accountService)
        #expect(try await fixture.signIn(email, "not the password").status == 401)
        fixture.clock.advance(seconds: 1)
        let now = fixture.clock.now
        try await accountService.change { session in
            try session.addPasskey(
                StoredPasskey(
                    id: accountService.newID(at: now), user: user, credential: [1], publicKey: [2],
                    counter: 0,
                    name: "key", created: now))
            try session.setRecoveryCodes([[UInt8](repeating: 7, count: 32)], of: user)
            try accountService.writeVerification(to: user, in: session)
        }
        try await fixture.database.withSession { session in
            try session.script(
                """
                INSERT INTO portfolio.day SELECT portfolio_id, 20000, 1.50, 0, 0 FROM portfolio.portfolio;
                INSERT INTO portfolio.lot_setting
                SELECT portfolio_id, 1, NULL, -9223372036854775808, 'fifo', 'universal'
                FROM portfolio.portfolio;
                INSERT INTO portfolio.import_line
                SELECT portfolio_id, number, 2, 'known' FROM portfolio.import;
                INSERT INTO alerts.user_pace (user_id) SELECT user_id FROM accounts.app_user;
                INSERT INTO alerts.channel_pace SELECT channel_id, 0, 0, false, 0, 0 FROM alerts.channel;
                """)
        }
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The tables of every schema of which a row, as text, holds one of some texts.
private struct TablesWith: Statement {
    static let sql = """
        SELECT table_schema || '.' || table_name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
            AND (xpath('/row/c/text()', query_to_xml(format(
                'SELECT count(*) AS c FROM %I.%I AS item WHERE item::text ILIKE ANY (%L::text[])',
                table_schema, table_name, $1), false, true, '')))[1]::text::bigint > 0
        ORDER BY 1
        """
    let texts: [String]

    func bind(_ parameters: inout Parameters) { parameters.append(texts.map { "%\($0)%" }) }
    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

/// The tables with a column that says whose a row is.
private struct OwnedTables: Statement {
    static let sql = """
        SELECT DISTINCT table_schema || '.' || table_name FROM information_schema.columns
        WHERE column_name IN ('user_id', 'portfolio_id', 'channel_id', 'watchlist_id')
            AND table_schema NOT IN ('pg_catalog', 'information_schema')
        ORDER BY 1
        """

    static func decode(_ row: inout RowReader) throws(StoreError) -> String { try row.text() }
}

@Suite("Taking everything along, and leaving", .serialized, .timeLimit(.minutes(10)))
struct ErasureTests {
    @Test("leaves nothing of a user in any table of any schema, and everything of others")
    func nothing() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let hoard = try await OwnedRows.gather(fixture)
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            _ = try await ForeignAccessTests.fill(ann)
            let before = try await ForeignAccessTests.look(ann)
            let holding = Set(try await fixture.database.rows(TablesWith(texts: hoard.patterns)))
            let owned = Set(try await fixture.database.rows(OwnedTables()))
            #expect(owned.subtracting(holding) == ["accounts.erasure"], "no row of the user's is tried there")
            #expect(holding.contains("accounts.login_failure") && holding.contains("market.subscription"))
            #expect(holding.contains("accounts.audit"))
            let log = try await fixture.auditLog()

            let database = fixture.database
            let seen = database.listen(
                to: [
                    AccountSchema.revocationChannel, AlertSchema.ruleChannel, PortfolioSchema.changeChannel,
                ])
            var events = seen.makeAsyncIterator()
            while await events.next() != .listening {}
            let change = try await database.withSession { try $0.lastRuleChange() }
            let answer = try await hoard.ben.ask(
                "DELETE", "/v1/account", json: #"{"password":"\#(AccountGatewayFixture.password)"}"#)
            #expect(answer.status == 204, "\(answer.text)")
            #expect(answer.header("set-cookie")?.contains("Max-Age=0") == true)

            #expect(try await database.rows(TablesWith(texts: hoard.patterns)) == [])
            // What was done stays, and that it was erased is the last that is known.
            let lines = try await fixture.auditLog()
            #expect(lines.first?.action == "account.erase" && lines.dropFirst().map(\.id) == log.map(\.id))
            #expect(try await ForeignAccessTests.look(ann) == before)
            #expect(try await hoard.ben.get("/v1/account").status == 401)
            #expect(try await fixture.signIn(OwnedRows.email).status == 401)
            fixture.clock.advance(seconds: 2)
            #expect(try await fixture.signUp(OwnedRows.email).status == 201)
            // Who runs is told: connections, rules, valuations.
            var awaited: Set = [
                "account_revocation user \(hoard.user)", "alerts_rule ",
                "portfolio_change \(hoard.things["/v1/portfolios/{id}"] ?? "")",
            ]
            while !awaited.isEmpty, case .notification(let channel, let payload)? = await events.next() {
                awaited.remove("\(channel) \(payload)")
            }
            #expect(awaited.isEmpty)
            let rules = try await database.withSession { try $0.rules(changedAfter: change) }
            #expect(rules.map { "\($0.id)" } == [hoard.things["/v1/alerts/{id}"]])
            #expect(
                rules.allSatisfy { !$0.isActive && $0.version > 1 && $0.rule.id.description == "\($0.id)" })
        }
    }

    @Test("asks once more who it is, and refuses the last operator")
    func proof() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let boss = try await fixture.operatorClient()
            func erase(_ client: TestClient, _ json: String) async throws -> TestAnswer {
                try await client.ask("DELETE", "/v1/account", json: json)
            }
            let password = #"{"password":"\#(AccountGatewayFixture.password)"}"#
            #expect(try await erase(boss, password).problem == "conflict")
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            #expect(try await erase(ann, "{}").problem == "invalid-field")
            #expect(try await erase(ann, #"{"code":"123456"}"#).problem == "invalid-field")
            #expect(try await erase(ann, #"{"password":"wrong"}"#).problem == "forbidden")
            #expect(try await erase(ann, password).problem == "throttled")
            fixture.clock.advance(seconds: 1)
            let token = try await ann.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"t","scopes":["account:write"]}"#)
            let program = fixture.client(token: try #require(token.string("token")))
            #expect(try await erase(program, password).problem == "forbidden")
            #expect(try await program.get("/v1/account/export").problem == "forbidden")

            let begun = try await ann.ask("POST", "/v1/account/totp", json: AccountGatewayFixture.proof)
            let secret = try #require(begun.string("secret").flatMap { Base32.bytes($0) })
            func code(_ steps: Int64) -> String {
                OneTimePassword.code(secret, step: fixture.clock.now.nanoseconds / 30_000_000_000 + steps)
            }
            let confirmed = try await ann.ask(
                "POST", "/v1/account/totp/confirm", json: #"{"code":"\#(code(-1))"}"#)
            #expect(confirmed.status == 200)
            #expect(try await erase(ann, password).problem == "second-factor-required")
            func both(_ code: String) -> String {
                #"{"password":"\#(AccountGatewayFixture.password)","code":"\#(code)"}"#
            }
            #expect(try await erase(ann, both(code(9))).problem == "invalid-field")
            // A code is not tried again and again either.
            #expect(try await erase(ann, both(code(0))).problem == "throttled")
            fixture.clock.advance(seconds: 2)
            #expect(try await erase(ann, both(code(0))).status == 204)
        }
    }

    @Test("is the only way in which a revision goes")
    func revisions() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let hoard = try await OwnedRows.gather(fixture)
            func refused(_ text: String, as user: UserID? = nil) async throws -> String? {
                let error = await #expect(throws: StoreError.self, "\(text)") {
                    if let user {
                        try await fixture.database.transaction(as: user) { try $0.script(text) }
                    } else {
                        try await fixture.database.transaction { try $0.script(text) }
                    }
                }
                return error?.sqlState
            }
            let begin = "INSERT INTO accounts.erasure VALUES ('\(hoard.user)');"
            #expect(try await refused("DELETE FROM portfolio.revision") == "23001")
            #expect(try await refused("\(begin) DELETE FROM portfolio.revision") == "23001")
            #expect(try await refused("\(begin) UPDATE portfolio.revision SET note = 'a'") == "23001")
            #expect(
                try await refused("INSERT INTO accounts.erasure VALUES ('\(UserID.localOperator)')")
                    == "23514")
            #expect(try await refused(begin, as: hoard.user) == "42501")
            #expect(try await refused("DELETE FROM portfolio.revision", as: hoard.user) == "42501")
        }
    }

    @Test("gives everything as one document, without secrets, also when it is long")
    func export() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let hoard = try await OwnedRows.gather(fixture)
            let portfolio = hoard.things["/v1/portfolios/{id}"] ?? ""
            try await fixture.database.withSession { session in
                try session.script(
                    """
                    INSERT INTO portfolio.revision (
                        portfolio_id, number, revision, change, time, kind, wallet, asset, amount,
                        external_id, note, tags, price_source, lots)
                    SELECT '\(portfolio)', 100 + n, 1, 1, -1, 'deposit', 'Cold', 'USD', n * 1.10, '',
                        'text "with" ünïcode', '{}', '', '{}' FROM generate_series(1, 3000) AS n
                    """)
            }
            let answer = try await hoard.ben.get("/v1/account/export")
            #expect(answer.status == 200 && answer.header("cache-control") == "no-store")
            #expect(answer.header("content-disposition")?.contains("bitpal-export.json") == true)
            #expect(answer.string("format") == "bitpal-export 1")
            #expect(answer.string("account.email") == OwnedRows.email)
            #expect(answer.string("settings.base_currency") == "USD")
            let sections = AccountExport.sections + AlertExport.sections + PortfolioExport.sections
            for section in sections {
                let value = try answer.json(section.name)
                switch value {
                case .array(let items)?: #expect(!items.isEmpty && !section.isSingle, "\(section.name)")
                case .object?: #expect(section.isSingle, "\(section.name)")
                default: Issue.record("\(section.name) is \(String(describing: value))")
                }
            }
            // Both revisions of the edited transaction, another one, the imported one, and the many.
            #expect(try answer.count("transactions") == 3_004)
            #expect(answer.string("transactions.3003.time") == "1969-12-31T23:59:59.999999999Z")
            #expect(answer.string("transactions.3003.amount") == "3300")
            #expect(answer.string("transactions.3003.note") == "text \"with\" ünïcode")
            #expect(answer.string("transactions.0.time") == "2026-01-02T00:00:00.000000000Z")
            for secret in ["argon2", "digest", "secret", "sealed", "sha256", "public_key"] {
                #expect(!answer.text.contains("\"\(secret)"), "\(secret)")
            }
            #expect(try await fixture.nobody.get("/v1/account/export").status == 401)
            // The place is free again each time, also when nobody reads the document.
            for _ in 0...GatewayPools().longWork {
                #expect(try await hoard.ben.ask("HEAD", "/v1/account/export").status == 200)
            }
            #expect(try await hoard.ben.get("/v1/account/export").status == 200)
        }
    }

    @Test("waits with reading for who sends, a few pieces ahead, and stops with it")
    func pipe() async throws {
        let pipe = ExportPipe(patience: .seconds(600))
        let (filled, fill) = AsyncStream<Int>.makeStream()
        async let ended: String = withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var count = 0
                do throws(ExportPipe.Refused) {
                    while true {
                        fill.yield(count)
                        try pipe.put(ByteBuffer(integer: UInt8(0)))
                        count += 1
                    }
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
        var pieces: AsyncThrowingStream<ByteBuffer, any Error>.Iterator? = pipe.pieces.makeAsyncIterator()
        var counts = filled.makeAsyncIterator()
        for wanted in 0...ExportPipe.depth { #expect(await counts.next() == wanted) }
        _ = try await pieces?.next()
        pipe.taken()
        #expect(await counts.next() == ExportPipe.depth + 1)
        pieces = nil
        pipe.finish()
        #expect(await ended == "closed")
        let stalled = ExportPipe(patience: .zero)
        for _ in 0..<ExportPipe.depth { try stalled.put(ByteBuffer()) }
        #expect(throws: ExportPipe.Refused.stalled) { try stalled.put(ByteBuffer()) }
        #expect(throws: ExportPipe.Refused.overdue) { try ExportPipe(limit: .zero).put(ByteBuffer()) }
    }
}

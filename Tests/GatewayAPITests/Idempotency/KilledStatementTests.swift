import HTTPTypes
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// Each POST that makes something, with the connection to PostgreSQL cut at each exchange, before the server
/// hears of it and after it has done it: whoever repeats the request with its key has made it once.
@Suite("What is made while PostgreSQL dies", .serialized, .timeLimit(.minutes(10)))
struct KilledStatementTests {
    /// POSTs that make nothing, or nothing that there may not be two of, with why.
    private static let others = [
        "POST /v1/account/totp/confirm": "puts in force what is there",
        "POST /v1/alerts/{id}/disable": "changes what is there",
        "POST /v1/alerts/{id}/enable": "changes what is there",
        "POST /v1/auth/apple": "its nonce is good once",
        "POST /v1/auth/apple/options": "a question is good once, and over in minutes",
        "POST /v1/auth/first-operator": "its link is good once; it goes the way of sign-up",
        "POST /v1/auth/passkeys/register/options": "a question is good once, and over in minutes",
        "POST /v1/auth/passkeys/sign-in": "its question is good once",
        "POST /v1/auth/passkeys/sign-in/options": "a question is good once, and over in minutes",
        "POST /v1/auth/password": "changes what is there",
        "POST /v1/auth/password-strength": "reads",
        "POST /v1/auth/reset": "the newest link alone is good",
        "POST /v1/auth/reset/confirm": "its link is good once",
        "POST /v1/auth/sign-in": "whoever signs in twice has two sessions",
        "POST /v1/auth/sign-out": "ends what is there",
        "POST /v1/auth/sign-out-everywhere": "ends what is there",
        "POST /v1/auth/verify": "its link is good once",
        "POST /v1/channels/{id}/confirm": "the newest code alone is good",
        "POST /v1/deliveries/{id}/redeliver": "changes what is there",
        "POST /v1/portfolios/{id}/import/preview": "stores nothing",
        "POST /v1/portfolios/{id}/what-if": "stores nothing",
        "POST /v1/shared/{token}": "reads",
        "POST /unsubscribe": "changes what is there",
    ]

    @Test("is each of the routes that make something: none is left out")
    func complete() throws {
        let routes = try GatewayFixture.idle().routes()
        let posts = routes.names.filter { $0.method == .post }
        let makers = posts.filter { routes.rules[$0]?.creates == true }.map { "POST \($0.path)" }
        let tried = Making.all.map(\.route)
        #expect(Set(tried).count == tried.count)
        // Sign-up has a key of its own: there is nobody yet whose answer it would be.
        #expect(Set(tried).subtracting(["POST /v1/auth/sign-up"]) == Set(makers))
        #expect(
            Set(posts.map { "POST \($0.path)" }).subtracting(tried) == Set(Self.others.keys),
            "a POST that makes something is declared by create, and tried here")
    }

    @Test("is there once, and the answer is about it", arguments: Making.all)
    func once(making: Making) async throws {
        try await MakingStage.run { stage async throws in
            var attempts = Attempts(stage: stage, making: making)
            // What only the first one leaves is not what each leaves.
            _ = try await attempts.undisturbed()
            let left = try await attempts.undisturbed()
            for place in DatabaseProxy.Cut.allCases {
                var (number, repeated) = (1, 0)
                while let wasRepeated = try await attempts.cut(number, place, leaving: left) {
                    repeated += wasRepeated ? 1 : 0
                    number += 1
                }
                #expect(number > 5, "\(making.route) has \(number) exchanges")
                // The COMMIT was among them: done, and not known to be.
                #expect(repeated > 0 || place == .before, "\(making.route), cut \(place)")
            }
        }
    }
}

/// One request after the other, each for something new.
private struct Attempts {
    let stage: MakingStage
    let making: Making
    private var number = 0

    init(stage: MakingStage, making: Making) { (self.stage, self.making) = (stage, making) }

    /// What it leaves in each table where nothing goes wrong.
    mutating func undisturbed() async throws -> [String: Int64] {
        let request = try await next()
        let before = try await rows()
        let answer = try await ask(request)
        #expect(answer.status < 300, "\(making.route) gave \(answer.status) \(answer.text)")
        return try await difference(since: before)
    }

    /// Cuts an exchange, repeats the request until it is answered, and looks at what there is then; whether
    /// the answer was one that was kept, `nil` where there is no such exchange.
    mutating func cut(
        _ number: Int, _ place: DatabaseProxy.Cut, leaving left: [String: Int64]
    ) async throws -> Bool? {
        let request = try await next()
        let before = try await rows()
        stage.proxy.arm(number, place)
        var answer = try await ask(request)
        let wasCut = stage.proxy.disarm()
        var pauses = PollPauses()
        while answer.status >= 500 || answer.problem == "throttled" {
            #expect(answer.status == 503 || answer.problem == "throttled", "\(answer.text)")
            if answer.problem == "throttled" { stage.fixture.clock.advance(seconds: 60) }
            try await pauses.pause(missing: answer.text)
            answer = try await ask(request)
        }
        let what = "\(making.route), exchange \(number), \(place)"
        #expect(answer.status < 300, "\(what): \(answer.status) \(answer.text)")
        #expect(try await difference(since: before) == left, "\(what)")
        try await isNamed(by: answer, what)
        let again = try await ask(request)
        #expect(again.status == answer.status && again.text == answer.text, "\(what): \(again.text)")
        #expect(again.header("idempotency-replayed") == "true", "\(what)")
        #expect(try await difference(since: before) == left, "\(what), once more")
        return wasCut ? answer.header("idempotency-replayed") == "true" : nil
    }

    /// What is asked next, with its key.
    private mutating func next() async throws -> (path: String, body: String?, key: String) {
        number += 1
        if !making.clearing.isEmpty {
            let script = making.clearing
            try await stage.fixture.database.withSession { try $0.script(script) }
        }
        let ground = MakingGround(fixture: stage.fixture, boss: stage.boss, number: number)
        let (path, body) = try await making.request(ground)
        return (path, body, "\(making.route) \(number)")
    }

    private func ask(_ request: (path: String, body: String?, key: String)) async throws -> TestAnswer {
        let client = making.isByNobody ? stage.brokenNobody : stage.brokenBoss
        return try await client.ask(
            "POST", request.path, headers: [("Idempotency-Key", request.key)], json: request.body)
    }

    /// What the answer names is there.
    private func isNamed(by answer: TestAnswer, _ what: String) async throws {
        if let place = answer.header("location") {
            #expect(try await stage.boss.get(place).status == 200, "\(what): \(place)")
        }
        for member in ["id", "delivery", "user.id", "reset.id"] {
            guard let id = answer.string(member) else { continue }
            let found = try await stage.fixture.database.rows(TablesNaming(text: id))
            #expect(!found.isEmpty, "\(what): nothing is named \(id)")
        }
    }

    private func rows() async throws -> [String: Int64] {
        let rows = try await stage.fixture.database.rows(RowCounts())
        return Dictionary(uniqueKeysWithValues: rows.filter { !making.besides.contains($0.0) })
    }

    private func difference(since before: [String: Int64]) async throws -> [String: Int64] {
        let now = try await rows()
        return now.reduce(into: [:]) { left, table in
            let more = table.value - (before[table.key] ?? 0)
            if more != 0 { left[table.key] = more }
        }
    }
}

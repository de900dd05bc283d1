import Support
import Testing

@testable import GatewayAPI

/// What pages of other sites can make a browser do with its user's cookie, over a real socket.
@Suite("Cross-site requests", .serialized, .timeLimit(.minutes(10)))
struct CrossSiteTests {
    /// Who asks, by the headers that a browser adds; `HERE` is our own address.
    private struct Case: CustomTestStringConvertible, Sendable {
        var headers: [(String, String)]
        var status: Int

        init(_ headers: [(String, String)], _ status: Int) {
            self.headers = headers
            self.status = status
        }

        var testDescription: String { headers.map { "\($0.0): \($0.1)" }.joined(separator: ", ") }

        func headers(port: Int) -> [(String, String)] {
            headers.map { ($0.0, $0.1.replacing("HERE", with: "127.0.0.1:\(port)")) }
        }
    }

    private static let site = "Sec-Fetch-Site"

    private static let changes: [Case] = [
        Case([(site, "same-origin")], 201), Case([(site, "none")], 201),
        Case([("Origin", "http://HERE")], 201), Case([("Origin", "https://HERE")], 201),
        Case([(site, "same-origin"), ("Origin", "http://HERE")], 201),
        // Nothing says where it comes from.
        Case([], 403),
        Case([(site, "cross-site")], 403), Case([(site, "same-site")], 403), Case([(site, "")], 403),
        Case([(site, "nonsense")], 403), Case([(site, "SAME-ORIGIN")], 403),
        // The metadata of the request is not overruled by an origin.
        Case([(site, "cross-site"), ("Origin", "http://HERE")], 403),
        Case([("Origin", "null")], 403), Case([("Origin", "")], 403),
        Case([("Origin", "http://evil.example")], 403), Case([("Origin", "http://HERE.evil.example")], 403),
        Case([("Origin", "http://evil.example/http://HERE")], 403),
        Case([("Origin", "http://localhost:1")], 403), Case([("Origin", "ftp://HERE")], 403),
        Case([("Origin", "http://HERE"), ("Origin", "http://evil.example")], 403),
        Case([("Origin", "http://evil.example"), ("Origin", "http://HERE")], 403),
        Case([("Referer", "http://HERE/")], 403), Case([("X-Requested-With", "XMLHttpRequest")], 403),
        // What a form of any site can send.
        Case([(site, "same-origin"), ("Content-Type", "text/plain")], 415),
        Case([(site, "same-origin"), ("Content-Type", "application/x-www-form-urlencoded")], 415),
        Case([(site, "same-origin"), ("Content-Type", "multipart/form-data; boundary=a")], 415),
        Case([(site, "same-origin"), ("Content-Type", "")], 415),
        Case([(site, "same-origin"), ("Content-Type", "application/json; charset=utf-8")], 201),
        Case([(site, "cross-site"), ("Content-Type", "text/plain")], 403),
    ]

    @Test("change nothing, whatever they claim; what our own page and programs send does")
    func posts() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let cookie = try #require(
                try fixture.client(try await fixture.signUp("ann@example.org")).headers.last)
            var made = 0
            for item in Self.changes {
                let client = TestClient(port: fixture.nobody.port, headers: [cookie])
                let answer = try await client.ask(
                    "POST", "/v1/watchlists", headers: item.headers(port: client.port),
                    json: #"{"name":"list \#(made)"}"#)
                #expect(answer.status == item.status, "\(item.testDescription): \(answer.text)")
                if item.status == 403 { #expect(answer.problem == "cross-site", "\(item.testDescription)") }
                if answer.status == 201 { made += 1 }
            }
            let ann = TestClient(port: fixture.nobody.port, headers: [cookie])
            #expect(try await ann.get("/v1/watchlists").count() == made)
            // Without a cookie there is nothing to abuse; a token is no cookie; a wrong one is not anonymous.
            let token = try await ann.ask(
                "POST", "/v1/account/tokens", headers: [(Self.site, "same-origin")],
                json: #"{"name":"t","scopes":["account:read","account:write"]}"#)
            let bearer = ("Authorization", "Bearer \(try #require(token.string("token")))")
            for headers in [[bearer], [bearer, (Self.site, "cross-site")], [bearer, cookie]] {
                made += 1
                let client = TestClient(port: fixture.nobody.port, headers: headers)
                #expect(
                    try await client.ask("POST", "/v1/watchlists", json: #"{"name":"list \#(made)"}"#).status
                        == 201)
            }
            let wrong = TestClient(
                port: fixture.nobody.port, headers: [("Authorization", "Bearer x"), cookie])
            #expect(try await wrong.ask("POST", "/v1/watchlists", json: #"{"name":"b"}"#).status == 401)
        }
    }

    private static let streams: [Case] = [
        Case([("Origin", "http://HERE")], 101),
        Case([("Origin", "http://HERE"), (site, "same-origin")], 101),
        Case([], 403), Case([("Origin", "null")], 403), Case([("Origin", "http://evil.example")], 403),
        Case([("Origin", "http://HERE.evil.example")], 403), Case([("Origin", "http://HERE:1")], 403),
        Case([("Origin", "http://HERE"), (site, "cross-site")], 403),
        Case([("Origin", "http://HERE"), (site, "same-site")], 403),
        Case([("Origin", "http://HERE"), ("Origin", "http://evil.example")], 403),
    ]

    @Test("open no WebSocket and read no events")
    func lives() async throws {
        try await AccountGatewayFixture.run(
            assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let (cookie, port) = (try #require(ann.headers.last), ann.port)
            for item in Self.streams {
                let status = try await StreamClient.run(
                    port: port, headers: [cookie] + item.headers(port: port)
                ) { _, head async throws in head.split(separator: " ")[1] }
                #expect(status == "\(item.status)", "WebSocket, \(item.testDescription)")
            }
            let client = TestClient(port: port, headers: [cookie])
            for headers in [
                [("Origin", "null")], [("Origin", "http://evil.example")], [(Self.site, "cross-site")],
                [(Self.site, "same-site")],
                [("Origin", "http://127.0.0.1:\(port)"), (Self.site, "cross-site")],
            ] {
                let answer = try await client.get("/v1/events?channel=alerts&key=", headers: headers)
                #expect(answer.problem == "cross-site", "\(headers)")
            }
        }
    }

    @Test("get nothing that lets their pages read an answer, and set no cookie that others take")
    func answers() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let made = try await fixture.signUp("ann@example.org")
            let cookie = try #require(made.header("set-cookie"))
            #expect(cookie.hasPrefix("__Host-") && !cookie.lowercased().contains("domain="))
            let ann = try fixture.client(made)
            for method in ["GET", "OPTIONS", "HEAD"] {
                let answer = try await ann.ask(
                    method, "/v1/account", headers: [("Origin", "http://evil.example")])
                #expect(answer.headers.keys.allSatisfy { !$0.hasPrefix("access-control-") }, "\(method)")
                #expect(method != "OPTIONS" || answer.status == 405)
            }
            // Two cookies of the name are never sent by a browser that keeps to its prefix.
            var twice = ann
            twice.headers.append(("Cookie", "__Host-bitpal=other"))
            #expect(try await twice.get("/v1/account").status == 401)
        }
    }
}

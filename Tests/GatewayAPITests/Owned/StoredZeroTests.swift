import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// What was stored before U+0000 was refused stays its owner's: no list and no change fails for it.
@Suite("Stored texts with U+0000", .timeLimit(.minutes(10)))
struct StoredZeroTests {
    private static let rule = """
        {"instrument":"kraken:BTC/USD","condition":{"price":"last","crosses":"above","level":"61000"},\
        "note":"aXb","tags":["aXb","plain"],"expires":"2030-01-01T00:00:00Z"}
        """

    @Test("are listed, read, changed, switched, exported and deleted with all else of a user")
    func routes() async throws {
        try await TwoUserFixture.run { fixture, ann, _ async throws in
            let id = try await ann.make("/v1/alerts", Self.rule)
            let other = try await ann.make("/v1/alerts", Self.rule)
            let channel = try await ann.make(
                "/v1/channels",
                #"{"name":"hook","kind":"webhook","settings":{"url":"https://example.com/aXb"}}"#)
            let database = fixture.services.database
            for (table, column) in [("rule", "rule"), ("rule_event", "rule"), ("channel", "settings")] {
                let sql = #"SET \#(column) = replace(\#(column)::text, 'aXb', 'a\u0000b')::json"#
                try await database.withSession { try $0.script("UPDATE alerts.\(table) \(sql)") }
            }
            for (path, word) in [
                ("/v1/alerts", id), ("/v1/alerts?state=armed", id), ("/v1/alerts?tag=plain", other),
                ("/v1/alerts?state=armed&tag=plain", id), ("/v1/alerts/\(id)", #"a\u0000b"#),
                ("/v1/alerts/\(id)/history", "created"), ("/v1/alerts/\(id)/explain", "why"),
                ("/v1/alerts/export", #"a\u0000b"#), ("/v1/channels", channel),
                ("/v1/channels/\(channel)", "hook"),
                ("/v1/account/export", #"a\u0000b"#), ("/v1/firings", "items"), ("/v1/deliveries", "items"),
            ] {
                let answer = try await ann.get(path)
                #expect(answer.status == 200 && answer.text.contains(word), "\(path): \(answer.text)")
            }
            for (method, path, json) in [
                ("POST", "/v1/alerts/\(id)/disable", nil), ("POST", "/v1/alerts/\(id)/test-fire", nil),
                ("PATCH", "/v1/alerts/\(id)", #"{"note":"new"}"#),
                ("POST", "/v1/alerts/bulk", #"{"ids":["\#(id)","\#(other)"],"action":"enable"}"#),
                ("PATCH", "/v1/channels/\(channel)", #"{"enabled":false}"#),
                ("DELETE", "/v1/alerts/\(other)", nil),
            ] as [(String, String, String?)] {
                let answer = try await ann.ask(method, path, json: json)
                #expect((200..<300).contains(answer.status), "\(method) \(path): \(answer.text)")
            }
            #expect(try await ann.get("/v1/alerts?tag=plain&state=armed").text.contains(id))
        }
    }
}

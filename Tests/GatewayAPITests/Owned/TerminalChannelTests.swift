import AccountStore
import HTTPTypes
import HummingbirdCore
import Testing

@testable import GatewayAPI

@Suite("Channels of whoever works on the machine itself", .timeLimit(.minutes(10)))
struct TerminalChannelTests {
    private static let header = "X-Test-Terminal"
    private static let program =
        #"{"kind":"command","name":"run","settings":{"arguments":["/bin/true"]}}"#

    /// A gateway, and Ann there: as somebody who is signed in, and as who works on the machine.
    private static func run(
        _ body: (_ page: TestClient, _ terminal: TestClient) async throws -> Void
    ) async throws {
        try await TwoUserFixture.run(prepare: { gateway in
            let known = gateway.identify
            gateway.identify = { request, context in
                var identity = try await known(request, context)
                if let name = HTTPField.Name(Self.header), request.headers[name] != nil {
                    identity?.credential = .terminal
                }
                return identity
            }
        }) { _, ann, _ in
            var terminal = ann
            terminal.headers.append((Self.header, "yes"))
            try await body(ann, terminal)
        }
    }

    private static func hook(_ name: String, _ url: String, _ more: String = "") -> String {
        #"{"kind":"webhook","name":"\#(name)","settings":{"url":"\#(url)"}\#(more)}"#
    }

    private static func expect(
        _ answer: TestAnswer, refuses field: String, _ value: String, accepting words: String,
        at place: SourceLocation = #_sourceLocation
    ) throws {
        #expect(answer.status == 422 && answer.problem == "invalid-field", sourceLocation: place)
        #expect(try answer.text("field") == field, "\(answer.text)", sourceLocation: place)
        #expect(try answer.text("value") == value, "\(answer.text)", sourceLocation: place)
        #expect(
            try answer.text("accepted")?.contains(words) == true, "\(answer.text)", sourceLocation: place)
    }

    @Test("run a program there, which nobody else makes or changes, also who may switch it off")
    func programs() async throws {
        try await Self.run { page, terminal in
            let refused = try await page.ask("POST", "/v1/channels", json: Self.program)
            try Self.expect(refused, refuses: "kind", "command", accepting: "webhook, email")
            #expect(try refused.text("accepted")?.contains("command") == false)
            #expect(try await page.get("/v1/channels").count() == 0)
            let path = "/v1/channels/\(try await terminal.make("/v1/channels", Self.program))"
            let words = #"{"settings":{"arguments":["/bin/echo","x"]}}"#
            let change = try await page.ask("PATCH", path, json: words)
            try Self.expect(change, refuses: "kind", "command", accepting: "webhook, email")
            #expect(try await page.get(path).text("settings.arguments.0") == "/bin/true")
            #expect(try await page.ask("PATCH", path, json: #"{"enabled":false}"#).status == 200)
            let changed = try await terminal.ask("PATCH", path, json: words)
            #expect(try changed.text("settings.arguments.1") == "x", "\(changed.text)")
            #expect(try changed.text("state") == "disabled")
            let relative = try await terminal.ask(
                "PATCH", path, json: #"{"settings":{"arguments":["rm"]}}"#)
            #expect(try relative.text("field") == "settings.arguments")
        }
    }

    @Test("tell what is on the machine and beside it, where that is asked for, and nobody else's do")
    func privateAddresses() async throws {
        try await Self.run { page, terminal in
            let (inside, flag) = ("http://127.0.0.1:8080/a", #","allow_private":true"#)
            let refused = try await page.ask("POST", "/v1/channels", json: Self.hook("in", inside, flag))
            try Self.expect(refused, refuses: "allow_private", "true", accepting: "on the machine itself")
            let forgotten = try await terminal.ask("POST", "/v1/channels", json: Self.hook("in", inside))
            try Self.expect(forgotten, refuses: "settings.url", inside, accepting: "https URL")
            let no = #","allow_private":false"#
            _ = try await page.make("/v1/channels", Self.hook("out", "https://example.org/", no))
            let id = try await terminal.make("/v1/channels", Self.hook("in", inside, flag))
            let path = "/v1/channels/\(id)"
            let other = #"{"settings":{"url":"http://localhost:9/b"}"#
            for (client, json, field) in [
                (page, other + "}", "settings.url"), (page, other + flag + "}", "allow_private"),
                (terminal, other + "}", "settings.url"),
            ] {
                let answer = try await client.ask("PATCH", path, json: json)
                #expect(answer.status == 422, "\(json)")
                #expect(try answer.text("field") == field, "\(json)")
            }
            let alone = try await terminal.ask("PATCH", path, json: #"{"allow_private":true}"#)
            try Self.expect(alone, refuses: "allow_private", "true", accepting: "settings or secrets")
            #expect(try await page.get(path).text("settings.url") == inside)
            let changed = try await terminal.ask("PATCH", path, json: other + flag + "}")
            #expect(try changed.text("settings.url") == "http://localhost:9/b", "\(changed.text)")
            // What has nothing to do with where it leads is its owner's.
            #expect(try await page.ask("PATCH", path, json: #"{"per_hour":7}"#).status == 200)
        }
    }
}

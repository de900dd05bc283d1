import JSON
import Shapes
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// U+0000, which PostgreSQL has in no text: walks the list of all routes.
@Suite("The character U+0000", .serialized, .timeLimit(.minutes(10)))
struct ZeroCharacterTests {
    private static let text = "a\u{0}b"

    private static func run(
        _ body: (AccountGatewayFixture, TestClient, RouteTable) async throws -> Void
    ) async throws {
        try await AccountGatewayFixture.run(
            assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { fixture async throws in
            let boss = try await fixture.operatorClient()
            var gateway = Gateway(fixture.fixture.services)
            gateway.accounts = fixture.accountService
            _ = gateway.addStream(fixture.fixture.services.market)
            try await body(fixture, boss, gateway.routes())
        }
    }

    private static func filled(_ path: String, _ part: String) -> String {
        path.split(separator: "/").map { $0.contains("{") ? part : String($0) }
            .reduce("") { "\($0)/\($1)" }
    }

    /// An example with the character in each of its texts in turn, and the path of that text.
    private static func planted(_ node: DocumentNode) -> [(path: String, node: DocumentNode)] {
        switch node {
        case .text: [("", .text(text))]
        case .list(let items):
            items.indices.flatMap { place in
                planted(items[place]).map { inner in
                    var items = items
                    items[place] = inner.node
                    return (joined("[\(place)]", inner.path), .list(items))
                }
            }
        case .object(let members):
            members.indices.flatMap { place in
                planted(members[place].value).map { inner in
                    var members = members
                    members[place].value = inner.node
                    return (joined(members[place].name, inner.path), .object(members))
                }
            }
        case .null, .bool, .integer, .number: []
        }
    }

    private static func joined(_ outer: String, _ inner: String) -> String {
        inner.isEmpty || inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
    }

    /// Every body of a route with the character in one place: in the texts of its example, and in place of
    /// each other field.
    private static func bodies(_ document: BodyDocument) -> [(path: String, node: DocumentNode)] {
        let shown = planted(document.sample)
        let known = Set(shown.map { $0.path.prefix { $0 != "." && $0 != "[" } })
        let others = document.fields.map(\.name).filter { !known.contains($0[...]) }
        return shown + others.map { ($0, .object([.init($0, .text(text))])) }
    }

    @Test("in any text of any body is refused with 400 and the field's name")
    func inBodies() async throws {
        try await Self.run { _, boss, table in
            var (routes, texts) = (0, 0)
            for route in table.names {
                guard let body = table.documents[route]?.body, body.mediaType == "application/json" else {
                    continue
                }
                routes += 1
                for (field, node) in Self.bodies(body.type.document) {
                    texts += 1
                    var writer = JSONWriter()
                    node.write(to: &writer)
                    let json = String(decoding: writer.bytes, as: UTF8.self)
                    let path = Self.filled(route.path, "0190a0b0-c0d0-7000-8000-00000000abcd")
                    let answer = try await boss.ask("\(route.method)", path, json: json)
                    #expect(
                        try answer.status == 400 && answer.json("field") == .string(field),
                        "\(route.method) \(path), \(field): \(answer.status) \(answer.text)")
                }
            }
            #expect(routes > 50 && texts > 150, "\(routes) routes with \(texts) texts")
        }
    }

    @Test("behind the question mark is refused with 400 and the parameter's name, in a path with 400")
    func inAddresses() async throws {
        try await Self.run { _, boss, table in
            var (parameters, paths) = (0, 0)
            for route in table.names {
                for name in table.rules[route]?.query ?? [] {
                    parameters += 1
                    let path = Self.filled(route.path, "kraken:X") + "?\(name)=a%00b"
                    let answer = try await boss.ask("\(route.method)", path)
                    #expect(
                        try answer.status == 400 && answer.json("field") == .string(name),
                        "\(route.method) \(path): \(answer.status) \(answer.text)")
                }
                guard route.path.contains("{") else { continue }
                paths += 1
                let answer = try await boss.ask("\(route.method)", Self.filled(route.path, "a%00b"))
                #expect(
                    answer.status == 400 && answer.text.contains("the path"),
                    "\(route.method) \(route.path): \(answer.status) \(answer.text)")
            }
            #expect(parameters > 60 && paths > 40, "\(parameters) parameters, \(paths) paths")
        }
    }

    @Test("in any text of a message to the stream is refused with the field's name, and the stream goes on")
    func inMessages() async throws {
        let texts: [(field: String, message: String)] = [
            ("op", #"{"op":"sub\u0000scribe","id":"a","channel":"ticker","key":"kraken:X"}"#),
            ("id", #"{"op":"subscribe","id":"a\u0000","channel":"ticker","key":"kraken:X"}"#),
            ("channel", #"{"op":"subscribe","id":"a","channel":"tick\u0000er","key":"kraken:X"}"#),
            ("key", #"{"op":"subscribe","id":"a","channel":"ticker","key":"kraken:X\u0000"}"#),
            ("after.epoch", #"{"op":"subscribe","id":"a","channel":"ticker","after":{"epoch":"\u0000"}}"#),
            ("id", #"{"op":"unsubscribe","id":"\u0000"}"#), ("id", #"{"op":"ping","id":"\u0000"}"#),
            ("token", #"{"op":"authenticate","token":"bp_\u0000"}"#),
            ("a\u{FFFD}", #"{"op":"ping","a\u0000":1}"#),
        ]
        try await StreamFixture.run { fixture async throws in
            try await fixture.connect { client in
                for (field, message) in texts {
                    try await client.send(message)
                    let answer = try await client.message()
                    guard case .object(let problem)? = answer["problem"] else {
                        Issue.record("\(message) was answered \(answer)")
                        continue
                    }
                    #expect(problem["code"] == .string("bad-request"), "\(message)")
                    #expect(problem["field"] == .string(field), "\(message): \(problem)")
                }
                try await client.send(#"{"op":"ping","id":"p"}"#)
                #expect(try await client.message() == ["type": .string("pong"), "id": .string("p")])
            }
        }
    }

    @Test("in a file that can write it in words of its own is refused with the field's name")
    func inFiles() async throws {
        try await Self.run { _, boss, _ in
            let id = try await boss.make("/v1/portfolios", #"{"name":"Main"}"#)
            let texts = [
                ("wallet", #"Cold\u0000"#), ("asset", #"US\u0000D"#), ("external_id", #"\u0000"#),
                ("note", #"a\u0000b"#), ("price_source", #"\u0000"#), ("kind", #"depo\u0000sit"#),
                ("time", #"\u00002026"#), ("amount", #"1\u0000"#), ("tags", #"\u0000"#),
                ("lots", #"a\u0000=1"#), ("to_wallet", #"\u0000"#), ("fee_asset", #"\u0000"#),
                ("counter_asset", #"\u0000"#), ("colour", #"\u0000"#),
            ]
            for (field, text) in texts {
                var row = [
                    "time": "2026-01-03T00:00:00Z", "kind": "deposit", "wallet": "Cold", "asset": "USD",
                    "amount": "7",
                ]
                row[field] = text
                let members = row.sorted { $0.key < $1.key }.map { #""\#($0.key)":"\#($0.value)""# }
                let file = #"{"base":"USD","transactions":[{\#(members.joined(separator: ","))}]}"#
                var writer = JSONWriter()
                writer.string(file)
                let body = #"{"format":"json","text":\#(String(decoding: writer.bytes, as: UTF8.self))}"#
                for route in ["import/preview", "import"] {
                    let answer = try await boss.ask("POST", "/v1/portfolios/\(id)/\(route)", json: body)
                    #expect(
                        (400..<500).contains(answer.status) && answer.text.contains(field),
                        "\(route), \(field): \(answer.status) \(answer.text)")
                }
            }
        }
    }
}

import AlertStore
import Channels
import Instruments
import JSON
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Alert and channel routes", .timeLimit(.minutes(10)))
struct AlertRouteTests {
    private static let rule = """
        {"instrument":"kraken:BTC/USD","condition":{"price":"last","crosses":"above","level":"61000"},\
        "tags":["btc"]}
        """

    @Test("make, change, switch, test and delete a rule, and tell what happened to it")
    func life() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await ann.make("/v1/alerts", Self.rule)
            #expect(try await ann.get("/v1/alerts/\(id)").text("state") == "armed")
            let changed = try await ann.ask("PATCH", "/v1/alerts/\(id)", json: #"{"note":"take profit"}"#)
            #expect(try changed.text("note") == "take profit")
            let stale = try await ann.ask("PATCH", "/v1/alerts/\(id)?version=1", json: #"{"note":"late"}"#)
            #expect(stale.status == 412)
            let off = try await ann.ask("POST", "/v1/alerts/\(id)/disable")
            #expect(try off.text("state") == "disabled")
            #expect(try await ann.get("/v1/alerts?state=disabled&tag=btc").count() == 1)
            #expect(try await ann.get("/v1/alerts?state=armed").count() == 0)
            #expect(try await ann.get("/v1/alerts?tag=eth").count() == 0)
            #expect(try await ann.ask("POST", "/v1/alerts/\(id)/test-fire").status == 202)
            #expect(try await ann.get("/v1/firings?kind=tested").text("items.0.rule") == id)
            let history = try await ann.get("/v1/alerts/\(id)/history")
            #expect(try history.count() == 4)
            #expect(try history.json("next") == .null)
            var (kinds, next): ([String?], String?) = ([], "")
            while let cursor = next {
                let place = cursor.isEmpty ? "" : "&cursor=\(cursor)"
                let page = try await ann.get("/v1/alerts/\(id)/history?limit=1\(place)")
                try #require(try kinds.count < 4 && page.count() == 1)
                kinds.append(try page.text("items.0.kind"))
                next = try page.text("next")
            }
            #expect(kinds == (try (0..<4).map { try history.text("items.\($0).kind") }))
            #expect(try await ann.get("/v1/alerts/\(id)/history?cursor=x").status == 422)
            #expect(try await ann.get("/v1/alerts/\(id)/explain").text("why") == "it is disabled")
            let bulk = try await ann.ask(
                "POST", "/v1/alerts/bulk", json: #"{"ids":["\#(id)"],"action":"enable"}"#)
            #expect(try bulk.text("items.0.state") == "armed")
            #expect(try await ann.ask("DELETE", "/v1/alerts/\(id)").status == 204)
            #expect(try await ann.get("/v1/alerts/\(id)").status == 404)
            #expect(try await ann.get("/v1/alerts/\(id)?deleted=true").text("state") == "deleted")
        }
    }

    @Test("what a rule can wait for is told with its fields, in the language of whoever asks")
    func conditions() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let german = try await ann.get("/v1/alerts/conditions?locale=de-AT")
            #expect(try german.count() == 19)
            #expect(try german.text("items.0.title") == "Preis erreicht eine Marke")
            for path in ["/v1/alerts/conditions", "/v1/alerts/conditions?locale=xx"] {
                let english = try await ann.get(path)
                #expect(try english.text("items.0.title") == "Price reaches a level")
                #expect(try english.text("items.1.fields.1.path.0") == "leaves")
                #expect(try english.text("items.1.fields.1.path.1") == "low")
                #expect(try english.text("items.1.fields.1.unit") == "quote")
                #expect(try english.text("items.3.fields.1.label") == "Moves by")
                #expect(try english.text("items.5.says.above")?.contains("{period}") == true)
            }
        }
    }

    @Test("several rules are edited together or not at all, and only in the version that was looked at")
    func together() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let (one, two) = (
                try await ann.make("/v1/alerts", Self.rule), try await ann.make("/v1/alerts", Self.rule)
            )
            func edit(_ ids: [String], _ rest: String) async throws -> TestAnswer {
                let names = ids.map { "\"\($0)\"" }.joined(separator: ",")
                return try await ann.ask(
                    "POST", "/v1/alerts/bulk", json: #"{"ids":[\#(names)],"action":"edit",\#(rest)}"#)
            }
            let both = try await edit([one, two], #""change":{"note":"two"},"version":1"#)
            #expect(try both.count() == 2)
            #expect(try both.text("items.0.note") == "two" && both.text("items.1.note") == "two")
            #expect(try await edit([one], #""change":{"tags":null}"#).count() == 1)
            #expect(try await edit([one, two], #""change":{"note":"late"},"version":2"#).status == 412)
            let level = #""change":{"condition":{"price":"last","crosses":"above","level":"-"}}"#
            let wrong = try await edit([one, two], level)
            #expect(wrong.status == 422)
            #expect(try wrong.text("field") == "condition.level")
            #expect(try await ann.get("/v1/alerts/\(two)").text("note") == "two")
        }
    }

    @Test("an export has the rules of one state, or all")
    func states() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await ann.make("/v1/alerts", Self.rule)
            _ = try await ann.make("/v1/alerts", Self.rule)
            #expect(try await ann.ask("POST", "/v1/alerts/\(id)/disable").status == 200)
            let off = try await ann.get("/v1/alerts/export?state=disabled")
            #expect(try off.count("rules") == 1)
            #expect(try off.text("rules.0.id") == id)
            #expect(try await ann.get("/v1/alerts/export?state=done").count("rules") == 0)
            #expect(try await ann.get("/v1/alerts/export").count("rules") == 2)
        }
    }

    @Test("an export is what an import takes, and each fault names its rule and field")
    func exchange() async throws {
        try await TwoUserFixture.run { _, ann, ben async throws in
            for _ in 0..<3 { _ = try await ann.make("/v1/alerts", Self.rule) }
            let export = try await ann.get("/v1/alerts/export")
            #expect(try export.count("rules") == 3)
            // The ids are Ann's: nobody else can take them, and nobody learns more than that.
            #expect(try await ben.ask("POST", "/v1/alerts/import", json: export.text).status == 409)
            let plain = #"{"rules":[\#(Self.rule),\#(Self.rule)],"enabled":false}"#
            let imported = try await ben.ask("POST", "/v1/alerts/import", json: plain)
            #expect(try imported.count() == 2)
            #expect(try imported.text("items.1.state") == "disabled")
            let wrong = Self.rule.replacing("61000", with: "-1e")
            let refused = try await ben.ask(
                "POST", "/v1/alerts/import", json: #"{"rules":[\#(Self.rule),\#(wrong)]}"#)
            #expect(refused.status == 422)
            #expect(try refused.text("field") == "rules[1].condition.level")
            let unknown = Self.rule.replacing("kraken:BTC/USD", with: "kraken:XBT/USD")
            let nowhere = try await ben.ask("POST", "/v1/alerts", json: unknown)
            #expect(try nowhere.text("accepted")?.contains("kraken:BTC/USD") == true)
        }
    }

    @Test(
        "a body that names or makes several rules is refused by its field, and a name of no rule is not found"
    )
    func refusals() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await ann.make("/v1/alerts", Self.rule)
            let many = (0..<501).map { _ in "\"\(id)\"" }.joined(separator: ",")
            for (method, path, body, field, accepted) in [
                ("POST", "/v1/alerts/bulk", #"{"ids":[],"action":"enable"}"#, "ids", "1...500 ids"),
                ("POST", "/v1/alerts/bulk", #"{"ids":[\#(many)],"action":"enable"}"#, "ids", "1...500 ids"),
                (
                    "POST", "/v1/alerts/bulk", #"{"ids":["\#(id)"],"action":"melt"}"#, "action",
                    "enable, disable, delete, edit"
                ),
                ("POST", "/v1/alerts/bulk", #"{"ids":["\#(id)"],"action":"edit"}"#, "change", "an object"),
                (
                    "POST", "/v1/alerts/bulk", #"{"ids":["\#(id)"],"action":"delete","change":{"note":"x"}}"#,
                    "change", "none but with \"edit\""
                ),
                (
                    "POST", "/v1/alerts/bulk", #"{"ids":["\#(id)"],"action":"enable","version":1}"#,
                    "version",
                    "none but with \"edit\""
                ),
                ("POST", "/v1/alerts/import", #"{"rules":[]}"#, "rules", "an array of 1...1000 rules"),
                ("POST", "/v1/alerts/import", #"{"rules":[7]}"#, "rules[0].", "a JSON object"),
                ("POST", "/v1/alerts", "[]", "body", "one object in the form of an export"),
                ("PATCH", "/v1/alerts/\(id)", "[]", "body", "one object in the form of an export"),
            ] {
                let refused = try await ann.ask(method, path, json: body)
                #expect(refused.status == 422, "\(body.prefix(80))")
                #expect(try refused.text("field") == field, "\(body.prefix(80))")
                #expect(try refused.text("accepted") == accepted, "\(body.prefix(80))")
            }
            let unknown = try await ann.ask(
                "POST", "/v1/alerts/bulk", json: #"{"ids":["\#(id)","nobody"],"action":"delete"}"#)
            #expect(unknown.status == 404)
            #expect(try await ann.get("/v1/alerts/\(id)").text("state") == "armed")
        }
    }

    @Test("a channel shows no secret, is tested, and its dead letters alone go again")
    func channels() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let made = try await ann.ask(
                "POST", "/v1/channels",
                json: #"{"kind":"webhook","name":"hook","settings":{"url":"https://example.com/a"}}"#)
            #expect(made.status == 201)
            #expect(try made.text("key")?.hasPrefix("whsec_") == true)
            let id = try made.text("id") ?? ""
            let shown = try await ann.get("/v1/channels/\(id)").text
            #expect(!shown.contains("whsec_"))
            let delivery = try await ann.make("/v1/channels/\(id)/test", "{}")
            let key = [("Idempotency-Key", "once")]
            let path = "/v1/channels/\(id)/test"
            let once = try await ann.ask("POST", path, headers: key, json: "{}")
            let again = try await ann.ask("POST", path, headers: key, json: "{}")
            #expect(try once.text("delivery") == again.text("delivery"))
            #expect(try await ann.get("/v1/deliveries?state=waiting").count() == 2)
            #expect(try await ann.get("/v1/deliveries?state=waiting").text("items.1.id") == delivery)
            #expect(try await ann.ask("POST", "/v1/deliveries/\(delivery)/redeliver").status == 409)
            let off = try await ann.ask(
                "PATCH", "/v1/channels/\(id)", json: #"{"enabled":false,"quiet":"22:00-07:00"}"#)
            #expect(try off.text("state") == "disabled")
            #expect(try off.text("quiet") == "22:00-07:00")
            #expect(try await ann.ask("POST", "/v1/channels/\(id)/test").status == 409)
            let command = try await ann.ask(
                "POST", "/v1/channels",
                json: #"{"kind":"command","name":"sh","settings":{"arguments":["/bin/sh"]}}"#)
            #expect(command.status == 422)
            #expect(try command.text("field") == "kind")
            let inside = try await ann.ask(
                "POST", "/v1/channels",
                json: #"{"kind":"webhook","name":"in","settings":{"url":"http://127.0.0.1/a"}}"#)
            #expect(inside.status == 422)
        }
    }

    @Test("a channel that goes leaves no rule that names it to fire in silence")
    func removedChannel() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            func hook(_ name: String) async throws -> String {
                try await ann.make(
                    "/v1/channels",
                    #"{"kind":"webhook","name":"\#(name)","settings":{"url":"https://example.com"}}"#)
            }
            let (one, two) = (try await hook("one"), try await hook("two"))
            let rule = try await ann.make(
                "/v1/alerts", String(Self.rule.dropLast()) + #","channels":["one","two"]}"#)
            #expect(try await ann.ask("DELETE", "/v1/channels/\(one)").status == 204)
            #expect(try await ann.get("/v1/alerts/\(rule)").json("channels") == .array([.string("two")]))
            #expect(try await ann.ask("DELETE", "/v1/channels/\(two)").status == 204)
            #expect(try await !ann.get("/v1/alerts/\(rule)").text.contains("two"))
            _ = try await hook("three")
            #expect(try await ann.ask("POST", "/v1/alerts/\(rule)/test-fire").status == 202)
            #expect(try await ann.get("/v1/deliveries").text("items.0.channel") == "three")
        }
    }

    @Test("a channel's quiet hours end with null as with nothing in them")
    func quietHours() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let hook = #"{"kind":"webhook","name":"a","settings":{"url":"https://a.example"},"#
            let id = try await ann.make("/v1/channels", hook + #""quiet":"22:00-07:00"}"#)
            let path = "/v1/channels/\(id)"
            #expect(try await ann.ask("PATCH", path, json: #"{"per_hour":7}"#).text("quiet") == "22:00-07:00")
            #expect(try await ann.ask("PATCH", path, json: #"{"quiet":null}"#).json("quiet") == .null)
        }
    }

    @Test("codes are sent to channels twenty times within an hour")
    func codesInAnHour() {
        let (rates, start) = (RateLimiter(perMinute: 1), TwoUserFixture.now)
        let sent = (0..<3_600).count { second in
            let now = start.adding(nanoseconds: Int64(second) * 1_000_000_000)
            return (try? rates.take(1, for: .codes("ann"), at: now)) != nil
        }
        #expect(sent == 20 || sent == 19)
    }

    @Test("codes are sent to channels ten times at once, and a user has a hundred channels")
    func limits() async throws {
        try await TwoUserFixture.run { fixture, ann, ben async throws in
            func post(_ number: Int) -> String {
                #"{"kind":"email","name":"post \#(number)","settings":{"to":"somebody@example.com"}}"#
            }
            let path = "/v1/channels/\(try await ann.make("/v1/channels", post(0)))"
            for _ in 1..<10 { #expect(try await ann.ask("POST", path + "/confirm").status == 202) }
            for refused in [
                try await ann.ask("POST", path + "/confirm"),
                try await ann.ask("POST", "/v1/channels", json: post(1)),
                try await ann.ask("PATCH", path, json: #"{"settings":{"to":"other@example.com"}}"#),
            ] { #expect(refused.status == 429) }
            #expect(try await ann.get("/v1/channels").count() == 1)
            #expect(try await ann.get(path).text.contains("somebody@example.com"))
            #expect(try await ben.ask("POST", "/v1/channels", json: post(1)).status == 201)
            for number in UInt64(0)..<99 {
                let channel = Channel(
                    id: UniqueID(high: 1, low: number), user: TwoUserFixture.ann, name: "n\(number)",
                    kind: .webhook, created: .zero, verified: .zero)
                try await fixture.services.database.withSession { try $0.put(channel) }
            }
            let hook = #"{"kind":"webhook","name":"one more","settings":{"url":"https://example.com"}}"#
            #expect(try await ann.ask("POST", "/v1/channels", json: hook).status == 409)
        }
    }

    @Test("an address for letters counts once its code was said")
    func confirm() async throws {
        try await TwoUserFixture.run { _, ann, _ async throws in
            let id = try await ann.make(
                "/v1/channels", #"{"kind":"email","name":"post","settings":{"to":"ann@example.com"}}"#)
            #expect(try await ann.get("/v1/channels/\(id)").text("state") == "unverified")
            let wrong = try await ann.ask("POST", "/v1/channels/\(id)/confirm", json: #"{"code":"00000000"}"#)
            #expect(wrong.status == 422)
            #expect(try await ann.ask("POST", "/v1/channels/\(id)/confirm").status == 202)
            #expect(try await ann.get("/v1/channels/\(id)").text("state") == "unverified")
        }
    }
}

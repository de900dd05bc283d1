import Instruments
import JSON
import Shapes
import Testing

@Suite("A body that is taken")
struct WireInputTests {
    private enum Side: String, CaseIterable { case above, below }

    private struct Rule: WireInput, Equatable {
        static let shape = InputShape("Rule", Self.init(name:side:)) {
            InputField("name", .text(length: 1...3), "What it is called.", example: "one")
            InputField("side", .choice(Side.self).otherwise(.above, "above"))
        }

        var name: String
        var side: Side
    }

    private struct Order: WireInput, Equatable {
        static let shape = InputShape(
            "Order", about: "All kinds.",
            Self.init(count:isOpen:note:rule:rules:tags:time:instrument:share:even:)
        ) {
            InputField("count", .integer(in: 1...9), example: 2)
            InputField("open", .flag.otherwise(true, true))
            InputField("note", .clearable(.text))
            InputField("rule", .optional(.object(Rule.self)))
            InputField("rules", .list(.object(Rule.self), count: 0...3).otherwise([], []))
            InputField("tags", .optional(.list(.text)))
            InputField("time", .optional(.time))
            InputField("instrument", .optional(.instrument))
            InputField("share", .optional(.number))
            InputField("even", .optional(.integer.map(accepted: "an even number") { $0 % 2 == 0 ? $0 : nil }))
        }

        var count: Int
        var isOpen: Bool
        var note: String??
        var rule: Rule?
        var rules: [Rule]
        var tags: [String]?
        var time: Timestamp?
        var instrument: InstrumentID?
        var share: Double?
        var even: Int?
    }

    /// Taken as a whole with what there is by itself.
    private struct Anything: WireInput {
        static let shape = InputShape("Anything", Self.init(value:)) { InputField("value", .any()) }
        static let whenMissing: Anything? = Anything(value: .null)

        var value: JSONValue
    }

    private func read<Body: WireInput>(_ text: String, _ type: Body.Type = Order.self) throws -> Body {
        try type.init(JSONValue(Array(text.utf8)[...], depthLimit: 32))
    }

    private struct Proof: WireInput {
        static let shape = InputShape("Proof", Self.init(password:code:)) {
            InputField("password", .secret)
            InputField("code", .optional(.secret))
        }

        var password: String
        var code: String?
    }

    @Test(
        "does not repeat what opens something, whatever was sent in its place",
        arguments: [
            #"{"password":4711471147114711}"#, #"{"password":["4711"]}"#, #"{"password":"a","code":4711}"#,
        ])
    func secret(_ text: String) throws {
        let thrown = #expect(throws: InputFault.self) { try read(text, Proof.self) }
        guard case .refused(let fault) = thrown else {
            Issue.record("not refused")
            return
        }
        #expect(["password", "code"].contains(fault.field) && fault.accepted == "a text in quotes")
        #expect(!"\(fault)".contains("4711"))
    }

    @Test("is made of its fields, in whatever order they come")
    func whole() throws {
        let order = try read(
            #"""
            {"even":4,"share":-0.5,"instrument":"kraken:BTC/USD","time":"2026-11-21T12:00:00Z","tags":["a",""],
            "rules":[{"name":"a"},{"side":"below","name":"b"}],"rule":{"name":"abc"},"note":"n","open":false,"count":9}
            """#)
        #expect(
            order
                == Order(
                    count: 9, isOpen: false, note: "n", rule: Rule(name: "abc", side: .above),
                    rules: [Rule(name: "a", side: .above), Rule(name: "b", side: .below)], tags: ["a", ""],
                    time: Timestamp(iso8601: "2026-11-21T12:00:00Z"),
                    instrument: InstrumentID("kraken:BTC/USD"), share: -0.5, even: 4))
    }

    @Test(
        "has what is said for a field that is missing, and for one that is null",
        arguments: [
            #"{"count":1}"#,
            #"{"count":1,"open":null,"rule":null,"rules":null,"tags":null,"time":null,"instrument":null,"#
                + #""share":null,"even":null}"#,
        ])
    func missing(text: String) throws {
        let standard = Order(
            count: 1, isOpen: true, note: nil, rule: nil, rules: [], tags: nil, time: nil, instrument: nil,
            share: nil, even: nil)
        #expect(try read(text) == standard)
    }

    @Test(
        "tells a field that is missing from one that is taken away, and from one that is set",
        arguments: [
            (#"{"count":1}"#, nil), (#"{"count":1,"note":null}"#, .some(nil)),
            (#"{"count":1,"note":""}"#, ""),
        ] as [(String, String??)])
    func clearable(text: String, note: String??) throws { #expect(try read(text).note == note) }

    @Test("may be missing as a whole where that means something")
    func wholeMissing() throws {
        #expect(Anything.whenMissing?.value == .null && Order.whenMissing == nil)
        #expect(try read(#"{"value":[1,{"a":null}]}"#, Anything.self).value["x"] == nil)
        #expect(throws: InputFault.refused(FieldFault("value", nil, accepted: "a value"))) {
            try read("{}", Anything.self)
        }
    }

    @Test(
        "is refused with the place of what is wrong, what was there, and what would be right",
        arguments: [
            ("{}", "count", nil, "a whole number, 1...9"),
            (#"{"count":null}"#, "count", "null", "a whole number, 1...9"),
            (#"{"count":"1"}"#, "count", "\"1\"", "a whole number, 1...9"),
            (#"{"count":1.0}"#, "count", "1.0", "a whole number, 1...9"),
            (#"{"count":0}"#, "count", "0", "a whole number, 1...9"),
            (#"{"count":10}"#, "count", "10", "a whole number, 1...9"),
            (#"{"count":1,"open":"true"}"#, "open", "\"true\"", "true or false"),
            (#"{"count":1,"note":7}"#, "note", "7", "a text in quotes"),
            (#"{"count":1,"share":1e999}"#, "share", "1e999", "a number"),
            (#"{"count":1,"share":true}"#, "share", "true", "a number"),
            (
                #"{"count":1,"time":"today"}"#, "time", "\"today\"",
                "a time in UTC such as 2026-11-21T12:00:00Z"
            ),
            (
                #"{"count":1,"instrument":"BTC"}"#, "instrument", "\"BTC\"",
                "an instrument written VENUE:SYMBOL, such as kraken:BTC/USD"
            ),
            (#"{"count":1,"even":3}"#, "even", "3", "an even number"),
            (#"{"count":1,"even":"3"}"#, "even", "\"3\"", "a whole number"),
            (#"{"count":1,"tags":"a"}"#, "tags", "\"a\"", "an array"),
            (#"{"count":1,"tags":["a",7]}"#, "tags[1]", "7", "a text in quotes"),
            (#"{"count":1,"rule":[]}"#, "rule", "an array", "an object"),
            (#"{"count":1,"rule":{}}"#, "rule.name", nil, "a text of 1...3 characters"),
            (#"{"count":1,"rule":{"name":"a","side":"left"}}"#, "rule.side", "\"left\"", "above, below"),
            (#"{"count":1,"rules":{}}"#, "rules", "an object", "an array of 0...3"),
            (
                #"{"count":1,"rules":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]}"#, "rules",
                "an array",
                "an array of 0...3"
            ),
            (
                #"{"count":1,"rules":[{"name":"a"},{"name":"b"},{"name":"long"}]}"#, "rules[2].name",
                "\"long\"",
                "a text of 1...3 characters"
            ), (#"{"count":1,"rules":[7]}"#, "rules[0]", "7", "an object"),
            ("[]", "", "an array", "an object"),
            ("7", "", "7", "an object"),
        ] as [(String, String, String?, String)])
    func refused(text: String, field: String, value: String?, accepted: String) {
        #expect(throws: InputFault.refused(FieldFault(field, value, accepted: accepted))) { try read(text) }
    }

    @Test("is refused for a field that nobody would read, without what it has")
    func unknown() {
        let known = [
            "count", "even", "instrument", "note", "open", "rule", "rules", "share", "tags", "time",
        ]
        #expect(throws: InputFault.unknown(field: "nots", known: known)) {
            try read(#"{"zzz":1,"nots":"secret","count":1}"#)
        }
        #expect(throws: InputFault.unknown(field: "rules[1].nam", known: ["name", "side"])) {
            try read(#"{"count":1,"rules":[{"name":"a"},{"name":"b","nam":"c"}]}"#)
        }
        // What is wrong with what is known is said first.
        #expect(throws: InputFault.refused(FieldFault("count", nil, accepted: "a whole number, 1...9"))) {
            try read(#"{"nots":1}"#)
        }
    }

    private struct Counts: WireInput {
        static let shape = InputShape("Counts", Self.init(counts:)) {
            InputField("counts", .members(of: .integer(in: 0...5)), example: ["a": 1])
        }

        var counts: [String: Int]
    }

    @Test("has members whose names are data")
    func members() throws {
        #expect(try read(#"{"counts":{"b":2,"a":1}}"#, Counts.self).counts == ["a": 1, "b": 2])
        #expect(throws: InputFault.refused(FieldFault("counts.b", "6", accepted: "a whole number, 0...5"))) {
            try read(#"{"counts":{"a":1,"b":6}}"#, Counts.self)
        }
        #expect(throws: InputFault.refused(FieldFault("counts", "an array", accepted: "an object"))) {
            try read(#"{"counts":[]}"#, Counts.self)
        }
    }

    @Test("is described by the same fields: what they may have, which there must be, and what they are else")
    func document() {
        #expect(
            text(Order.document.node) == ##"""
                {"type":"object","description":"All kinds.","required":["count"],"properties":{\##
                "count":{"type":"integer","minimum":1,"maximum":9},\##
                "open":{"type":["boolean","null"],"default":true},"note":{"type":["string","null"]},\##
                "rule":{"anyOf":[{"$ref":"#/components/schemas/Rule"},{"type":"null"}]},\##
                "rules":{"type":["array","null"],"items":{"$ref":"#/components/schemas/Rule"},"maxItems":3,\##
                "default":[]},"tags":{"type":["array","null"],"items":{"type":"string"}},\##
                "time":{"type":["string","null"],"format":"date-time"},"instrument":{"type":["string","null"]},\##
                "share":{"type":["number","null"]},"even":{"type":["integer","null"]}},\##
                "additionalProperties":false}
                """##)
        #expect(
            text(Rule.document.node) == """
                {"type":"object","required":["name"],"properties":{\
                "name":{"type":"string","minLength":1,"maxLength":3,"description":"What it is called."},\
                "side":{"type":["string","null"],"enum":["above","below",null],"default":"above"}},\
                "additionalProperties":false}
                """)
        #expect(text(Counts.document.sample) == #"{"counts":{"a":1}}"#)
        #expect(Order.document.bodies.map { $0.document.name } == ["Rule", "Rule"])
    }

    @Test("is shown by what it must have, and by what shows an example")
    func sample() {
        #expect(text(Order.document.sample) == #"{"count":2}"#)
        #expect(text(Rule.document.sample) == #"{"name":"one"}"#)
    }

    private struct Vote: WireInput {
        static let shape = InputShape("Vote", Self.init(key:isFor:)) {
            InputField("key", .text.documented(.text("uuid")))
            InputField(
                "for",
                InputKind(.words(["yes", "no"]), accepted: "yes or no") { json in
                    json.text.flatMap { ["yes": true, "no": false][$0] }
                })
        }

        var key: String
        var isFor: Bool
    }

    @Test("can be documented otherwise than it is read, and read in words of its own")
    func otherwise() throws {
        let properties = Vote.document.node["properties"]
        #expect(properties?["key"] == ["type": "string", "format": "uuid"])
        #expect(properties?["for"] == ["type": "string", "enum": ["yes", "no"]])
        let vote = try read(#"{"key":"none","for":"no"}"#, Vote.self)
        #expect(vote.key == "none" && !vote.isFor)
        #expect(throws: InputFault.refused(FieldFault("for", "\"maybe\"", accepted: "yes or no"))) {
            try read(#"{"key":"none","for":"maybe"}"#, Vote.self)
        }
    }

    private func text(_ node: DocumentNode) -> String {
        var writer = JSONWriter()
        node.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

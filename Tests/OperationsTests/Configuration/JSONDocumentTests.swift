import JSON
import Support
import Testing

@testable import Operations

@Suite("JSON document")
struct JSONDocumentTests {
    private func read(_ text: String) throws(JSONFault) -> [String: RawValue] {
        try JSONDocument.flatten(Array(text.utf8))
    }

    @Test("flattens objects to dotted keys")
    func flattens() throws {
        let text = """
            { "bus": "tcp://127.0.0.1:7411", "snapshot": {"every": "60s", "depth": 1000, "on": true, "deep": {"x": -1.5e+3}},
              "list": ["a", 2, false], "empty": [], "nothing": {}, "none": null, "log.level": "info" }
            """
        #expect(
            try read(text) == [
                "bus": .text("tcp://127.0.0.1:7411"), "snapshot.every": .text("60s"),
                "snapshot.depth": .number("1000"), "snapshot.on": .flag(true),
                "snapshot.deep.x": .number("-1.5e+3"),
                "list": .list(["a", "2", "false"]), "empty": .list([]), "none": .other("null"),
                "log.level": .text("info"),
            ])
    }

    @Test(
        "reads every escape",
        arguments: [
            (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83d\ude42""#, "🙂"),
            (#""é""#, "é"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(try read("{\"k\":\(text)}") == ["k": .text(expected)])
    }

    @Test(
        "names line and column of what is wrong",
        arguments: [
            ("", 1, 1, "expected an object"), ("[]", 1, 1, "expected an object"), ("{", 1, 2, "expected \""),
            ("{\n  \"a\": 1,\n  \"a\": 2\n}", 3, 3, "\"a\" is given twice"),
            ("{\"a\": 1} x", 1, 10, "expected the end"),
            ("{\"a\": 01}", 1, 7, "expected a value"), ("{\"a\": tru}", 1, 7, "expected a value"),
            ("{\"a\": 1.}", 1, 9, "expected a digit"),
            ("{\"a\": \"\n\"}", 1, 8, "a control character in a string; write it as \\u00XX"),
            ("{\"a\": \"x", 1, 9, "the string does not end"),
            ("{\"a\": \"\\x\"}", 1, 10, "an unknown escape"),
            ("{\"a\": \"\\ud83d\"}", 1, 14, "half of a pair"),
            ("{\"a\": [{}]}", 1, 8, "no key takes an object in an array"),
            ("{\"a\": 1,}", 1, 9, "expected \""), ("{'a': 1}", 1, 2, "expected \""),
            ("{\"a\" 1}", 1, 6, "expected :"), ("{\"a\": }", 1, 7, "expected a value"),
        ])
    func faults(text: String, line: Int, column: Int, reason: String) {
        let fault = #expect(throws: JSONFault.self) { try read(text) }
        #expect(fault?.place.line == line && fault?.place.column == column && fault?.reason == reason)
    }

    @Test("refuses what is nested too deep")
    func depth() {
        let deep = String(repeating: "{\"a\":", count: 100_000) + "1" + String(repeating: "}", count: 100_000)
        #expect(throws: JSONFault.self) { try read(deep) }
        #expect(throws: JSONFault.self) { try read("{\"a\":" + String(repeating: "[", count: 100_000)) }
    }

    @Test("survives any bytes")
    func anyBytes() {
        let text = #"{"log": {"level": "info"}, "list": ["\u00e9", 1.5e3], "on": true}"#
        property(cases: 1000) { generator in
            var bytes = Array(text.utf8)
            for _ in 0..<generator.int(1...4) { bytes = generator.damaged(bytes) }
            _ = try? JSONDocument.flatten(bytes)
        }
    }
}

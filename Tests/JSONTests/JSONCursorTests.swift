import JSON
import Support
import Testing

@Suite("JSON")
struct JSONCursorTests {
    /// A document, written again in one form: no blanks, keys in order, numbers as they were.
    private func read(_ text: some Sequence<UInt8>, depthLimit: Int = 32) throws(JSONFault) -> String {
        var cursor = JSONCursor(Array(text)[...], depthLimit: depthLimit)
        let value = try value(&cursor)
        try cursor.expectEnd()
        return value
    }

    private func value(_ cursor: inout JSONCursor) throws(JSONFault) -> String {
        var parts: [String] = []
        switch cursor.kind {
        case .text: return quoted(try cursor.text())
        case .number: return try cursor.number()
        case .flag: return "\(try cursor.flag())"
        case .null:
            try cursor.null()
            return "null"
        case .array:
            try cursor.array { (cursor) throws(JSONFault) in parts.append(try value(&cursor)) }
            return "[\(parts.joined(separator: ","))]"
        case .object:
            try cursor.object { (cursor, key) throws(JSONFault) in
                parts.append("\(quoted(key)):\(try value(&cursor))")
            }
            return "{\(parts.joined(separator: ","))}"
        }
    }

    private func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": json += "\\\(scalar)"
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    @Test(
        "reads every kind of value",
        arguments: [
            ("null", "null"), (" true ", "true"), ("false\n", "false"), ("0", "0"), ("-0.50E-7", "-0.50E-7"),
            ("123456789012345678901234567890.000", "123456789012345678901234567890.000"),
            ("[]", "[]"), ("[ ]", "[]"), ("{}", "{}"), ("{ }", "{}"), ("[1 , [ 2 ] ]", "[1,[2]]"),
            ("{\"b\" : 1, \"a\":\t{\"b\":[]}}", #"{"b":1,"a":{"b":[]}}"#),
            (#""\u00e9\u20AC\ud83d\ude00\"\\\/""#, "\"é€😀\\\"\\\\/\""),
            (#""\b\f\n\r\t\u0000""#, #""\u0008\u000c\u000a\u000d\u0009\u0000""#), (#""é""#, #""é""#),
        ])
    func reads(text: String, expected: String) throws {
        #expect(try read(text.utf8) == expected)
    }

    @Test(
        "says where a text is no JSON",
        arguments: [
            ("", 1, 1), (" ", 1, 2), ("[1,]", 1, 4), ("[1 2]", 1, 4), ("[", 1, 2), ("]", 1, 1), ("[1", 1, 3),
            ("{\"a\"}", 1, 5), ("{\"a\":}", 1, 6), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2), ("{'a':1}", 1, 2),
            ("{\n \"a\": 1,\n \"a\": 2}", 3, 2), ("01", 1, 1), ("+1", 1, 1), (".5", 1, 1), ("-", 1, 1),
            ("1.", 1, 3), ("1e", 1, 3), ("1e+", 1, 4), ("0x1", 1, 2), ("NaN", 1, 1), ("Infinity", 1, 1),
            ("nul", 1, 1), ("True", 1, 1), ("1 1", 1, 3), ("\"a", 1, 3), ("\"a\nb\"", 1, 3),
            (#""\x""#, 1, 4), (#""\u12g4""#, 1, 4), (#""\u+123""#, 1, 4), (#""\u12""#, 1, 4),
            (#""\ud800""#, 1, 8), (#""\ud800\u0041""#, 1, 14), (#""\udc00""#, 1, 8), ("\u{FEFF}1", 1, 1),
            ("//\n1", 1, 1),
        ])
    func faults(text: String, line: Int, column: Int) {
        let fault = #expect(throws: JSONFault.self) { try read(text.utf8) }
        #expect(fault?.place.line == line && fault?.place.column == column, "\(fault?.reason ?? "")")
        #expect(fault?.isTooDeep == false)
    }

    @Test("refuses strings that are no UTF-8, overlong forms and halves of pairs too")
    func encoding() {
        for bad in [[0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80]] as [[UInt8]] {
            #expect(throws: JSONFault.self) { try read([0x22] + bad + [0x22]) }
        }
    }

    @Test("takes as many levels as it is told and no more, however many follow")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(try read(nested(32)) == String(decoding: nested(32), as: UTF8.self))
        for depth in [33, 500_000] {
            let fault = #expect(throws: JSONFault.self) { try read(nested(depth)) }
            #expect(fault?.isTooDeep == true && fault?.place.offset == 32)
        }
        // What was closed is no longer open.
        let wide = "[" + Array(repeating: "[[]]", count: 100).joined(separator: ",") + "]"
        #expect(try read(wide.utf8, depthLimit: 3) == wide)
    }

    @Test("what is written again is read the same, and damage never stops it")
    func anyBytes() {
        let text = #"{"a": {"level": "in\u00e9fo"}, "list": ["\u00e9", -1.5e3, null, []], "on": true}"#
        property(cases: 1000) { generator in
            var bytes = Array(text.utf8)
            for _ in 0..<generator.int(0...4) { bytes = generator.damaged(bytes) }
            guard let once = try? read(bytes) else { return }
            try #require(try read(once.utf8) == once)
        }
    }
}

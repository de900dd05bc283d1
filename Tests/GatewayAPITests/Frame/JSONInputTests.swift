import Shapes
import Support
import Testing

@testable import GatewayFrame

@Suite("JSON of requests")
struct JSONInputTests {
    private struct Order: WireInput {
        struct Level: WireInput, Hashable {
            static let shape = InputShape("Level", Self.init(price:count:)) {
                InputField("price", .text)
                InputField("count", .optional(.integer))
            }

            var price: String
            var count: Int?
        }

        static let shape = InputShape("Order", Self.init(name:isOn:levels:)) {
            InputField("name", .text)
            InputField("is_on", .optional(.flag))
            InputField("levels", .optional(.list(.object(Level.self))))
        }

        var name: String
        var isOn: Bool?
        var levels: [Level]?
    }

    private static func order(_ text: String) throws(Problem) -> Order {
        try JSONInput.body(Array(text.utf8))
    }

    @Test("reads what it knows")
    func reads() throws {
        let levels = #"[{"price":"1.50","count":2},{"price":"2"}]"#
        let text = #"{"name":"é\u00e9\ud83d\ude00","is_on":true,"levels":\#(levels)}"#
        let order = try Self.order(text)
        #expect(order.name == "éé😀" && order.isOn == true)
        #expect(order.levels == [.init(price: "1.50", count: 2), .init(price: "2", count: nil)])
    }

    @Test(
        "refuses U+0000 in every text and key, by the field, without saying what the text was",
        arguments: [
            (#""\u0000""#, "body"), (#"{"name":"pass\u0000phrase"}"#, "name"),
            (#"{"a":[{},{"b":["x","pass\u0000phrase"]}]}"#, "a[1].b[1]"),
            (#"{"a":{"b\u0000c":1}}"#, "a.b\u{FFFD}c"),
        ])
    func zeros(text: String, field: String) {
        let problem = #expect(throws: Problem.self) { try JSONInput.read(Array(text.utf8)) }
        #expect(problem?.code == .badRequest && problem?.field == field)
        #expect(problem?.accepted == "text without the character U+0000" && problem?.value == nil)
        #expect(problem?.detail.contains("phrase") == false && problem?.detail.contains("\0") == false)
    }

    @Test("never says what a field had that it does not know: it may be a password at a wrong place")
    func secrets() {
        #expect {
            try Self.order(#"{"name":"a","password":"pass phrase"}"#)
        } throws: { error in
            let problem = error as? Problem
            return problem?.field == "password" && problem?.value == nil
                && problem?.detail.contains("phrase") == false
        }
    }

    @Test(
        "refuses by code and field",
        arguments: [
            (#"{"name":"a","colour":"red"}"#, "invalid-field", "colour"),
            (
                #"{"name":"a","levels":[{"price":"1"},{"price":"1","sized":1}]}"#, "invalid-field",
                "levels[1].sized"
            ),
            (#"{"name":1}"#, "invalid-field", "name"),
            (#"{}"#, "invalid-field", "name"),
            (#"{"name":null}"#, "invalid-field", "name"),
            (#"{"name":"a","is_on":"yes"}"#, "invalid-field", "is_on"),
            (#"{"name":"a","levels":[{"price":"1","count":1.5}]}"#, "invalid-field", "levels[0].count"),
            (
                #"{"name":"a","levels":[{"price":"1","count":99999999999999999999}]}"#, "invalid-field",
                "levels[0].count"
            ),
            (#"{"name":"a","levels":{}}"#, "invalid-field", "levels"),
            (#"[]"#, "invalid-field", "body"),
            (#""#, "malformed-json", nil),
            (#"{"name":"a""#, "malformed-json", nil),
            (#"{"name":"a"} x"#, "malformed-json", nil),
            (#"{"name":"a","name":"b"}"#, "malformed-json", nil),
            (#"{"name":"\ud800"}"#, "malformed-json", nil),
            (#"{"name":"\udc00\ud800"}"#, "malformed-json", nil),
            (#"{"name":"\x"}"#, "malformed-json", nil),
            (#"{name:"a"}"#, "malformed-json", nil),
            (#"{'name':'a'}"#, "malformed-json", nil),
            (#"{"name":01}"#, "malformed-json", nil),
            (#"{"name":NaN}"#, "malformed-json", nil),
            ("{\"name\":\"a\u{1}\"}", "malformed-json", nil),
        ] as [(String, String, String?)])
    func refuses(text: String, code: String, field: String?) throws {
        let problem = #expect(throws: Problem.self) {
            try Self.order(text)
        }
        #expect(problem?.code.rawValue == code)
        #expect(problem?.field == field)
    }

    @Test("refuses bytes that are no UTF-8, overlong forms too")
    func bytes() {
        for bad in [[0xFF], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            let text = Array("{\"name\":\"".utf8) + bad + Array("\"}".utf8)
            let problem = #expect(throws: Problem.self) { try JSONInput.read(text) }
            #expect(problem?.code == .malformedJSON)
        }
    }

    @Test("takes 32 levels and no more")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONInput.read(nested(32))
        #expect(#expect(throws: Problem.self) { try JSONInput.read(nested(33)) }?.code == .tooDeep)
        // Nothing recurses before the bound is looked at.
        #expect(#expect(throws: Problem.self) { try JSONInput.read(nested(500_000)) }?.code == .tooDeep)
    }

    @Test("never stops on whatever bytes")
    func arbitrary() {
        let pieces = [
            "{", "}", "[", "]", ":", ",", "\"", "\\", "\\u", "d800", "name", "1", "-", ".", "e", "true",
            "null",
            " ", "\n", "\u{0}",
        ]
        property { generator in
            let text = (0..<generator.int(0...40)).map { _ in generator.pick(pieces) }.joined()
            _ = try? Self.order(text)
        }
    }
}

import JSON
import Support
import Testing

@Suite("JSON as a tree")
struct JSONValueTests {
    private func read(_ text: String, depthLimit: Int = 32) throws(JSONFault) -> JSONValue {
        try JSONValue(Array(text.utf8)[...], depthLimit: depthLimit)
    }

    private func written(_ value: JSONValue, sortingKeys: Bool = false) -> String {
        var writer = JSONWriter()
        writer.value(value, sortingKeys: sortingKeys)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("keeps the text of numbers and the order of members, and writes them sorted where that is wanted")
    func order() throws {
        let value = try read(
            #" {"b" : [1.50, -2e-7, "\u00e9\n\u0001", true, null], "a": {"d": 1, "c": {}}} "#)
        #expect(written(value) == #"{"b":[1.50,-2e-7,"é\n\u0001",true,null],"a":{"d":1,"c":{}}}"#)
        #expect(
            written(value, sortingKeys: true)
                == #"{"a":{"c":{},"d":1},"b":[1.50,-2e-7,"é\n\u0001",true,null]}"#)
        #expect(value["b"]?.elements.count == 5 && value["c"] == nil && value["a"]?["d"]?.integer == 1)
    }

    @Test("is equal to another of the same content, in whatever order its members are")
    func equality() throws {
        let value = try read(#"{"a":[1,{"b":"x","c":null}]}"#)
        #expect(try read(#"{"a":[1,{"c":null,"b":"x"}]}"#) == value)
        #expect(try read(#"{"a":[1,{"c":null,"b":"x"}]}"#).hashValue == value.hashValue)
        #expect(try read(#"{"a":[1,{"b":"x"}]}"#) != value && read(#"{"a":[1.0,{}]}"#) != value)
        #expect(value == .object(["a": .array([.integer(1), .object(["c": .null, "b": .string("x")])])]))
    }

    @Test("takes, replaces and removes members by their keys")
    func members() {
        var object: JSONObject = ["a": .integer(1), "b": .optional(nil)]
        object["c"] = .bool(true)
        object["a"] = .string("x")
        object["b"] = nil
        #expect(object.keys == ["a", "c"] && object["b"] == nil && object["a"] == .string("x"))
    }

    @Test("knows where each value stands")
    func places() throws {
        let text = "{\n  \"a\": [1,\n    {\"b\": null}],\n  \"c\": \"x\"\n}"
        let document = try JSONElement(Array(text.utf8)[...], depthLimit: 3)
        let members = try #require(document.members)
        let inner = try #require(members.first?.element.elements)
        let deepest = try #require(inner.last?.members?.first)
        let found = [document, members[0].element, inner[0], inner[1], deepest.element, members[1].element]
        #expect(
            found.map { "\($0.place.line):\($0.place.column)" } == [
                "1:1", "2:8", "2:9", "3:5", "3:11", "4:8",
            ])
        #expect(deepest.key == "b" && deepest.element.value == .null && document.elements == nil)
        let fault = #expect(throws: JSONFault.self) { try JSONElement(Array(text.utf8)[...], depthLimit: 2) }
        #expect(fault?.isTooDeep == true && fault?.place.line == 3)
    }

    @Test("writes what it read, whatever that is")
    func anything() {
        property { generator in
            var text = Array(#"{"a": [1.5e3, "\ud83d\ude42\t", {"b": null}], "c": false}"#.utf8)
            for _ in 0..<generator.int(0...3) { text = generator.damaged(text) }
            guard let value = try? JSONValue(text[...], depthLimit: 16) else { return }
            try #require(try JSONValue(value.bytes[...], depthLimit: 16) == value)
        }
    }

    @Test("has one form for strings, but for line feeds two")
    func strings() {
        let text = "\u{0}\u{1F}\n\t\"\\/é"
        for (isShort, expected) in [
            (true, #""\u0000\u001f\n\u0009\"\\/é""#), (false, #""\u0000\u001f\u000a\u0009\"\\/é""#),
        ] {
            var writer = JSONWriter(shortensLineFeeds: isShort)
            writer.string(text)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == expected)
        }
        #expect(JSONWriter.size("a\n\u{1}") == 9 && JSONWriter.size("") == 0)
    }
}

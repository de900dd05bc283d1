import JSON
import Shapes
import Testing

@Suite("What a value may be, as the document says it")
struct SchemaTests {
    private enum Owner: Described {
        static let document = BodyDocument("Owner", "", [FieldDocument("name", .text(), example: "ann")])
    }

    private static func text(_ node: DocumentNode) -> String {
        var writer = JSONWriter()
        node.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "has the keywords of JSON Schema, and an example that conforms",
        arguments: [
            (.any, "{}", "{}"), (.boolean, #"{"type":"boolean"}"#, "true"),
            (.text(), #"{"type":"string"}"#, #""text""#),
            (
                .text("uuid"), #"{"type":"string","format":"uuid"}"#,
                #""0192f0c1-4a6b-7c3d-8e9f-0a1b2c3d4e5f""#
            ),
            (
                .text(length: 1...60, pattern: "^a"),
                #"{"type":"string","pattern":"^a","minLength":1,"maxLength":60}"#, #""text""#
            ),
            (.text(length: 0...(.max)), #"{"type":"string"}"#, #""text""#),
            (.words(["b", "a"]), #"{"type":"string","enum":["b","a"]}"#, #""b""#),
            (.integer(), #"{"type":"integer"}"#, "0"),
            (.integer(in: 1...(.max)), #"{"type":"integer","minimum":1}"#, "1"),
            (.number(in: (.min)...5), #"{"type":"number","maximum":5}"#, "0"),
            (.array(.boolean, nil), #"{"type":"array","items":{"type":"boolean"}}"#, "[true]"),
            (
                .array(.boolean, 1...3),
                #"{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":3}"#,
                "[true]"
            ),
            (
                .map(.integer()), #"{"type":"object","additionalProperties":{"type":"integer"}}"#,
                #"{"name":0}"#
            ),
            (.body(Owner.self), ##"{"$ref":"#/components/schemas/Owner"}"##, #"{"name":"ann"}"#),
            (
                .object([FieldDocument("a", .boolean, "Words."), FieldDocument("b", .any, isRequired: false)]
                ),
                #"{"type":"object","required":["a"],"properties":{"#
                    + #""a":{"type":"boolean","description":"Words."},"b":{}}}"#, #"{"a":true}"#
            ),
            (.anyOf([.boolean, .text()]), #"{"anyOf":[{"type":"boolean"},{"type":"string"}]}"#, "true"),
        ] as [(Schema, String, String)])
    func node(schema: Schema, node: String, sample: String) {
        #expect(Self.text(schema.node) == node && Self.text(schema.sample) == sample)
    }

    @Test(
        "allows null beside what a value may be else",
        arguments: [
            (.text(), #"{"type":["string","null"]}"#),
            (.words(["a"]), #"{"type":["string","null"],"enum":["a",null]}"#),
            (.array(.any, nil), #"{"type":["array","null"],"items":{}}"#), (.any, "{}"),
            (.body(Owner.self), ##"{"anyOf":[{"$ref":"#/components/schemas/Owner"},{"type":"null"}]}"##),
        ] as [(Schema, String)])
    func nullable(schema: Schema, node: String) {
        #expect(Self.text(Schema.nullable(schema).node) == node)
        #expect(Schema.nullable(schema).sample == .null)
    }

    @Test("speaks of the bodies that are in it, however deep")
    func bodies() {
        let schema = Schema.object([
            FieldDocument("a", .nullable(.array(.map(.body(Owner.self)), nil))),
            FieldDocument("b", .anyOf([.text(), .body(Owner.self)])),
        ])
        #expect(schema.bodies.map { $0.document.name } == ["Owner", "Owner"])
    }
}

import JSON
import Testing

/// The check that examples and answers are held to finds what is wrong with them.
@Suite("Checking by a schema")
struct SchemaCheckTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONValue(Array(text.utf8)[...], depthLimit: 32)
    }

    private func faults(_ value: String, _ schema: String) throws -> [String] {
        let root = try read(
            #"{"schemas":{"Pair":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}}"#)
        return SchemaCheck(root: root).faults(try read(value), try read(schema))
    }

    @Test(
        "passes what conforms",
        arguments: [
            (#""x""#, #"{"type":"string","description":"words"}"#), ("null", #"{"type":["string","null"]}"#),
            ("1", #"{"type":"integer","minimum":1,"maximum":1}"#), ("1.5", #"{"type":"number"}"#),
            (#""b""#, #"{"enum":["a","b"]}"#), ("[]", #"{"type":"array","items":{"type":"string"}}"#),
            (#""2026-11-21T12:00:00Z""#, #"{"format":"date-time"}"#),
            (#""0192f0c1-4a6b-7c3d-8e9f-0a1b2c3d4e5f""#, #"{"format":"uuid"}"#),
            (#"{"a":1}"#, ##"{"$ref":"#/schemas/Pair"}"##),
            (#"{"x":{"a":1}}"#, ##"{"type":"object","additionalProperties":{"$ref":"#/schemas/Pair"}}"##),
            ("null", ##"{"anyOf":[{"$ref":"#/schemas/Pair"},{"type":"null"}]}"##),
            (#"{"x":[1,{}]}"#, #"{"type":"object"}"#), ("7", "{}"), (#""abc""#, #"{"pattern":"^[a-c]+$"}"#),
            (#""ab""#, #"{"minLength":2,"maxLength":2}"#), ("[1,2]", #"{"minItems":2,"maxItems":2}"#),
            ("7", #"{"minLength":2,"format":"uuid","pattern":"x","minItems":3}"#),
        ])
    func conforming(value: String, schema: String) throws { #expect(try faults(value, schema) == []) }

    @Test(
        "finds what does not, and where",
        arguments: [
            ("7", #"{"type":"string"}"#, "body"), ("1.5", #"{"type":"integer"}"#, "body"),
            ("null", #"{"type":["string","integer"]}"#, "body"), ("0", #"{"minimum":1}"#, "body"),
            ("2", #"{"maximum":1}"#, "body"), (#""c""#, #"{"enum":["a","b"]}"#, "body"),
            ("[1,true]", #"{"items":{"type":"integer"}}"#, "body[1]"),
            (#""yesterday""#, #"{"format":"date-time"}"#, "body"),
            (#""text""#, #"{"format":"uuid"}"#, "body"),
            ("{}", ##"{"$ref":"#/schemas/Pair"}"##, "body.a"),
            (#"{"a":1,"b":2}"#, ##"{"$ref":"#/schemas/Pair"}"##, "body.b"),
            (#"{"a":"1"}"#, ##"{"$ref":"#/schemas/Pair"}"##, "body.a"),
            (#"{"a":1}"#, ##"{"$ref":"#/schemas/None"}"##, "body"),
            (#"{"x":{}}"#, ##"{"additionalProperties":{"$ref":"#/schemas/Pair"}}"##, "body.x.a"),
            (#"{"x":1}"#, #"{"additionalProperties":false}"#, "body.x"),
            ("7", ##"{"anyOf":[{"$ref":"#/schemas/Pair"},{"type":"null"}]}"##, "body"),
            (#""abd""#, #"{"pattern":"^[a-c]+$"}"#, "body"), (#""a""#, #"{"minLength":2}"#, "body"),
            (#""abc""#, #"{"maxLength":2}"#, "body"), ("[1]", #"{"minItems":2}"#, "body"),
            ("[1]", #"{"maxItems":0}"#, "body"), ("7", #"{"multipleOf":7}"#, "body"), ("7", "true", "body"),
        ])
    func failing(value: String, schema: String, place: String) throws {
        let faults = try faults(value, schema)
        #expect(faults.count == 1 && faults[0].hasPrefix(place + ":"), "\(faults)")
    }
}

import Alerting
import Instruments
import Testing

@Suite("A rule and a change of it")
struct RuleMergeTests {
    private static let text = #"""
        {"id":"r1","instrument":"kraken:BTC/USD","condition":{"price":"last","crosses":"above","level":"5"},\#
        "repeat":"once","expires":"2030-01-01T00:00:00Z","note":"a"}
        """#

    @Test(
        "replaces what is given, drops what is null, and keeps the rest",
        arguments: [
            (#"{"note":"b"}"#, #""note":"a""#, #""note":"b""#),
            (#"{"expires":null}"#, #","expires":"2030-01-01T00:00:00.000000000Z""#, ""),
            (
                #"{"condition":{"price":"bid","crosses":"below","level":"4"}}"#,
                #""price":"last","crosses":"above","level":"5""#,
                #""price":"bid","crosses":"below","level":"4""#
            ),
            (#"{"repeat":{}}"#, #""once""#, #"{"cooldown":"1h"}"#),
            (#"{"id":"r1"}"#, "", ""),
        ])
    func merges(patch: String, old: String, new: String) throws {
        let rule = try AlertRule(json: Self.text)
        let merged = try rule.merging(json: Array(patch.utf8))
        #expect(rule.json.contains(old) || old.isEmpty)
        #expect(merged.json == (old.isEmpty ? rule.json : rule.json.replacing(old, with: new)))
    }

    @Test(
        "is refused as the whole rule would be",
        arguments: [
            (#"{"id":"r2"}"#, "id"), (#"{"condition":{"price":"last"}}"#, "condition.crosses"),
            (#"{"colour":"red"}"#, "colour"), ("[]", ""), ("{", ""), (#"{"instrument":null}"#, "instrument"),
        ])
    func refuses(patch: String, field: String) throws {
        let rule = try AlertRule(json: Self.text)
        let fault = #expect(throws: FieldFault.self) { try rule.merging(json: Array(patch.utf8)) }
        #expect(fault?.field == field)
    }

    @Test("takes the id it is given when it has none, and only then")
    func identity() throws {
        let spare = try #require(RuleID("spare"))
        let nameless = Self.text.replacing(#""id":"r1","#, with: "")
        #expect(try AlertRule(json: Array(nameless.utf8), id: spare).id == spare)
        #expect(try AlertRule(json: Array(Self.text.utf8), id: spare).id.description == "r1")
        let empty = Array(Self.text.replacing(#""r1""#, with: #""""#).utf8)
        #expect(throws: FieldFault.self) { try AlertRule(json: empty, id: spare) }
        #expect(throws: FieldFault.self) { try AlertRule(json: nameless) }
    }
}

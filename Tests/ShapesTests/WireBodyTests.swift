import Instruments
import JSON
import Shapes
import Testing

@Suite("A body that is shown")
struct WireBodyTests {
    private struct Owner: WireBody {
        static let shape = BodyShape<Owner>("Owner", "Who has it.") {
            Field("name", \.name, example: "ann")
            Field(ifPresent: "age", \.age, "In years.")
        }

        var name: String
        var age: Int?
    }

    private struct Thing: WireBody {
        static let shape = BodyShape<Thing>("Thing") {
            Field("zeta", \.zeta, "Written first.", as: .integer(in: 0...9), example: 3)
            Field(all: \.owner)
            Field("note", \.note)
            Field(ifPresent: "left", { $0.left })
            Field("counts", \.counts, "By name.")
            Field("owners", \.owners)
        }

        var zeta = 7
        var owner = Owner(name: "ann", age: nil)
        var note: String?
        /// `nil` where nothing is said, `.some(nil)` where null is.
        var left: String??
        var counts: [String: Int] = [:]
        var owners: [Owner] = []
    }

    private func text(_ value: some WireValue) -> String { String(decoding: value.json, as: UTF8.self) }

    private func text(_ node: DocumentNode) -> String {
        var writer = JSONWriter()
        node.write(to: &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("is written in the order in which its fields are told, with null where nothing is")
    func order() {
        #expect(
            text(Thing())
                == #"{"zeta":7,"name":"ann","note":null,"counts":{},"owners":[]}"#)
    }

    @Test("leaves a field out only where it may, and has another body's fields among its own")
    func presence() {
        var thing = Thing(owner: Owner(name: "ben", age: 30), note: "x", left: .some(nil))
        let begin = #"{"zeta":7,"name":"ben","age":30,"note":"x","left":"#
        #expect(text(thing).hasPrefix(begin + #"null,"counts""#))
        thing.left = "y"
        #expect(text(thing).hasPrefix(begin + #""y","counts""#))
    }

    @Test("has members whose names are data in their alphabetical order, and bodies in lists")
    func members() {
        let thing = Thing(
            counts: ["b": 2, "a": 1, "Z": 3],
            owners: [Owner(name: "ann", age: 1), Owner(name: "ben", age: nil)])
        #expect(
            text(thing).contains(
                #""counts":{"Z":3,"a":1,"b":2},"owners":[{"name":"ann","age":1},{"name":"ben"}]}"#))
    }

    @Test("has members whose names are data in their own order where that is wanted")
    func namedValues() {
        let values: NamedValues<NamedValues<Int?>> = NamedValues([
            ("b", NamedValues([("z", 1), ("y", nil)])), ("a", NamedValues([])),
        ])
        #expect(text(values) == #"{"b":{"z":1,"y":null},"a":{}}"#)
        #expect(
            text(type(of: values).schema.node)
                == #"{"type":"object","additionalProperties":{"type":"object","additionalProperties":"#
                + #"{"type":["integer","null"]}}}"#)
    }

    @Test("is plain text in a table: no quotes, nothing for null, commas in lists")
    func plainText() throws {
        let price = try DecimalNumber(parsing: "1.50")
        #expect("a\"b".plainText == "a\"b" && String?.none.plainText.isEmpty)
        #expect((-7).plainText == "-7" && true.plainText == "true" && price.plainText == "1.50")
        #expect(["a", "b"].plainText == "a, b" && [String]().plainText.isEmpty)
        #expect(JSONValue.array([.number("1.0"), .null, .string("x")]).plainText == "1.0, , x")
        #expect(Owner(name: "ann", age: 1).plainText == #"{"name":"ann","age":1}"#)
    }

    @Test("has decimals with all places of their scale")
    func decimals() throws {
        #expect(text([try DecimalNumber(parsing: "1.50"), nil]) == #"["1.50",null]"#)
    }

    @Test("escapes what a text has, in values as in names")
    func escapes() {
        let strange = "a\"b\\c\nd\u{1}é"
        let written = #""a\"b\\c\nd\u0001é""#
        #expect(text(Owner(name: strange, age: nil)) == #"{"name":\#(written)}"#)
        #expect(text([strange: true]) == #"{\#(written):true}"#)
    }

    @Test("has values as everybody reads them")
    func values() throws {
        let instrument = try #require(InstrumentID("kraken:BTC/USD"))
        #expect(
            text([instrument]) == #"["kraken:BTC/USD"]"# && text(-7) == "-7"
                && text(UInt64.max) == "\(UInt64.max)")
        let json = JSONValue.object(["b": .number("1.50"), "a": .array([.null, .bool(true)])])
        #expect(text(json) == #"{"b":1.50,"a":[null,true]}"# && text(String?.none) == "null")
    }

    @Test("has JSON that is written already as it is, without the line feed behind it")
    func written() {
        let owner = WrittenJSON<Owner>(Array("{\"name\" : \"ann\"}\n".utf8))
        #expect(text(["a": owner, "b": owner]) == #"{"a":{"name" : "ann"},"b":{"name" : "ann"}}"#)
        #expect(text(WrittenJSON<Owner>.schema.node) == ##"{"$ref":"#/components/schemas/Owner"}"##)
    }

    private struct Sorted: WireBody {
        static let shape = BodyShape<Sorted>("Sorted", sorted: true) {
            Field("zeta", \.zeta)
            Field(all: \.owner)
            Field("last_name", \.zeta)
            Field("b", \.zeta)
        }

        var zeta = true
        var owner = Owner(name: "ann", age: 1)
    }

    @Test("is written in the order of the alphabet where that is wanted, another body's fields in it")
    func sorted() {
        #expect(text(Sorted()) == #"{"age":1,"b":true,"last_name":true,"name":"ann","zeta":true}"#)
        #expect(Sorted.document.fields.map(\.name) == ["age", "b", "last_name", "name", "zeta"])
    }

    @Test("is described by the same fields")
    func document() {
        #expect(
            text(Thing.document.node) == ##"""
                {"type":"object","required":["zeta","name","note","counts","owners"],"properties":{\##
                "zeta":{"type":"integer","minimum":0,"maximum":9,"description":"Written first."},\##
                "name":{"type":"string"},"age":{"type":"integer","description":"In years."},\##
                "note":{"type":["string","null"]},"left":{"type":["string","null"]},\##
                "counts":{"type":"object","additionalProperties":{"type":"integer"},"description":"By name."},\##
                "owners":{"type":"array","items":{"$ref":"#/components/schemas/Owner"}}}}
                """##)
        #expect(text(Owner.document.node).hasPrefix(#"{"type":"object","description":"Who has it.","#))
        #expect(Thing.document.bodies.map { $0.document.name } == ["Owner"])
    }

    @Test("is shown by the examples of its fields, and of the bodies in it")
    func sample() {
        #expect(
            text(Thing.document.sample)
                == #"{"zeta":3,"name":"ann","note":null,"counts":{"name":0},"owners":[{"name":"ann"}]}"#)
    }
}

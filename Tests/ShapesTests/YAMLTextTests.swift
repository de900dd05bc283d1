import Shapes
import Testing

@Suite("A document as YAML")
struct YAMLTextTests {
    @Test("puts every text in the quotes of JSON, whatever is in it")
    func texts() {
        let node: DocumentNode = [
            "plain": "a b", "quotes": #"say "no" \ 'yes'"#, "lines": "one\ntwo", "tab": "a\tb",
            "number": "7", "word": "no", "nothing": "", "mark": "# - : {}", "foreign": "größer → ∞",
        ]
        #expect(
            YAMLText.of(node) == #"""
                plain: "a b"
                quotes: "say \"no\" \\ 'yes'"
                lines: "one\ntwo"
                tab: "a\u0009b"
                number: "7"
                word: "no"
                nothing: ""
                mark: "# - : {}"
                foreign: "größer → ∞"

                """#)
    }

    @Test("leaves words and paths as keys bare, and puts every other key in quotes")
    func keys() {
        let keys = [
            "type", "operationId", "x-token", "snake_case", "/v1/alerts/{id}", "200", "no", "Yes", "NULL",
            "true", "y", "{}", "", "$ref", "a b", "a:b", "text/csv", "application/problem+json", "Set-Cookie",
            "0x1", "1.5", "~",
        ]
        let node = DocumentNode.object(keys.map { .init($0, 1) })
        #expect(
            YAMLText.of(node) == #"""
                type: 1
                operationId: 1
                x-token: 1
                snake_case: 1
                /v1/alerts/{id}: 1
                "200": 1
                "no": 1
                "Yes": 1
                "NULL": 1
                "true": 1
                "y": 1
                "{}": 1
                "": 1
                "$ref": 1
                "a b": 1
                "a:b": 1
                text/csv: 1
                "application/problem+json": 1
                Set-Cookie: 1
                "0x1": 1
                "1.5": 1
                "~": 1

                """#)
    }

    @Test("writes what is in what below it, and what is empty behind its key")
    func blocks() {
        let node: DocumentNode = [
            "flags": [true, false, nil], "numbers": [1, -2, .number("0.50")], "empty": [[], .object([])],
            "none": [], "members": .object([]),
            "parameters": [["name": "q", "schema": ["type": "string"]], ["name": "limit"]],
            "nested": [["a", "b"], ["c"]],
        ]
        #expect(
            YAMLText.of(node) == """
                flags:
                  - true
                  - false
                  - null
                numbers:
                  - 1
                  - -2
                  - 0.50
                empty:
                  - []
                  - {}
                none: []
                members: {}
                parameters:
                  -
                    name: "q"
                    schema:
                      type: "string"
                  -
                    name: "limit"
                nested:
                  -
                    - "a"
                    - "b"
                  -
                    - "c"

                """)
    }

    @Test(
        "writes a value that stands alone",
        arguments: [(.null, "null\n"), ("a", "\"a\"\n"), ([], "[]\n")] as [(DocumentNode, String)])
    func alone(node: DocumentNode, text: String) { #expect(YAMLText.of(node) == text) }
}

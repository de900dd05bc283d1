import Testing

@Suite("The scanner of Swift text")
struct SwiftScannerTests {
    @Test("keeps the lines and the length")
    func keepsShape() {
        let text = "let a = \"x\" // y\n/* z\n*/ let b = 1\n"
        let source = SourceText(path: "A.swift", text: text)
        #expect(source.code == "let a =         \n    \n   let b = 1\n")
        #expect(source.comments == "            // y\n/* z\n*/          \n")
    }

    @Test(
        "blanks strings of every kind",
        arguments: [
            ##"a("Task {")b"##,
            ##"a("\"Task {")b"##,
            ##"a(#"x"Task {"#)b"##,
            ##"a("\(x) Task {")b"##,
            "a(\"\"\"\n \"Task {\n\"\"\")b",
        ])
    func blanksStrings(_ text: String) {
        let code = SourceText(path: "A.swift", text: text).code
        #expect(!code.contains("Task"))
        #expect(code.hasPrefix("a(") && code.hasSuffix(")b"))
    }

    @Test("keeps nested comments together")
    func nestsComments() {
        let source = SourceText(path: "A.swift", text: "/* a /* b */ c */d")
        #expect(source.code.filter { $0 != " " } == "d")
    }

    @Test("ends a string that is not closed at the end of its line")
    func endsUnclosedString() {
        let source = SourceText(path: "A.swift", text: "let a = \"x\nlet b = 1")
        #expect(source.code.hasSuffix("\nlet b = 1"))
    }

    @Test("leaves other languages as they are")
    func leavesOthers() {
        let source = SourceText(path: "a.sh", text: "# a \"b\"")
        #expect(source.code == source.text)
        #expect(source.comments == source.text)
    }
}

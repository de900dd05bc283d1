import Testing

@Suite("The rule about configuration keys")
struct ServiceRuleTests {
    private let sources = """
        let address = reader.string(forKey: "subscribe.address")
        let scope = reader.scoped(to: "limits")
        let depth = scope.int(forKey: "depth")
        """

    @Test(
        "takes a key that is named whole or in parts",
        arguments: ["subscribe.address", "limits.depth", "limits", "depth"])
    func takesNamed(_ key: String) {
        #expect(ServiceRules.isDeclared(key, in: sources))
    }

    @Test("refuses any other", arguments: ["subscribe", "address", "limits.width", "subscribe.depth", ""])
    func refusesOther(_ key: String) {
        #expect(!ServiceRules.isDeclared(key, in: sources))
    }

    @Test("reads the paths of all values")
    func readsPaths() {
        let json = #"{"b": {"c": [1, 2], "a": {"d": null}}, "a": true}"#
        #expect(ServiceRules.keys(of: json) == ["a", "b.a.d", "b.c"])
        #expect(ServiceRules.keys(of: "7") == nil)
        #expect(ServiceRules.keys(of: "{") == nil)
    }
}

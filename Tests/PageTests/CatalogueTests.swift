import Foundation
import Testing

/// The texts of the page in every language, beside the code that shows them.
@Suite("The page's catalogues")
struct CatalogueTests {
    private static let languages = ["en", "es", "de", "ja"]
    private static let web = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "web")

    /// Texts by key; a text with forms for numbers has several, by their CLDR names.
    private static func catalogue(_ language: String) throws -> [String: [String: String]] {
        let bytes = try Data(contentsOf: web.appending(path: "i18n/\(language).json"))
        let object = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        return object.mapValues { value in
            value as? [String: String] ?? ["": value as? String ?? ""]
        }
    }

    private static func placeholders(_ text: String) -> Set<String> {
        Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }

    /// Every module of the page, and of the page about the API.
    private static func sources() throws -> [(path: String, text: String)] {
        let folder = web.path(percentEncoded: false)
        let names = try #require(FileManager.default.subpaths(atPath: folder))
            .filter { $0.hasSuffix(".js") && ($0.hasPrefix("app/") || $0.hasPrefix("docs")) }
        return try names.sorted().map { name in
            (name, try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
        }
    }

    @Test("have the same keys with the same placeholders", arguments: languages)
    func equality(_ language: String) throws {
        let english = try Self.catalogue("en")
        let other = try Self.catalogue(language)
        #expect(Set(other.keys).symmetricDifference(english.keys).sorted() == [])
        for (key, forms) in english {
            let wanted = forms.values.reduce(into: Set<String>()) { $0.formUnion(Self.placeholders($1)) }
            for text in (other[key] ?? [:]).values {
                #expect(Self.placeholders(text) == wanted, "\(language) \(key): \(text)")
                #expect(!text.isEmpty, "\(language) \(key)")
            }
        }
    }

    @Test("have the forms for numbers that their language has", arguments: languages)
    func plurals(_ language: String) throws {
        let forms = language == "ja" ? ["other"] : ["one", "other"]
        for (key, texts) in try Self.catalogue(language) where texts[""] == nil {
            #expect(texts.keys.sorted() == forms, "\(language) \(key)")
        }
    }

    @Test("have every text that the code asks for, and no other")
    func use() throws {
        let keys = Set(try Self.catalogue("en").keys)
        var used: Set<String> = []
        let page = try String(contentsOf: Self.web.appending(path: "index.html"), encoding: .utf8)
        for (path, text) in try Self.sources() + [("index.html", page)] {
            for match in text.matches(of: /"([a-z]+\.[A-Za-z0-9_.]+)"/) where keys.contains(String(match.1)) {
                used.insert(String(match.1))
            }
            for match in text.matches(of: /\bt\(\s*"([^"]+)"/) {
                #expect(keys.contains(String(match.1)), "\(path) asks for \(match.1)")
            }
            // What is put together: some key begins and ends so.
            for match in text.matches(of: /`([a-z]+\.[A-Za-z.]*)\$\{[^`]*\}([A-Za-z.]*)`/) {
                let family = keys.filter { $0.hasPrefix(match.1) && $0.hasSuffix(match.2) }
                #expect(!family.isEmpty, "\(path) asks for \(match.1)…")
                used.formUnion(family)
            }
        }
        #expect(keys.subtracting(used).sorted() == [])
    }

    @Test("leave no text of the page in its code, but names")
    func words() throws {
        for (path, text) in try Self.sources() {
            // A text between the brackets of h(…) that begins like a sentence.
            let found = text.matches(of: /\{\}?, "([A-Z][a-z]+ [^"]+)"/).map { String($0.1) }
                .filter { !["TradingView", "Copyright"].contains($0.prefix { $0 != " " }) }
            #expect(found == [], "\(path)")
        }
    }
}

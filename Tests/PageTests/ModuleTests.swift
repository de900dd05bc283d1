import Foundation
import Testing

/// What holds for every file of the page.
@Suite("The page's files")
struct ModuleTests {
    private static let web = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "web")

    /// The files whose names end so, without what is fetched.
    private static func files(
        _ suffix: String, in folder: String = ""
    ) throws -> [(path: String, text: String)] {
        let root = web.appending(path: folder).path(percentEncoded: false)
        return try #require(FileManager.default.subpaths(atPath: root))
            .filter { $0.hasSuffix(suffix) && !$0.hasPrefix("vendor/") }.sorted()
            .map { ($0, try String(contentsOfFile: root + "/" + $0, encoding: .utf8)) }
    }

    @Test("are small modules, each with a comment that says what it is")
    func modules() throws {
        for (path, text) in try Self.files(".js", in: "app") {
            #expect(text.hasPrefix("/**\n"), "\(path)")
            #expect(text.contains(" * @module\n"), "\(path)")
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 300, "\(path)")
        }
    }

    @Test("make no markup from text, and no code")
    func markup() throws {
        let forbidden = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
        ]
        for (path, text) in try Self.files(".js", in: "app") {
            for word in forbidden { #expect(!text.contains(word), "\(path) has \(word)") }
        }
    }

    @Test("read digits of money as text: a binary fraction is only for a place in a picture")
    func money() throws {
        for (path, text) in try Self.files(".js", in: "app") {
            #expect(!text.contains("parseFloat"), "\(path)")
        }
    }

    @Test("need nothing from elsewhere, and nothing inline")
    func policy() throws {
        for (path, text) in try Self.files(".html") {
            #expect(!text.contains(/<script(?![^>]*src=)/), "\(path) has a script of its own")
            for word in ["<style", " style=", " onclick="] { #expect(!text.contains(word), "\(path)") }
            #expect(!text.contains(/(src|href)="(https?:)?\/\//), "\(path) loads from elsewhere")
        }
        for (path, text) in try Self.files(".css") {
            #expect(!text.contains("@import") && !text.contains("url("), "\(path)")
            let physical = text.matches(of: /\b(margin|padding|border)-(left|right)\b/).map { String($0.0) }
            #expect(physical == [], "\(path): sides are those of the text's direction")
        }
    }

    /// The modules that one names in its imports, also in those that wait until they are needed.
    private static func imports(of path: String, in text: String) -> [String] {
        let folder = URL(filePath: path).deletingLastPathComponent()
        return text.matches(of: /(?:from|import)\s*\(?\s*"(\.[^"]+)"/).map {
            folder.appending(path: String($0.1)).standardized.path(percentEncoded: false)
        }
    }

    @Test("lead nowhere back: no module needs itself, by whatever way")
    func circles() throws {
        var open = Dictionary(
            uniqueKeysWithValues: try Self.files(".js", in: "app").map { path, text in
                ("/app/" + path, Self.imports(of: "/app/" + path, in: text))
            })
        #expect(open["/app/routes.js"]?.contains("/app/views/home.js") == true)
        // Whoever needs only what is settled is settled.
        var count = 0
        while count != open.count {
            count = open.count
            open = open.filter { $0.value.contains { open[$0] != nil } }
        }
        #expect(open.keys.sorted() == [])
    }

    @Test("are fetched side by side: the shell names every module that the first view needs")
    func preloads() throws {
        let modules = Dictionary(
            uniqueKeysWithValues: try Self.files(".js", in: "app").map { ("/app/" + $0.path, $0.text) })
        var needed: Set<String> = []
        var open = ["/app/main.js", "/app/views/home.js"]
        while let path = open.popLast() {
            guard needed.insert(path).inserted else { continue }
            let text = try #require(modules[path], "\(path)")
            // What is imported when it is needed, is not needed for the first view.
            open += Self.imports(of: path, in: text.replacing("import(", with: ""))
        }
        let shell = try #require(try Self.files(".html").first { $0.path == "index.html" }).text
        let named = shell.matches(of: /rel="modulepreload" href="([^"]+)"/).map { String($0.1) }
        #expect(Set(named) == needed.subtracting(["/app/main.js"]))
    }
}

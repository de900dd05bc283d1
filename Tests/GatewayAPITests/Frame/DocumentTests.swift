import Foundation
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// What the API says of itself, beside the folder of the page as it is in the tree.
@Suite("The API's own page", .timeLimit(.minutes(10)))
struct DocumentTests {
    private static func run(
        of folder: String? = OpenAPIFile.folder, _ body: (TestClient) async throws -> Void
    ) async throws {
        let folder = try folder.map(WebFolder.init(path:))
        try await GatewayFixture.run(
            prepare: { gateway in
                gateway.web = folder
                gateway.accounts = try? AccountService(gateway.services)
            }, assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { try await body($0.client) }
    }

    /// What a page names in attributes such as `href`, of this site.
    private static func links(_ html: String) -> [String] {
        ["href=\"", "src=\""].flatMap { attribute in
            html.split(separator: attribute).dropFirst().compactMap { rest in
                rest.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
            }
        }
    }

    @Test(
        "is served with its type, its policy and a tag",
        arguments: [
            ("/docs", "text/html; charset=utf-8"), ("/openapi.yaml", "application/yaml"),
            ("/openapi.json", "application/json"),
            ("/docs.js", "text/javascript; charset=utf-8"), ("/docs.css", "text/css; charset=utf-8"),
        ])
    func headers(path: String, type: String) async throws {
        try await Self.run { client async throws in
            let answer = try await client.get(path)
            #expect(answer.status == 200 && answer.header("content-type") == type)
            #expect(answer.header("content-security-policy") == SecurityHeaders.policy)
            #expect(SecurityHeaders.policy.hasPrefix("default-src 'self'; "))
            #expect(answer.header("x-content-type-options") == "nosniff")
            #expect(answer.header("cache-control") == "no-cache")
            let tag = try #require(answer.header("etag"))
            let again = try await client.get(path, headers: [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty && again.header("etag") == tag)
        }
    }

    @Test("is what the routes make, whatever lies in the folder of the page, and also where there is none")
    func document() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        for name in ["index.html", "openapi.json", "openapi.yaml"] {
            try Data("another".utf8).write(to: URL(filePath: folder + "/" + name))
        }
        let file = try OpenAPIFile()
        for folder in [folder, OpenAPIFile.folder, nil] {
            try await Self.run(of: folder) { client async throws in
                let (json, yaml) = (
                    try await client.get("/openapi.json"), try await client.get("/openapi.yaml")
                )
                let isSame = json.body == file.json && yaml.body == Array(file.yaml.utf8)
                #expect(json.status == 200 && yaml.status == 200 && isSame, "\(folder ?? "no folder")")
            }
        }
    }

    @Test("needs no other files than those that are there")
    func files() async throws {
        try await Self.run { client async throws in
            let page = try await client.get("/docs")
            #expect(try await client.get("/docs.html").body == page.body)
            let links = Self.links(page.text)
            #expect(Set(links).isSuperset(of: ["/docs.css", "/docs.js", "/openapi.json", "/openapi.yaml"]))
            for link in links {
                #expect(link.hasPrefix("/"), "\(link) is of another site")
                #expect(try await client.get(link).status == 200, "\(link)")
            }
            // The policy lets no script or style within a page be run.
            #expect(!page.text.contains("<style") && !page.text.contains(" style=\""))
            #expect(page.text.split(separator: "<script").dropFirst().allSatisfy { $0.contains("src=") })
            let script = try await client.get("/docs.js").text
            for rest in script.split(separator: "fetch(\"").dropFirst() {
                let name = String(rest.prefix { $0 != "\"" })
                #expect(try await client.get(name).status == 200, "\(name)")
            }
        }
    }
}

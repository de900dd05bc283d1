import HTTPTypes
import Foundation
import Testing

@testable import GatewayAPI

@Suite("OpenAPI file", .timeLimit(.minutes(10)))
struct OpenAPITests {
    private static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("web/openapi.yaml")

    /// `GET /v1/tickers` and so on, from the two levels of the file's `paths`.
    private static func described() throws -> Set<String> {
        var routes: Set<String> = []
        var path: String?
        var isInPaths = false
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if !line.hasPrefix(" ") { isInPaths = line == "paths:" }
            guard isInPaths else { continue }
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            for method in ["get", "post", "put", "patch", "delete"] where line == "    \(method):" {
                routes.insert("\(method.uppercased()) \(path ?? "?")")
            }
        }
        return routes
    }

    @Test("describes every route, and no other")
    func everyRoute() async throws {
        let described = try Self.described()
        try await GatewayBench.run { bench async throws in
            var gateway = Gateway(bench.services)
            _ = try gateway.addAccounts()
            _ = gateway.addStream(bench.services.market)
            let routes = Set(gateway.routes().names.map { "\($0.method.rawValue) \($0.path)" })
            #expect(routes.subtracting(described).sorted() == [], "not described")
            #expect(described.subtracting(routes).sorted() == [], "described, but not there")
        }
    }

    @Test("names every problem that there is")
    func everyProblem() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        for code in Problem.Code.allCases {
            #expect(text.contains("- \"\(code.rawValue)\"\n"), "\(code.rawValue)")
        }
    }
}

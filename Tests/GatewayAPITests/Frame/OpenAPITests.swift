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

    /// The parameters behind the question mark of each route, as the file has them.
    private static func parameters() throws -> [String: Set<String>] {
        let shared = ["Limit": "limit", "Cursor": "cursor"]
        var found: [String: Set<String>] = [:]
        var (route, path, name) = ("", "", "")
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            for method in ["get", "post", "put", "patch", "delete"] where line == "    \(method):" {
                route = "\(method.uppercased()) \(path)"
                found[route] = []
            }
            let words = text.split { " {},:\"".contains($0) }.map(String.init)
            if text.hasPrefix("- name:") || text.hasPrefix("- {name:") { name = words[2] }
            if let place = words.firstIndex(of: "in"), place + 1 < words.count, words[place + 1] == "query",
                text.hasPrefix("in:") || text.hasPrefix("- {name:")
            {
                found[route]?.insert(name)
            }
            if text.hasPrefix("- $ref:"), let last = text.split(separator: "/").last,
                let known = shared[String(last.filter(\.isLetter))]
            {
                found[route]?.insert(known)
            }
        }
        return found
    }

    @Test("names the parameters that each route knows, and no other")
    func everyParameter() async throws {
        let described = try Self.parameters()
        try await GatewayBench.run { bench async throws in
            var gateway = Gateway(bench.services)
            _ = try gateway.addAccounts()
            _ = gateway.addStream(bench.services.market)
            for (name, known) in gateway.routes().queries {
                let route = "\(name.method.rawValue) \(name.path)"
                #expect(described[route] == Set(known), "\(route)")
            }
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

import AccountStore
import Accounts
import Foundation
import HTTPTypes
import JSON
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("OpenAPI document", .timeLimit(.minutes(10)))
struct OpenAPITests {
    private let file: OpenAPIFile

    init() throws { file = try OpenAPIFile() }

    /// `make openapi` has the file written, so that a change of the API is a change that is seen.
    @Test("lies in the tree as the routes make it")
    func committed() throws {
        let path = OpenAPIFile.committed
        if ProcessInfo.processInfo.environment["WRITE_OPENAPI"] == "1" {
            return try file.yaml.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let lines = { (text: String) in text.split(separator: "\n", omittingEmptySubsequences: false) }
        let (made, lying) = (
            lines(file.yaml), lines((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
        )
        let place = zip(made, lying).prefix { $0 == $1 }.count
        let isSame = made == lying
        #expect(
            isSame,
            """
            services/gateway/openapi.yaml is not what the routes make, from line \(place + 1) on \
            (\(made.dropFirst(place).first ?? "the end")); run: make openapi
            """)
    }

    @Test("describes every route, and no other")
    func everyRoute() {
        let described = Set(file.operations.map(\.name))
        let routes = Set(file.rules.keys)
        #expect(routes.count > 120)
        #expect(routes.subtracting(described).sorted() == [], "not described")
        #expect(described.subtracting(routes).sorted() == [], "described, but not there")
    }

    @Test("names every route differently, and every body that is another one")
    func everyName() {
        let ids = file.operations.compactMap(\.id)
        #expect(ids.count == file.operations.count)
        let several = Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }
        #expect(several.keys.sorted() == [], "several routes have the name")
        #expect(file.collisions == [], "several bodies have the name")
        #expect(Set(ProblemAnswer.allCases.map(\.status)).count == ProblemAnswer.allCases.count)
    }

    @Test("has whatever it refers to")
    func everyReference() { #expect(file.danglingReferences == []) }

    @Test("names the parameters that each route knows, and no other")
    func everyParameter() {
        for operation in file.operations {
            let parts = operation.path.split(separator: "/").filter { $0.hasPrefix("{") }
            let inPath = file.parameters(of: operation, in: "path")
            #expect(inPath == parts.map { String($0.dropFirst().dropLast()) }, "\(operation.name)")
            guard let known = file.rules[operation.name]?.query else { continue }
            #expect(
                file.parameters(of: operation, in: "query").sorted() == known.sorted(), "\(operation.name)")
            #expect(Set(known).count == known.count, "\(operation.name)")
        }
    }

    @Test("says of every route who may use it")
    func everyAccess() {
        for operation in file.operations {
            let said = Set(file.security(of: operation))
            switch file.rules[operation.name]?.access {
            case .anonymous: #expect(said == [], "\(operation.name)")
            case .open: #expect(said.contains([:]), "\(operation.name)")
            case .market:
                let anybody: Set = [[:], ["session": []], ["token": ["market:read"]]]
                #expect(said == anybody, "\(operation.name)")
            case .scope(let scope):
                #expect(said == [["session": []], ["token": [scope.rawValue]]], "\(operation.name)")
            case .session, .owner: #expect(said == [["session": []]], "\(operation.name)")
            case nil: Issue.record("\(operation.name) is not there")
            }
        }
    }

    /// Routes that make something and do not keep their answer under a key, with why.
    private static let withoutKey = [
        "POST /v1/auth/apple": "what it sends holds a nonce, which opens one session or account, once"
    ]
    /// Routes that take a key and look after it themselves: nobody is signed in yet whose key it could be.
    private static let ownKeys: Set = ["POST /v1/auth/sign-up", "POST /v1/auth/first-operator"]

    @Test("has an Idempotency-Key wherever something is made, and the routes keep their answers under it")
    func everyKey() {
        var makers = 0
        for operation in file.operations {
            let takesKey = file.parameters(of: operation, in: "header").contains("Idempotency-Key")
            if file.answers(of: operation)["201"] != nil, Self.withoutKey[operation.name] == nil {
                makers += 1
                #expect(takesKey, "\(operation.name) makes something")
            }
            let keeps = file.rules[operation.name]?.creates ?? false
            #expect(keeps == (takesKey && !Self.ownKeys.contains(operation.name)), "\(operation.name)")
        }
        #expect(makers > 15)
        for name in Self.ownKeys.union(Self.withoutKey.keys) { #expect(file.rules[name] != nil, "\(name)") }
    }

    /// Answers without a body, and a connection that becomes something else.
    private static let bodiless: Set = ["101", "202", "204"]

    @Test("shows by an example what every route takes and what it answers")
    func everyExample() {
        func hasExample(_ content: JSONValue) -> Bool {
            let several = content.at("examples")?.members.values.map { $0.at("value") } ?? []
            return ([content.at("example")] + several).contains { $0 != nil && $0 != .null }
        }
        for operation in file.operations {
            if let contents = file.body(of: operation) {
                #expect(!contents.isEmpty, "\(operation.name)")
                for (type, content) in contents {
                    #expect(hasExample(content), "the body of \(operation.name) as \(type)")
                }
            }
            let successes = file.answers(of: operation).filter { "12".contains($0.key.prefix(1)) }
            #expect(!successes.isEmpty, "\(operation.name)")
            for (status, contents) in successes {
                #expect(
                    !contents.isEmpty || Self.bodiless.contains(status), "\(status) of \(operation.name)")
                for (type, content) in contents {
                    #expect(hasExample(content), "\(status) of \(operation.name) as \(type)")
                }
            }
        }
    }

    @Test("shows nothing that its own schemas refuse")
    func everyExampleConforms() {
        let check = SchemaCheck(root: file.root)
        var count = 0
        for example in file.operations.flatMap(file.examples) {
            let faults = check.faults(example.value, example.schema)
            #expect(faults == [], "\(example.place)")
            count += 1
        }
        #expect(count > 300)
    }

    @Test("names every problem that there is")
    func everyProblem() {
        for code in Problem.Code.allCases {
            #expect(file.yaml.contains("- \"\(code.rawValue)\"\n"), "\(code.rawValue)")
        }
    }
}

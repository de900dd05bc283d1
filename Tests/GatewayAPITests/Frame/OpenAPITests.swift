import AccountStore
import Accounts
import HTTPTypes
import JSON
import Testing

@testable import GatewayAPI

@Suite("OpenAPI file", .timeLimit(.minutes(10)))
struct OpenAPITests {
    /// What each route asks of a request, by names such as `GET /v1/tickers`.
    private static func rules() async throws -> [String: RouteRules] {
        var rules: [String: RouteRules] = [:]
        try await GatewayBench.run { bench async throws in
            var gateway = Gateway(bench.services)
            _ = try gateway.addAccounts()
            _ = gateway.addStream(bench.services.market)
            for (name, rule) in gateway.routes().rules {
                rules["\(name.method.rawValue) \(name.path)"] = rule
            }
        }
        return rules
    }

    @Test("describes every route, and no other")
    func everyRoute() async throws {
        let described = Set(try OpenAPIFile().operations.map(\.name))
        let routes = Set(try await Self.rules().keys)
        #expect(routes.count > 120)
        #expect(routes.subtracting(described).sorted() == [], "not described")
        #expect(described.subtracting(routes).sorted() == [], "described, but not there")
    }

    @Test("names the parameters that each route knows, and no other")
    func everyParameter() async throws {
        let (file, rules) = (try OpenAPIFile(), try await Self.rules())
        for operation in file.operations {
            guard let known = rules[operation.name]?.query else { continue }
            #expect(file.parameters(of: operation, in: "query") == Set(known), "\(operation.name)")
        }
    }

    @Test("says of every route who may use it")
    func everyAccess() async throws {
        let (file, rules) = (try OpenAPIFile(), try await Self.rules())
        for operation in file.operations {
            let said = Set(file.security(of: operation))
            switch rules[operation.name]?.access {
            case .anonymous: #expect(said == [], "\(operation.name)")
            case .open: #expect(said.contains([:]), "\(operation.name)")
            case .market:
                let anybody: Set = [[:], ["session": []], ["token": ["market:read"]]]
                #expect(said == anybody, "\(operation.name)")
            case .scope(let scope):
                #expect(said == [["session": []], ["token": [scope.rawValue]]], "\(operation.name)")
            case .session: #expect(said == [["session": []]], "\(operation.name)")
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
    func everyKey() async throws {
        let (file, rules) = (try OpenAPIFile(), try await Self.rules())
        var makers = 0
        for operation in file.operations {
            let takesKey = file.parameters(of: operation, in: "header").contains("Idempotency-Key")
            if file.answers(of: operation)["201"] != nil, Self.withoutKey[operation.name] == nil {
                makers += 1
                #expect(takesKey, "\(operation.name) makes something")
            }
            let keeps = rules[operation.name]?.creates ?? false
            #expect(keeps == (takesKey && !Self.ownKeys.contains(operation.name)), "\(operation.name)")
        }
        #expect(makers > 15)
        for name in Self.ownKeys.union(Self.withoutKey.keys) { #expect(rules[name] != nil, "\(name)") }
    }

    /// Answers without a body, and a connection that becomes something else.
    private static let bodiless: Set = ["101", "202", "204"]

    @Test("shows by an example what every route takes and what it answers")
    func everyExample() throws {
        let file = try OpenAPIFile()
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

    @Test("names every problem that there is")
    func everyProblem() throws {
        let text = try OpenAPIFile().text
        for code in Problem.Code.allCases {
            #expect(text.contains("- \"\(code.rawValue)\"\n"), "\(code.rawValue)")
        }
    }
}

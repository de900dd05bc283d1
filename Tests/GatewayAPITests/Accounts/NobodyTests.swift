import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// Asks every route of the OpenAPI document without a credential.
@Suite("Nobody in particular", .timeLimit(.minutes(10)))
struct NobodyTests {
    /// A route's path with something in the place of each name.
    private static func path(_ pattern: String) -> String {
        pattern.split(separator: "/").map { part in
            switch part {
            case "{instrument}": "kraken:BTC%2FUSD"
            case "{id}", "{share}": "01980000-0000-7000-8000-000000000001"
            case "{number}": "1"
            case let part where part.hasPrefix("{"): "x"
            default: String(part)
            }
        }.reduce("") { "\($0)/\($1)" }
    }

    @Test(
        "is asked to sign in by every route that is a user's, and by no other",
        arguments: [true, false])
    func walk(marketIsPublic: Bool) async throws {
        let file = try OpenAPIFile()
        try await AccountGatewayFixture.run {
            $0.server.marketIsPublic = marketIsPublic
        } assemble: { gateway in
            gateway.addStream(gateway.services.market)
        } _: { fixture async throws in
            var (refused, answered) = (0, 0)
            for operation in file.operations {
                let ways = file.security(of: operation)
                let isOfMarket = ways.contains(["token": ["market:read"]])
                let isOpen = ways.isEmpty || ways.contains([:]) && (marketIsPublic || !isOfMarket)
                let answer = try await fixture.nobody.ask(operation.method, Self.path(operation.path))
                guard !isOpen else {
                    #expect(answer.status != 401, "\(operation.name) gave \(answer.text)")
                    answered += 1
                    continue
                }
                #expect(answer.status == 401, "\(operation.name) gave \(answer.status) \(answer.text)")
                #expect(answer.problem == "unauthenticated", "\(operation.name)")
                refused += 1
            }
            #expect(refused >= (marketIsPublic ? 90 : 104) && answered > 15)
        }
    }
}

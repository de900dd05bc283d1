import Foundation
import Store
import Support
import Testing

@testable import GatewayAPI

/// That each service's role may do what the service does: every statement of the tree, by who runs it.
@Suite("Every statement of a service", .serialized, .timeLimit(.minutes(10)))
struct RoleStatementTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func queries() throws -> (found: [TreeQueries.Found], temporary: [String]) {
        let tree = try TreeQueries(root: root)
        let found = tree.found.filter { query in
            !TreeQueryTests.others.contains { "\(query)".contains($0) }
        }
        return (found, tree.temporaryTables)
    }

    @Test("is said to be some service's, or nobody's but the owner's")
    func isAssigned() throws {
        for query in try Self.queries().found {
            #expect(StatementUsers.services(of: query) != nil, "\(query)")
        }
    }

    @Test("is one that its role may run", arguments: ServiceRole.allCases)
    func isAllowed(_ role: ServiceRole) async throws {
        let (found, temporary) = try Self.queries()
        let own = found.filter { StatementUsers.services(of: $0)?.contains(role) == true }
        let database = try await RoleFixture.database()
        let scripts = own.flatMap { query in
            // Who stages nothing may make no temporary table.
            (query.text.contains("candle_batch") ? temporary : [])
                + [Self.trial(of: query.text)]
        }
        let outcomes = try await RoleFixture.refusals(
            of: ["SET plan_cache_mode = force_generic_plan"] + scripts, by: role.name, in: database)
        var explained = 0
        var others: [String: Int] = [:]
        for (script, refusal) in zip(scripts, outcomes.dropFirst()) {
            #expect(
                refusal?.sqlState != "42501", "\(role.name): \(script): \(refusal?.debugDescription ?? "")")
            guard script.hasPrefix(Self.beginning) else { continue }
            if let refusal { others["\(refusal)", default: 0] += 1 } else { explained += 1 }
        }
        // Where the server did not come to look at rights nothing would be tried.
        #expect(explained > own.count / 2, "\(explained) of \(own.count); others: \(others)")
        #expect(own.count >= 8)
    }

    private static let beginning = "DEALLOCATE ALL; "

    /// Rights are looked at when a plan is about to be executed, which this is, and is not.
    ///
    /// In one go: where nothing can be prepared nothing is explained, and to ask for what is not prepared
    /// would cost the connection.
    private static func trial(of text: String) -> String {
        let numbers = text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
        let values = [String](repeating: "NULL", count: numbers.max() ?? 0).joined(separator: ", ")
        let given = values.isEmpty ? "" : "(\(values))"
        return "\(beginning)PREPARE tried AS \(text); EXPLAIN EXECUTE tried\(given)"
    }
}

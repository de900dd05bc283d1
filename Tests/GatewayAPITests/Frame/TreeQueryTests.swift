import Foundation
import Store
import Support
import Testing

@testable import GatewayAPI

@Suite("Every statement of the tree", .timeLimit(.minutes(10)))
struct TreeQueryTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Texts that are made at run time, for tables that are parameters; their own tests run them.
    static let others = [
        "Sources/Adapters/Store/", "Sources/Stores/AlertStore/Erasure/AlertExport.swift",
        "INSERT INTO portfolio.revision (portfolio_id, ",
    ]

    @Test("is prepared against the migrated schema")
    func isPrepared() async throws {
        let tree = try TreeQueries(root: Self.root)
        let tables = tree.temporaryTables.joined(separator: ";")
        let queries = tree.found.filter { query in
            !Self.others.contains { "\(query)".contains($0) }
        }
        // Fewer would mean that they are no longer found.
        #expect(queries.count > 250)
        let database = Database(
            configuration: try await TestDatabase.migrated("gateway", by: Gateway.migrate),
            logger: TestDatabase.logger)
        for query in queries {
            let problem = try await database.withSession { session in
                do throws(StoreError) {
                    try session.script(tables)
                    try session.script("PREPARE tried AS \(query.text); DEALLOCATE tried")
                    return nil as StoreError?
                } catch {
                    return error
                }
            }
            // Whose type only its value tells is told by it where the program runs.
            if problem?.sqlState == "42P18" { continue }
            #expect(problem == nil, "\(query)")
        }
        await database.close()
    }
}

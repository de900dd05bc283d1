/// Statements that travel together in one round trip.
///
/// Outside a transaction the batch is one: either all of it happens or nothing.
package struct StatementBatch: Sendable {
    /// A statement without its type.
    struct Entry: Sendable {
        let statement: StatementText
        let parameters: Parameters
    }

    private(set) var entries: [Entry] = []

    package init() {}

    /// Number of statements.
    package var count: Int { entries.count }
    /// True when there is nothing to send.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a statement; its rows, if it has any, are discarded.
    package mutating func append<S: Statement>(_ statement: S) {
        append(Query(statement), named: S.statementName)
    }

    /// Adds a statement; its rows, if it has any, are discarded.
    package mutating func append(_ query: Query, named name: String = #function) {
        let statement = StatementText(name: name, sql: query.text)
        entries.append(Entry(statement: statement, parameters: query.parameters))
    }
}

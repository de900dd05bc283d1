/// One numbered step of a schema.
///
/// Once applied anywhere it never changes: later changes are later steps.
package protocol Migration: Sendable {
    /// From 1, ascending within a schema.
    static var version: Int { get }
    /// A few words, for the record.
    static var name: String { get }
    /// The statements.
    ///
    /// The program before this step must still run after it: expand first, contract later.
    static var sql: String { get }
    /// False for statements that refuse to run in a transaction, such as CREATE INDEX CONCURRENTLY.
    static var isTransactional: Bool { get }
    /// The oldest version of the schema whose programs can work on what this step leaves; `nil` where all can
    /// that could before it, which is so for whatever only adds.
    ///
    /// A step that takes something away names the version since which no program needs it.
    static var readableFrom: Int? { get }
}

extension Migration {
    /// One transaction for the statements and their record.
    package static var isTransactional: Bool { true }
    /// It only adds.
    package static var readableFrom: Int? { nil }
}

/// What a migration run did.
package struct MigrationReport: Sendable, Hashable {
    /// Versions that this run applied, in order.
    package let applied: [Int]
    /// The database's version of the schema now; above the program's where a newer program was there.
    package let version: Int
}

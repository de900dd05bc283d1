/// What a connection needs of a statement to prepare it once: its text is the key.
struct StatementText: Sendable {
    /// For errors: a type's name, or the function that the query stands in.
    let name: String
    let sql: String
}

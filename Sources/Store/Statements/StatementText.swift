/// What a connection needs of a statement's type to prepare it once.
struct StatementText: Sendable {
    let key: ObjectIdentifier
    let name: String
    let sql: String

    init<S: Statement>(_ type: S.Type) {
        key = ObjectIdentifier(type)
        name = S.statementName
        sql = S.sql
    }
}

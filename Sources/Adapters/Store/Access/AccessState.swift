/// How roles and rights stand in a database, as far as they are ours.
struct AccessState: Sendable {
    /// A role as the server has it.
    struct Role: Hashable, Sendable {
        var canLogIn: Bool
        var inherits: Bool
        /// Superuser, or one that may make roles, replicate or see all rows.
        var isMighty: Bool
        var mayMakeDatabases: Bool
    }

    var database = ""
    /// Whether who asks is a superuser.
    var isSuperuser = false
    /// Those of ours that are there.
    var roles: [String: Role] = [:]
    /// Of which roles those of ours are members.
    var memberships: [String: Set<String>] = [:]
    /// Whether ``ServiceRole/migrate`` begins as the owner.
    var beginsAsOwner = false
    var rights: Set<AccessRight> = []
    /// Statements that make ``ServiceRole/owner`` the owner of what is somebody else's.
    var adoptions: [String] = []
    /// Tables whose policies bind their owner, too.
    var forced: [String] = []
    /// For whom the services' policy of a table is.
    var policies: [String: Set<String>] = [:]
    /// Functions that work with their owner's rights.
    var definers: Set<String> = []
    /// What functions consist of.
    var bodies: [String: String] = [:]
    /// Whether new functions are nobody's but the owner's.
    var keepsNewFunctions = false
}

extension AccessState {
    /// Looks at the schemas of an installation and at the server's roles.
    init(_ session: borrowing Session, schemas: [String]) throws(StoreError) {
        let query = AccessQueries(schemas: schemas)
        try session.rows(sql: AccessQueries.server) { (row) throws(StoreError) in
            (database, isSuperuser) = (try row.text(), try row.bool())
            (beginsAsOwner, keepsNewFunctions) = (try row.bool(), try row.bool())
        }
        try session.rows(sql: AccessQueries.roles) { (row) throws(StoreError) in
            let name = try row.text()
            roles[name] = Role(
                canLogIn: try row.bool(), inherits: try row.bool(), isMighty: try row.bool(),
                mayMakeDatabases: try row.bool())
        }
        try session.rows(sql: AccessQueries.memberships) { (row) throws(StoreError) in
            let member = try row.text()
            memberships[member, default: []].insert(try row.text())
        }
        try session.rows(sql: query.rights) { (row) throws(StoreError) in
            let (kind, name) = (try row.text(), try row.text())
            guard let kind = AccessRight.Kind(rawValue: kind) else { throw row.refusal() }
            rights.insert(
                AccessRight(
                    kind: kind, name: name, privilege: try row.text(), column: try row.text(),
                    role: try row.text()))
        }
        try session.rows(sql: query.adoptions) { (row) throws(StoreError) in
            adoptions.append(try row.text())
        }
        try session.rows(sql: query.forced) { (row) throws(StoreError) in forced.append(try row.text()) }
        try session.rows(sql: query.policies) { (row) throws(StoreError) in
            let table = try row.text()
            policies[table] = Set(try row.textArray())
        }
        try session.rows(sql: query.functions) { (row) throws(StoreError) in
            let name = try row.text()
            if try row.bool() { definers.insert(name) }
            bodies[name] = try row.text()
        }
    }
}

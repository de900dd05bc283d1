import Logging

/// Gives each service a role of its own with what ``AccessList`` says, and everything to one owner.
///
/// Run after migrations, again and again: what stands is compared with what should.
package struct AccessJob: Sendable {
    /// What a run did.
    package struct Report: Hashable, Sendable {
        /// Statements that were run; 0 where everything was as it should.
        package var statements = 0
        /// Roles whose passwords were set.
        package var passwords: [String] = []
        /// Whether passwords were left because only a superuser sets them.
        package var leftPasswords = false
    }

    private let schemas: [String]

    /// - Parameter schemas: All of an installation, which are migrated.
    package init(schemas: [String]) { self.schemas = schemas }

    /// What ``run(_:passwords:)`` would do first; nothing is changed.
    package func pending(_ configuration: StoreConfiguration) async throws -> [String] {
        try await onSession(configuration) { session in
            let plan = AccessPlan(try AccessState(session, schemas: schemas))
            return plan.administration + plan.grants
        }
    }

    /// Whether an installation has roles: then what a migration adds needs its rights.
    package func isInUse(_ configuration: StoreConfiguration) async throws -> Bool {
        try await onSession(configuration) { session in
            try session.exists(
                """
                SELECT FROM pg_catalog.pg_namespace AS space
                WHERE space.nspname = ANY (\(schemas))
                    AND pg_get_userbyid(space.nspowner) = \(ServiceRole.owner)
                """)
        }
    }

    /// Does what is to be done, all or nothing.
    ///
    /// - Parameters:
    ///   - configuration: The database, by a superuser, or by ``ServiceRole/migrate`` once there are roles.
    ///   - passwords: What roles sign in with from then on; all others keep theirs.
    /// - Returns: What it did.
    /// - Throws: ``StoreError``; with what a superuser has to do where who asks is none.
    package func run(
        _ configuration: StoreConfiguration, passwords: [RolePassword]
    ) async throws -> Report {
        try await onSession(configuration) { session in
            try MigrationLock.take("installation", session)
            try session.script("BEGIN")
            do {
                let report = try run(session, passwords)
                try session.script("COMMIT")
                return report
            } catch {
                // What went wrong is what is told.
                try? session.script("ROLLBACK")
                throw error
            }
        }
    }

    /// What the first pass makes has defaults of its own, which the second one sees.
    private static let passes = 4

    private func run(
        _ session: borrowing Session, _ passwords: [RolePassword]
    ) throws -> Report {
        var report = Report()
        for _ in 0..<Self.passes {
            let state = try AccessState(session, schemas: schemas)
            let plan = AccessPlan(state)
            guard plan.isDone else {
                guard state.isSuperuser || plan.administration.isEmpty else {
                    throw StoreError.configuration(Self.advice(plan.administration))
                }
                for statement in plan.administration + plan.grants { try Self.run(statement, session) }
                report.statements += plan.administration.count + plan.grants.count
                continue
            }
            guard state.isSuperuser else {
                report.leftPasswords = !passwords.isEmpty
                return report
            }
            for password in passwords { try session.set(password) }
            report.passwords = passwords.map(\.role)
            return report
        }
        throw StoreError.configuration("the rights of roles do not come out as they were set; try again")
    }

    /// - Throws: ``StoreError/configuration(_:)`` with the statement and the server's words, which speak of
    ///   roles and tables and of nobody's data.
    private static func run(_ statement: String, _ session: borrowing Session) throws(StoreError) {
        do throws(StoreError) {
            try session.script(statement)
        } catch {
            guard let refusal = error.serverError else { throw error }
            let beginning = statement.prefix { $0 != "\n" }
            throw .configuration("PostgreSQL refused `\(beginning)`: \(refusal.message)")
        }
    }

    private static func advice(_ statements: [String]) -> String {
        "only a superuser makes the roles of services: run `bitpal migrate --roles` with the URL of one; "
            + "missing: \(statements.prefix(3).joined(separator: "; "))"
            + (statements.count > 3 ? "; and \(statements.count - 3) more" : "")
    }

    private func onSession<Value: Sendable>(
        _ configuration: StoreConfiguration,
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws -> Value {
        var direct = configuration
        direct.maximumConnections = 1
        direct.statementTimeout = .seconds(600)
        // Tables that change their owner are locked: whoever works on one is waited for, and no longer.
        direct.lockTimeout = .seconds(30)
        direct.applicationName += " roles"
        let silent = Logger(label: direct.applicationName) { _ in SwiftLogNoOpLogHandler() }
        return try await Database.use(direct, logger: silent) { database in
            do throws(StoreError) {
                return try await database.withSession(body)
            } catch {
                throw error.bodyError ?? error
            }
        }
    }
}

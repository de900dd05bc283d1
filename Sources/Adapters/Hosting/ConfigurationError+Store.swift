package import Operations
package import Store

extension ConfigurationError {
    /// Why a process cannot work with PostgreSQL, and what to do.
    ///
    /// - Parameters:
    ///   - error: What was tried first has thrown it.
    ///   - role: Whom the URL names.
    package init(opening error: StoreError, by role: String? = nil) {
        guard case .migration(let problem) = error else {
            // What is refused is a table or a schema: nobody's data.
            if let refusal = error.serverError, refusal.sqlState == StoreError.insufficientPrivilege {
                self = .unavailable(
                    "PostgreSQL cannot be used as \(Self.words(role)): \(refusal.message)",
                    advice: Self.roleAdvice)
                return
            }
            self = .unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
            return
        }
        self = .unavailable("PostgreSQL cannot be used: \(problem.cause)", advice: problem.advice)
    }

    /// Why a service cannot work with its role: the rights that it lacks, each with its table.
    package init(missing rights: [String], of role: String?) {
        let told = rights.prefix(5).joined(separator: ", ")
        let rest = rights.count > 5 ? " and \(rights.count - 5) more" : ""
        self = .unavailable(
            "PostgreSQL's \(Self.words(role)) has no \(told)\(rest)", advice: Self.roleAdvice)
    }

    private static let roleAdvice =
        "run `bitpal migrate --roles` of this version, which gives the role of each service its rights"

    private static func words(_ role: String?) -> String { role.map { "role \($0)" } ?? "role of this user" }
}

package import Operations
package import Store

extension ConfigurationError {
    /// Why a process cannot work with PostgreSQL, and what to do.
    package init(opening error: StoreError) {
        guard case .migration(let problem) = error else {
            self = .unavailable(
                "PostgreSQL cannot be used: \(error)",
                advice: "start it, or set BITPAL_DATABASE_URL to one that answers")
            return
        }
        self = .unavailable("PostgreSQL cannot be used: \(problem.cause)", advice: problem.advice)
    }
}

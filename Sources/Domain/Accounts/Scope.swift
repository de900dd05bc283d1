package import Instruments

/// What an API token may be used for.
///
/// A token never allows more than the role of the user it belongs to.
package enum Scope: String, CaseIterable, Hashable, Sendable {
    /// Reads market data where that is not open to everybody.
    case marketRead = "market:read"
    /// Reads alerts, channels, firings and deliveries.
    case alertsRead = "alerts:read"
    /// Makes and changes alerts and channels.
    case alertsWrite = "alerts:write"
    case portfolioRead = "portfolio:read"
    /// Makes and changes portfolios.
    case portfolioWrite = "portfolio:write"
    /// Reads the account, settings and watchlists.
    case accountRead = "account:read"
    /// Changes settings and watchlists.
    case accountWrite = "account:write"
    /// Runs the installation; for operators only.
    case `operator`

    /// All that a role allows: what a signed-in session has.
    package static func all(of role: Role) -> Set<Scope> {
        var scopes = Set(allCases)
        if role != .operator { scopes.remove(.operator) }
        return scopes
    }

    /// Reads a list as a token names it.
    ///
    /// - Throws: ``FieldFault`` for an empty list, one said twice, an unknown one, and for `operator` where
    ///   the role does not allow it.
    package static func read(_ names: [String], for role: Role) throws(FieldFault) -> Set<Scope> {
        let accepted = all(of: role).map(\.rawValue).sorted().joined(separator: ", ")
        guard !names.isEmpty, names.count <= allCases.count else {
            throw FieldFault("scopes", "\(names.count) of them", accepted: "one or more of \(accepted)")
        }
        var scopes: Set<Scope> = []
        for name in names {
            guard let scope = Scope(rawValue: name), all(of: role).contains(scope),
                scopes.insert(scope).inserted
            else { throw FieldFault("scopes", name.quoted, accepted: "one of \(accepted), none twice") }
        }
        return scopes
    }
}

package import Accounts
package import Store

/// Who a request or a connection acts for, and by what right.
package struct Identity: Hashable, Sendable {
    /// What was shown to prove it.
    package enum Credential: Hashable, Sendable {
        /// The cookie of a session, by the session's key.
        case session(UniqueID)
        /// A bearer token, by the token's key.
        case token(UniqueID)
        /// The token that the gateway leaves in a file for whoever works on the machine itself.
        case terminal
    }

    /// The user, who owns what is read and written.
    package var user: UserID
    /// The user's role.
    package var role: Role
    /// What is allowed: for a session all that the role allows, for a token what it was made for.
    package var scopes: Set<Scope>
    /// What was shown.
    package var credential: Credential

    /// Describes who acts.
    package init(user: UserID, role: Role, scopes: Set<Scope>, credential: Credential) {
        self.user = user
        self.role = role
        self.scopes = scopes
        self.credential = credential
    }

    /// Whether something is allowed.
    package func allows(_ scope: Scope) -> Bool { scopes.contains(scope) }

    /// Whether a signed-in person acts, rather than a program with a token.
    package var isSession: Bool { if case .session = credential { true } else { false } }

    /// Whether somebody acts who can start programs on the machine anyway.
    package var isTerminal: Bool { credential == .terminal }
}

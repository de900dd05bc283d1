package import AccountStore
package import Accounts

/// Who may use a route.
package enum Access: Hashable, Sendable {
    /// Everybody, and nobody is asked who.
    case anonymous
    /// Everybody; who shows a credential must show a valid one.
    case open
    /// Everybody where the market is public, else who has `market:read`.
    case market
    /// A session whose role allows it, or a token made for it.
    case scope(Scope)
    /// A signed-in person, never a token.
    case session
    /// As ``session``, or whoever works on the machine itself.
    case owner

    /// Lets somebody in.
    ///
    /// - Throws: `unauthenticated` or `forbidden`.
    package func check(_ identity: Identity?, marketIsPublic: Bool) throws(Problem) {
        switch self {
        case .anonymous, .open: return
        case .market:
            if marketIsPublic { return }
            try Self.require(.marketRead, of: identity)
        case .scope(let scope): try Self.require(scope, of: identity)
        case .session, .owner:
            guard let identity else { throw Self.nobody }
            guard identity.isSession || self == .owner && identity.isTerminal else {
                throw Problem(.forbidden, "a token cannot do this: sign in")
            }
        }
    }

    private static let nobody = Problem(.unauthenticated, "sign in, or send a token")

    private static func require(_ scope: Scope, of identity: Identity?) throws(Problem) {
        guard let identity else { throw nobody }
        guard identity.allows(scope) else {
            throw Problem(.forbidden, "this needs the scope \(scope.rawValue)")
        }
    }
}

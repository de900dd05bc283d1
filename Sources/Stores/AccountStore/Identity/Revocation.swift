package import Store

/// What somebody may no longer do; announced by the database on ``AccountSchema/revocationChannel``.
///
/// A notification is a hint that comes at once. After ``ListenEvent/listening`` some may have been missed:
/// look at each live connection again with ``Session/stands(_:at:)``.
package enum Revocation: Hashable, Sendable {
    /// The account was disabled or erased, or its role changed.
    case user(UserID)
    /// The session was signed out, or is over.
    case session(UniqueID)
    /// The token was revoked.
    case token(UniqueID)

    /// Reads a notification's payload; `nil` when it is none of ours.
    package init?(payload: String) {
        let parts = payload.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UniqueID(String(parts[1])) else { return nil }
        switch parts[0] {
        case "user": self = .user(UserID(rawValue: id))
        case "session": self = .session(id)
        case "token": self = .token(id)
        default: return nil
        }
    }

    /// Whether it ends what an identity may do.
    package func concerns(_ identity: Identity) -> Bool {
        switch self {
        case .user(let user): identity.user == user
        case .session(let id): identity.credential == .session(id)
        case .token(let id): identity.credential == .token(id)
        }
    }
}

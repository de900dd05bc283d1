package import AccountStore
package import Credentials
package import Store

/// Where each kind of secret of the database lies; of channels see `SealingContext.channel(_:of:)`.
extension SealingContext {
    /// The link of a letter about an account.
    package static func letter(_ id: UniqueID, to user: UserID) -> SealingContext {
        SealingContext(
            user: user.description, row: id.description, purpose: StoredSecret.Kind.letter.rawValue)
    }

    /// What a user shares with an authenticator.
    package static func authenticator(of user: UserID) -> SealingContext {
        SealingContext(
            user: user.description, row: user.description, purpose: StoredSecret.Kind.authenticator.rawValue)
    }

    /// A key of the installation that signs.
    package static func signing(_ name: KeptKey) -> SealingContext {
        SealingContext(user: "", row: name.rawValue, purpose: StoredSecret.Kind.signing.rawValue)
    }
}

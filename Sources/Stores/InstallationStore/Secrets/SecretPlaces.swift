public import AccountStore
public import Credentials
public import Store

/// Where each kind of secret of the database lies; of channels see `SecretPlace.channel(_:of:)`.
extension SecretPlace {
    /// The link of a letter about an account.
    public static func letter(_ id: UniqueID, to user: UserID) -> SecretPlace {
        SecretPlace(user: user.description, row: id.description, purpose: StoredSecret.Kind.letter.rawValue)
    }

    /// What a user shares with an authenticator.
    public static func authenticator(of user: UserID) -> SecretPlace {
        SecretPlace(
            user: user.description, row: user.description, purpose: StoredSecret.Kind.authenticator.rawValue)
    }

    /// A key of the installation that signs.
    public static func signing(_ name: KeptKey) -> SecretPlace {
        SecretPlace(user: "", row: name.rawValue, purpose: StoredSecret.Kind.signing.rawValue)
    }
}

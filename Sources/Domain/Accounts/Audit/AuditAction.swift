/// What the audit log tells of, in closed words: what was changed, a dot, and what became of it.
///
/// A word that stands in a log is never given another meaning.
package enum AuditAction: String, CaseIterable, Hashable, Sendable {
    case accountCreate = "account.create"
    case accountVerify = "account.verify"
    case accountDisable = "account.disable"
    case accountEnable = "account.enable"
    case accountErase = "account.erase"
    case passwordChange = "password.change"
    case passwordReset = "password.reset"
    /// Of two who signed up with an address that nobody confirmed neither password counts.
    case passwordDrop = "password.drop"
    /// A link was made that sets a password once.
    case passwordLink = "password.link"
    case passkeyAdd = "passkey.add"
    case passkeyRemove = "passkey.remove"
    case authenticatorAdd = "authenticator.add"
    case authenticatorRemove = "authenticator.remove"
    case appleLink = "apple.link"
    case appleUnlink = "apple.unlink"
    case tokenCreate = "token.create"
    case tokenRevoke = "token.revoke"
    case invitationCreate = "invitation.create"
    case invitationRevoke = "invitation.revoke"
    case flagsReplace = "flags.replace"
    /// Everything that is sealed was sealed with the newest key.
    case secretsRotate = "secrets.rotate"
    /// Former keys were taken out of the key file.
    case secretsForget = "secrets.forget"
    /// The broker of the bus and its clients got keys.
    case keysInit = "keys.init"
    case keysAdd = "keys.add"
    /// A client got new keys beside its former ones.
    case keysRotate = "keys.rotate"
    /// A client's former keys are let in no longer.
    case keysRetire = "keys.retire"
    /// Services' roles in the database were given their rights and passwords.
    case rolesApply = "roles.apply"
    /// A backup was put in the place of what was there.
    case installationRestore = "installation.restore"
}

/// What kind of thing was changed.
package enum AuditSubject: String, CaseIterable, Hashable, Sendable {
    case account, passkey, token, invitation, flags, secrets, keys, roles, installation
}

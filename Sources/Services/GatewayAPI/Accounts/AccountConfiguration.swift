import AccountStore
import Accounts
import Credentials
package import Operations

/// Who may have an account, and how people prove whose it is.
///
/// | key | type | default | range |
/// |---|---|---|---|
/// | `accounts.signUp` | choice | invitation | open, invitation, closed |
/// | `accounts.passwordLength` | integer | 15 | 8...64, the shortest |
/// | `accounts.hashMemory` | integer | 19456 | 8...4194304, KiB of a password's hash |
/// | `accounts.hashPasses` | integer | 2 | 1...16 |
/// | `accounts.hashQueue` | integer | 64 | 0...10000, callers that wait |
/// | `accounts.keyFile` | text | of `keyFile` | a file that seals secrets; made when it is not there |
/// | `accounts.operatorTokenFile` | text | none | a file with a token for `bitpal`; made if missing |
/// | `accounts.withdrawnFile` | text | none | a file that says what was revoked and who is disabled |
/// | `accounts.verifyEmail` | flag | false | true needs `mail.host` and `accounts.keyFile` |
package struct AccountConfiguration: Sendable {
    /// Who may sign up.
    enum SignUp: String, CaseIterable, Sendable {
        case open, invitation, closed
    }

    /// Who may sign up.
    var signUp = SignUp.invitation
    /// Which passwords are accepted.
    var policy = PasswordPolicy()
    /// What a hash costs.
    var hashing = HashingConfiguration()
    /// How long sessions last.
    var sessions = SessionLimits()
    /// Where the keys are that seal secrets; `nil` for none, and then nothing that needs one is offered.
    package var keyFile: String?

    /// Where the token is for whoever works on the machine itself; `nil` for none.
    package var operatorTokenFile: String?

    /// Where it is kept apart from the database what was revoked and who is disabled; `nil` for nowhere.
    package var withdrawnFile: String?

    /// Whether an address must be confirmed before one can sign in.
    var verifiesEmail = false
    /// How letters go out; `nil` for not at all.
    var mail: MailConfiguration?
    /// Whom Sign in with Apple is offered to; `nil` for nobody.
    var apple: AppleConfiguration?

    package init() {}

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    package init(settings: Settings) throws(ConfigurationError) {
        signUp = SignUp(rawValue: settings[Self.mode]) ?? .closed
        policy = PasswordPolicy(shortest: settings[Self.length])
        hashing = HashingConfiguration(
            memory: settings[Self.memory] << 10, passes: settings[Self.passes], waiting: settings[Self.queue])
        keyFile = settings[Self.file] ?? settings[SharedSettings.keyFile]
        operatorTokenFile = settings[Self.tokenFile]
        withdrawnFile = settings[Self.withdrawn]
        verifiesEmail = settings[Self.verify]
        mail = try MailConfiguration.read(settings)
        apple = try AppleConfiguration.read(settings)
        guard !verifiesEmail || (mail != nil && keyFile != nil) else {
            throw settings.refusal(
                Self.verify, value: "true", accepted: "with mail.host and accounts.keyFile")
        }
    }

    /// Every key that is read here.
    package static let keys: [ConfigurationKey] =
        [
            mode.key, length.key, memory.key, passes.key, queue.key, file.key, tokenFile.key,
            withdrawn.key, verify.key,
        ] + MailConfiguration.keys + AppleConfiguration.settings

    private static let mode = Setting.choice(
        "accounts.signUp", of: SignUp.allCases.map(\.rawValue), default: "invitation",
        "Who may sign up: everybody, who has an invitation, or nobody.")
    private static let length = Setting.integer(
        "accounts.passwordLength", default: 15, in: 8...64, "Characters that a password needs.")
    private static let memory = Setting.integer(
        "accounts.hashMemory", default: 19_456, in: 8...4_194_304, "KiB of memory of a password's hash.")
    private static let passes = Setting.integer(
        "accounts.hashPasses", default: 2, in: 1...16, "Passes over the memory of a password's hash.")
    private static let queue = Setting.integer(
        "accounts.hashQueue", default: 64, in: 0...10_000,
        "Passwords that may wait to be checked; more are refused for the moment.")
    private static let file = Setting.optionalText(
        "accounts.keyFile", "The file with the keys that seal secrets; made when it is not there.")
    private static let tokenFile = Setting.optionalText(
        "accounts.operatorTokenFile",
        "The file with the token that `bitpal` acts with here; made when it is not there.")
    private static let withdrawn = Setting.optionalText(
        "accounts.withdrawnFile",
        "The file that says, for a restoration, which tokens are revoked and who is disabled.")
    private static let verify = Setting.flag(
        "accounts.verifyEmail", default: false, "Whether an address must be confirmed before one can sign in."
    )
}

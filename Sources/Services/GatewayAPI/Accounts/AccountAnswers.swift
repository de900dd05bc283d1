import AccountStore
import Accounts
import Instruments

/// An account as the API shows it.
struct AccountAnswer: Encodable {
    var id: String
    var email: String
    var role: String
    var created: String
    var isVerified: Bool
    var isDisabled: Bool
    var hasPassword: Bool
    var hasSecondFactor: Bool
    var hasApple: Bool

    init(_ account: StoredAccount) {
        id = account.user.description
        email = account.email.text
        role = account.role.rawValue
        created = account.created.inAnswers
        isVerified = account.verified != nil
        isDisabled = account.disabled != nil
        hasPassword = account.passwordHash != nil
        hasSecondFactor = account.hasSecondFactor
        hasApple = account.hasApple
    }

    private enum CodingKeys: String, CodingKey {
        case id, email, role, created
        case isVerified = "verified"
        case isDisabled = "disabled"
        case hasPassword = "password"
        case hasSecondFactor = "second_factor"
        case hasApple = "apple"
    }
}

/// An account in an object of its own.
struct UserAnswer: Encodable {
    var user: AccountAnswer
}

/// A whole list, which needs no pages.
struct WholeList<Item: Encodable>: Encodable {
    var items: [Item]

    private enum CodingKeys: CodingKey { case items, next }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(items, forKey: .items)
        try members.encodeNil(forKey: .next)
    }
}

/// A link that is good once, as text that is shown once.
struct LinkAnswer: Encodable {
    var id: String
    var token: String
    var link: String
    var expires: String
}

extension Timestamp {
    /// As answers say it: UTC, to the millisecond.
    var inAnswers: String { iso8601(fractionDigits: 3) }
}

import AccountStore
import Accounts
import Instruments
import Shapes

struct NewUser: WireInput {
    static let shape = InputShape("NewUser", Self.init(email:role:)) {
        InputField("email", InputKind.text.documented(.text(length: 0...254)), example: "bob@example.org")
        InputField("role", InputKind.choice(Role.self).otherwise(.user, "user"))
    }

    var email: String
    var role: Role
}

/// Whether somebody is kept out.
struct UserChange: WireInput {
    static let shape = InputShape("UserChange", Self.init(isDisabled:)) {
        InputField("disabled", .flag, "Whether all is taken away that the account allows.", example: true)
    }

    var isDisabled: Bool
}

/// A feature flag as it is to be.
struct FlagChange: WireInput {
    static let shape = InputShape(
        "FlagChange", about: "A flag as it is to be.", Self.init(name:note:percentage:users:)
    ) {
        InputField("name", InputKind.text.documented(.flagName), example: "new-chart")
        InputField(
            "note", InputKind.text.documented(.text(length: 0...500)).otherwise("", ""), "For a person.",
            example: "The second chart.")
        InputField(
            "percentage", InputKind.integer.documented(.integer(in: 0...100)), "Of all users.", example: 25)
        InputField(
            "users", InputKind.members(of: .flag).otherwise([:], [:]),
            "For whom it is decided by hand, by their ids; at most 1000.", example: [:])
    }

    var name: String
    var note: String
    var percentage: Int
    var users: [String: Bool]
}

struct FlagChanges: WireInput {
    static let shape = InputShape("FlagChanges", Self.init(items:)) {
        InputField(
            "items",
            InputKind.list(.object(FlagChange.self)).documented(.array(.body(FlagChange.self), 0...200)),
            "All that there are to be, each name once.")
    }

    var items: [FlagChange]
}

/// A feature flag as the API shows it.
struct FlagBody: WireBody {
    static let shape = BodyShape<FlagBody>("Flag", "Something that some users have and others not yet.") {
        Field("name", \.flag.name, as: .flagName, example: "new-chart")
        Field("note", \.flag.note, "For a person.", as: .text(length: 0...500), example: "The second chart.")
        Field("percentage", \.flag.percentage, "Of all users.", as: .integer(in: 0...100), example: 25)
        Field("users", \.flag.users, "For whom it is decided by hand, by their ids.", example: [:])
    }

    var flag: FeatureFlag
}

/// An account that an operator made, and the link by which its owner sets a password.
struct NewUserBody: WireBody {
    static let shape = BodyShape<NewUserBody>("MadeUser") {
        Field("reset", \.reset, "Sets a password, once; it is shown only now.")
        Field("user", \.user)
    }

    var reset: LinkAnswer
    var user: AccountAnswer
}

extension Schema {
    /// What a flag may be called.
    fileprivate static let flagName = Schema.text(pattern: "^[a-z0-9_.-]{1,64}$")
}

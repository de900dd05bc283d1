import Accounts
import GatewayFrame
import HTTPTypes
import Hummingbird
import Shapes

struct SignUp: WireInput {
    static let shape = InputShape("SignUp", Self.init(email:password:invitation:locale:timeZone:)) {
        InputField("email", .newAddress, example: "ann@example.org")
        InputField("password", .newPassword, example: .password)
        InputField(
            "invitation", .optional(.text.documented(.text(pattern: "^[A-Za-z0-9_-]{43}$"))),
            "The text of an invitation's link, where only those who are asked may sign up.")
        InputField(
            "locale", .optional(.text.documented(.words(UserSettings.locales))), "The language of texts.",
            example: "de")
        InputField(
            "time_zone", .optional(.text.documented(.zone)), "A zone of the IANA database.",
            example: "Europe/Berlin")
    }

    var email: String
    var password: String
    var invitation: String?
    var locale: String?
    var timeZone: String?
}

struct FirstOperator: WireInput {
    static let shape = InputShape("FirstOperator", Self.init(token:email:password:)) {
        InputField("token", .secret, "Of the link that a start prints.", example: .linkToken)
        InputField("email", .newAddress, example: "boss@example.org")
        InputField("password", .newPassword, example: .password)
    }

    var token: String
    var email: String
    var password: String
}

struct PasswordStrengthRequest: WireInput {
    static let shape = InputShape("PasswordWish", Self.init(password:email:)) {
        InputField("password", .secret, example: "passwordpassword")
        InputField(
            "email", .optional(.text), "Whose it is to be: it may not be in the password.",
            example: "ann@example.org")
    }

    var password: String
    var email: String?
}

/// What the policy says of a password.
struct PasswordStrengthAnswer: WireBody {
    static let shape = BodyShape<PasswordStrengthAnswer>("PasswordStrength") {
        Field("accepted", \.accepted, example: false)
        Field(
            ifPresent: "reason", \.reason, "Why it is not accepted; missing where it is.",
            example: """
                field "password" is one that is guessed early: accepted is one that is not a common \
                password, a row, a repetition or the account's own name
                """)
        Field("score", \.score, "From 0, guessed at once, to 4.", as: .integer(in: 0...4), example: 0)
    }

    var score: Int
    var accepted: Bool
    var reason: String?
}

/// 201 with the account that was made, and the cookie of its first session.
struct SignUpAnswer: RouteAnswer {
    static var documents: [AnswerDocument] {
        var document = AnswerDocument.json(
            201, "The account; the cookie is set where nobody has to confirm the address first.",
            UserAnswer.self)
        document.headers = ["Set-Cookie"]
        return [document]
    }

    var account: AccountAnswer
    /// `nil` where the address is to be confirmed first.
    var cookie: String?
    /// Whether the same request has made the account before.
    var isRepeated = false

    var response: Response {
        var response = Created(UserAnswer(user: account)).response
        response.headers[.setCookie] = cookie
        if isRepeated { response.headers[.idempotencyReplayed] = "true" }
        return response
    }
}

extension InputKind<String> {
    /// An address of mail, which ``AccountService/email(_:)`` reads.
    fileprivate static var newAddress: InputKind { text.documented(.text(length: 0...254)) }
}

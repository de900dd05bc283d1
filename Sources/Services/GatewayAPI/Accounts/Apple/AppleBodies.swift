import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import Shapes

/// What the answer of Apple's page, or of the app, comes with.
struct AppleSignIn: WireInput {
    static let shape = InputShape(
        "AppleSignIn", Self.init(identityToken:nonce:code:invitation:locale:timeZone:)
    ) {
        InputField("identity_token", .text, "As Apple gave it.", example: .identityToken)
        InputField("nonce", .text, "Of /v1/auth/apple/options.", example: .nonce)
        InputField(
            "code", .optional(.secret), "Of the authenticator app, or a recovery code, where one is in use.")
        InputField("invitation", .optional(.text), "Lets somebody new in where only those who are asked may.")
        InputField(
            "locale", .optional(InputKind.text.documented(.words(UserSettings.locales))),
            "The language of somebody new.")
        InputField("time_zone", .optional(.text.documented(.zone)), "Where somebody new is.")
    }

    var identityToken: String
    var nonce: String
    var code: String?
    var invitation: String?
    var locale: String?
    var timeZone: String?
}

/// An Apple Account that is to open an account, and what shows once more whose that is.
struct AppleLink: WireInput {
    static let shape = InputShape(
        "AppleLink", Self.init(identityToken:nonce:password:code:passkey:)
    ) {
        InputField("identity_token", .text, "As Apple gave it.", example: .identityToken)
        InputField("nonce", .text, "Of /v1/auth/apple/options.", example: .nonce)
        InputField("password", .optional(.secret))
        InputField(
            "code", .optional(.secret), "Of the authenticator app, or a recovery code, where one is in use.")
        InputField("passkey", .optional(.object(PasskeyBody.self)))
    }

    var identityToken: String
    var nonce: String
    var password: String?
    var code: String?
    var passkey: PasskeyBody?
}

/// With what somebody goes to Apple.
struct AppleAuthorizationRequest: WireBody {
    static let shape = BodyShape<AppleAuthorizationRequest>("AppleQuestion") {
        Field(
            ifPresent: "authorization", \.authorization,
            """
            Where a browser goes to for an identity token; missing where apple.page names no service id of \
            the page. Apple leads back to the page, as /#/apple?token=… .
            """, as: .text("uri"))
        Field("clients", \.clients, "For whom tokens are accepted.", example: ["app.bitpal"])
        Field("expires", \.expires.inAnswers, as: .time, example: "2026-11-21T12:10:00.123Z")
        Field("nonce", \.nonce, "Good once.", example: .nonce)
    }

    var nonce: String
    var clients: [String]
    var expires: Timestamp
    var authorization: String?
}

/// 200 for somebody who is known, 201 for who was not; the cookie is set.
enum AppleSignInAnswer: RouteAnswer {
    static var documents: [AnswerDocument] {
        WithCookie<OK<UserAnswer>>.documents + WithCookie<Created<UserAnswer>>.documents
    }

    case signedIn(WithCookie<OK<UserAnswer>>)
    case signedUp(WithCookie<Created<UserAnswer>>)

    var response: Response {
        switch self {
        case .signedIn(let answer): answer.response
        case .signedUp(let answer): answer.response
        }
    }
}

extension DocumentNode {
    fileprivate static let identityToken: DocumentNode =
        "eyJraWQiOiJvbmUiLCJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJhcHBsZSJ9.c2lnbmF0dXJl"
    fileprivate static let nonce: DocumentNode = "7Qk0m1bX1w8m3kq0Yh0w0m1bX1w8m3kq0Yh0w0m1bX0"
}

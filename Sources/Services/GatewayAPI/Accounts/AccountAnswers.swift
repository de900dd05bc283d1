import AccountStore
import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import JSON
import Shapes
import Store

/// An account as the API shows it.
struct AccountAnswer: WireBody {
    static let shape = BodyShape<AccountAnswer>("Account", "Who can sign in.") {
        Field("apple", \.account.hasApple, "Whether an Apple Account opens it.", example: false)
        Field("created", \.account.created.inAnswers, as: .time, example: .momentInAnswers)
        Field("disabled", { body in body.account.disabled != nil }, example: false)
        Field("email", \.account.email.text, example: "ann@example.org")
        Field("id", \.account.user.rawValue)
        Field("password", { body in body.account.passwordHash != nil }, "Whether it has one.", example: true)
        Field("role", \.account.role.rawValue, as: .words(Role.allCases.map(\.rawValue)), example: "user")
        Field(
            "second_factor", \.account.hasSecondFactor, "Whether an authenticator is in use.", example: false)
        Field(
            "verified", { body in body.account.verified != nil }, "Whether the address is confirmed.",
            example: false)
    }

    private let account: StoredAccount

    init(_ account: StoredAccount) { self.account = account }
}

/// An account in an object of its own.
struct UserAnswer: WireBody {
    static let shape = BodyShape<UserAnswer>("User") {
        Field("user", \.user)
    }

    var user: AccountAnswer
}

/// A whole list, which needs no pages.
struct WholeList<Item: WireValue>: WireValue, RouteAnswer {
    static var schema: Schema {
        .object([
            FieldDocument("items", .array(Item.schema, nil)),
            FieldDocument("next", .nullable(.text()), "Always null: the list is whole."),
        ])
    }
    static var documents: [AnswerDocument] { [.json(200, "The whole list.", Self.self)] }

    var items: [Item]

    var response: Response { .json(buffer) }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("items")
        items.write(to: &writer)
        writer.key("next")
        writer.null()
        writer.endObject()
    }
}

/// A link that is good once, as text that is shown once.
struct LinkAnswer: WireBody {
    static let shape = BodyShape<LinkAnswer>("Link", "A link that is good once.") {
        Field("expires", \.expires.inAnswers, as: .time, example: "2026-11-22T12:00:00.123Z")
        Field("id", \.id)
        Field(
            "link", \.link, "Where the page takes the token; without a host where that is not known.",
            example: "https://bitpal.example/reset#token=mJbyX0SkIUEBoF1X3q2iF7m9nC4hIh1nXo8aQn3Jc0k")
        Field("token", \.token, "The secret in it, shown only now.", example: .linkToken)
    }

    var id: UniqueID
    var token: String
    var link: String
    var expires: Timestamp
}

extension Timestamp {
    /// As answers say it: UTC, to the millisecond.
    var inAnswers: String { iso8601(fractionDigits: 3) }
}

extension DocumentNode {
    /// A moment as answers of accounts show it.
    static let momentInAnswers: DocumentNode = "2026-11-21T12:00:00.123Z"
}

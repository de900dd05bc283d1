import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Shapes
import Store

private struct TokenRequest: WireInput {
    static let shape = InputShape("TokenWish", Self.init(name:scopes:expires:)) {
        InputField("name", .name(1...64), "What it is called.", example: "ci")
        InputField(
            "scopes", InputKind.list(.text).documented(.array(.scope, 1...Scope.allCases.count)),
            "What it may be used for; operator is for operators only.",
            example: ["market:read", "alerts:read"])
        InputField(
            "expires", .optional(InputKind.text.documented(.time)),
            "From when on it opens nothing, to come; without it that is never.",
            example: "2027-11-21T12:00:00Z")
    }

    var name: String
    var scopes: [String]
    var expires: String?
}

/// A token without its secret.
private struct TokenBody: WireBody {
    static let shape = BodyShape<TokenBody>("Token", "A token for programs, without its secret.") {
        Field(
            "created", \.token.created.inAnswers, as: .time, example: .momentInAnswers)
        Field("expires", \.token.expires?.inAnswers, as: .nullable(.time))
        Field("id", \.token.id)
        Field("last_used", \.token.lastUsed?.inAnswers, as: .nullable(.time))
        Field("name", \.token.name, example: "ci")
        Field("revoked", \.token.revoked?.inAnswers, as: .nullable(.time))
        Field(
            "scopes", { body in body.token.scopes.map(\.rawValue).sorted() }, "What it may be used for.",
            as: .array(.scope, nil), example: ["alerts:read", "market:read"])
    }

    var token: StoredToken
}

/// The answer to whoever made it.
private struct NewTokenBody: WireBody {
    static let shape = BodyShape<NewTokenBody>("NewToken", "A token with its text.") {
        Field(all: \.token)
        Field(
            "token", \.text, "What a program sends; it is shown only now.",
            example: "cm_0193a2c45b107f008a000000000000bb_mJbyX0SkIUEBoF1X3q2iF7m9nC4hIh1nXo8aQn3Jc0k")
    }

    var token: TokenBody
    var text: String
}

extension Schema {
    fileprivate static let scope = Schema.words(Scope.allCases.map(\.rawValue))
}

extension Gateway {
    /// Routes of tokens for programs: `/v1/account/tokens…`; only the terminal's token makes others.
    func addTokenRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/account/tokens", .owner,
            Operation(
                "listTokens", .accounts, "Tokens for programs, the newest first, without their secrets.")
        ) { context in
            WholeList(items: try await accountService.tokens(of: try context.who.user))
        }
        routes.post(
            "/v1/account/tokens", .owner,
            Operation(
                "makeToken", .accounts, "Makes a token; its text is shown only now.", problems: [.notFound]
            ).audited(.tokenCreate), creates: true
        ) { (wish: TokenRequest, context) in
            let who = try context.who
            // Whom the terminal acts for until then owns things, but nothing that lets anybody in.
            guard who.user != .localOperator else {
                throw Problem(
                    .conflict,
                    "no operator has an account here yet; `bitpal user add EMAIL --role operator` makes the first"
                )
            }
            return Created(
                try await accountService.makeToken(wish, for: who.user, who.role, by: try context.actor))
        }
        routes.delete(
            "/v1/account/tokens/{id}", .owner,
            Operation("revokeToken", .accounts, "Revokes a token; it opens nothing from then on.")
                .audited(.tokenRevoke)
        ) { context in
            try await accountService.revokeToken(
                try context.id(), of: try context.who.user, by: try context.actor)
            return NoContent()
        }
    }

    /// The same for the tokens of anybody, by an operator: `/v1/operator/users/{id}/tokens…`.
    func addUserTokenRoutes(_ accountService: AccountService, to routes: RouteTable) {
        let all = "/v1/operator/users/{id}/tokens"
        routes.get(
            all, .scope(.operator),
            Operation(
                "listUserTokens", .accounts,
                "Tokens of an account, the newest first, without their secrets.")
        ) { context in
            WholeList(
                items: try await accountService.tokens(of: try await accountService.account(in: context).user)
            )
        }
        routes.post(
            all, .owner,
            Operation(
                "makeUserToken", .accounts,
                "Makes a token for an account, which an operator hands over; its text is shown only now."
            ).audited(.tokenCreate), creates: true
        ) { (wish: TokenRequest, context) in
            try Access.scope(.operator).check(try context.who, marketIsPublic: false)
            let account = try await accountService.account(in: context)
            return Created(
                try await accountService.makeToken(
                    wish, for: account.user, account.role, by: try context.actor))
        }
        routes.delete(
            "\(all)/{token_id}", .scope(.operator),
            Operation(
                "revokeUserToken", .accounts, "Revokes a token of an account; it opens nothing from then on."
            ).audited(.tokenRevoke)
        ) { context in
            let user = UserID(rawValue: try context.id())
            try await accountService.revokeToken(
                try context.id("token_id"), of: user, by: try context.actor)
            return NoContent()
        }
    }
}

extension AccountService {
    /// The account that a path names.
    ///
    /// - Throws: `not-found`.
    fileprivate func account(in context: GatewayContext) async throws -> StoredAccount {
        let user = UserID(rawValue: try context.id())
        let account = try await database.withSession { session in try session.account(user) }
        guard let account else { throw Problem.notFound("user \(user)") }
        return account
    }

    fileprivate func tokens(of user: UserID) async throws -> [TokenBody] {
        try await database.withSession { session in try session.tokens(of: user) }
            .map { TokenBody(token: $0) }
    }

    /// - Throws: `not-found` where the user has no such token in force.
    fileprivate func revokeToken(_ id: UniqueID, of user: UserID, by actor: AuditActor) async throws {
        let now = clock()
        let isRevoked = try await change(as: user) { session in
            guard try session.revokeToken(id, of: user, at: now) else { return false }
            try session.audit(AuditChange(.tokenRevoke, .token, id, of: user), by: actor)
            return true
        }
        guard isRevoked else { throw Problem.notFound("token \(id)") }
    }

    fileprivate func makeToken(
        _ wish: TokenRequest, for user: UserID, _ role: Role, by actor: AuditActor
    ) async throws -> NewTokenBody {
        let scopes: Set<Scope>
        do throws(FieldFault) {
            scopes = try Scope.read(wish.scopes, for: role)
        } catch {
            throw Problem(inWordsOf: error)
        }
        let now = clock()
        var expires: Timestamp?
        if let text = wish.expires {
            guard let time = Timestamp(iso8601: text), time > now else {
                throw Problem.invalid(
                    "expires", text, accepted: "a time to come in UTC such as 2027-11-21T12:00:00Z")
            }
            expires = time
        }
        let id = newID(at: now)
        let text = TokenText(id: id.bytes, secret: Secrets.bytes(32))
        let token = StoredToken(
            id: id, user: user, name: wish.name, scopes: scopes, created: now, expires: expires)
        let digest = Secrets.digest(text.secret)
        try await change { session in
            try session.addToken(token, digest: digest)
            let detail = [
                "scopes": token.scopes.map(\.rawValue).sorted().joined(separator: " "),
                "expires": token.expires?.inAnswers ?? "never",
            ]
            try session.audit(AuditChange(.tokenCreate, .token, id, of: user, with: detail), by: actor)
        }
        return NewTokenBody(token: TokenBody(token: token), text: text.text)
    }
}

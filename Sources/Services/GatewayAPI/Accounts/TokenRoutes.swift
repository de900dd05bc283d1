import AccountStore
import Accounts
import Credentials
import Hummingbird
import Instruments
import Store

private struct TokenBody: Decodable {
    var name: String
    var scopes: [String]
    var expires: String?
}

private struct TokenAnswer: Encodable {
    var id: String
    var name: String
    var scopes: [String]
    var created: String
    var expires: String?
    var lastUsed: String?
    var revoked: String?
    /// Only in the answer to whoever made it.
    var token: String?

    init(_ stored: StoredToken, text: String? = nil) {
        id = stored.id.description
        name = stored.name
        scopes = stored.scopes.map(\.rawValue).sorted()
        created = stored.created.inAnswers
        expires = stored.expires?.inAnswers
        lastUsed = stored.lastUsed?.inAnswers
        revoked = stored.revoked?.inAnswers
        token = text
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, scopes, created, expires, revoked, token
        case lastUsed = "last_used"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        try members.encode(scopes, forKey: .scopes)
        try members.encode(created, forKey: .created)
        try members.encode(expires, forKey: .expires)
        try members.encode(lastUsed, forKey: .lastUsed)
        try members.encode(revoked, forKey: .revoked)
        try members.encodeIfPresent(token, forKey: .token)
    }
}

extension Gateway {
    /// Routes of tokens for programs: `/v1/account/tokens…`; a token makes no other token.
    func addTokenRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.get("/v1/account/tokens", .session) { _, context in
            let user = try context.who.user
            let tokens = try await desk.database.withSession { session in try session.tokens(of: user) }
            return .json(WholeList(items: tokens.map { TokenAnswer($0) }))
        }
        routes.post("/v1/account/tokens", .session, creates: true) { _, context in
            let (identity, body) = (try context.who, try context.json(TokenBody.self))
            return .json(try await desk.makeToken(body, for: identity), status: .created)
        }
        routes.delete("/v1/account/tokens/{id}", .session) { _, context in
            let (user, id, now) = (try context.who.user, try context.id(), desk.clock())
            let isRevoked = try await desk.change(as: user) { session in
                try session.revokeToken(id, of: user, at: now)
            }
            guard isRevoked else { throw Problem.notFound("token \(id)") }
            return .noContent
        }
    }
}

extension AccountDesk {
    fileprivate func makeToken(_ body: TokenBody, for identity: Identity) async throws -> TokenAnswer {
        try NameRule.check(body.name)
        let scopes: Set<Scope>
        do throws(FieldFault) {
            scopes = try Scope.read(body.scopes, for: identity.role)
        } catch {
            throw Problem(inWordsOf: error)
        }
        let now = clock()
        var expires: Timestamp?
        if let text = body.expires {
            guard let time = Timestamp(iso8601: text), time > now else {
                throw Problem.invalid(
                    "expires", text, accepted: "a time to come in UTC such as 2027-11-21T12:00:00Z")
            }
            expires = time
        }
        let id = newID(at: now)
        let text = TokenText(id: id.bytes, secret: Secrets.bytes(32))
        let token = StoredToken(
            id: id, user: identity.user, name: body.name, scopes: scopes, created: now, expires: expires)
        let digest = Secrets.digest(text.secret)
        try await change { session in try session.addToken(token, digest: digest) }
        return TokenAnswer(token, text: text.text)
    }
}

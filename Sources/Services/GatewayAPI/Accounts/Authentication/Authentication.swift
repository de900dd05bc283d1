import AccountStore
import Accounts
import Credentials
import GatewayFrame
import HTTPTypes
import Hummingbird
import Instruments
import Store

/// Finds out who asks: by a bearer token, or by the cookie of a session.
struct Authentication: Sendable {
    /// Nanoseconds between two notes that a session or token is used.
    static let noteInterval: Int64 = 60_000_000_000

    let accountService: AccountService

    /// Who a request acts for.
    ///
    /// - Returns: `nil` for nobody: no credential, or a cookie whose session is over.
    /// - Throws: `unauthenticated` for a token that opens nothing.
    func identify(_ request: Request, _ context: GatewayContext) async throws -> Identity? {
        if let field = request.headers[.authorization] {
            guard field.prefix(7).lowercased() == "bearer " else {
                throw Problem(.unauthenticated, "the Authorization header is no Bearer token")
            }
            return try await identity(bearer: field.dropFirst(7))
        }
        let cookie = SessionCookie.value(in: request.headers)
        guard let cookie else { return nil }
        return try await identity(cookie: cookie)
    }

    /// Who a token acts for.
    ///
    /// - Throws: `unauthenticated`, the same for every token that opens nothing.
    func identity(bearer text: some StringProtocol) async throws -> Identity {
        let refusal = Problem(.unauthenticated, "the token is not valid")
        guard let token = try? TokenText(parsing: text), let id = UniqueID(bytes: token.id) else {
            throw refusal
        }
        if token.isOperators {
            guard let identity = try await operatorIdentity(token) else { throw refusal }
            return identity
        }
        let now = accountService.clock()
        let found = try await accountService.database.withSession { session in try session.token(id, at: now)
        }
        guard let found, Secrets.fits(token, digest: found.digest) else { throw refusal }
        if found.lastUsed.map({ now.nanoseconds(since: $0) >= Self.noteInterval }) ?? true {
            try await note {
                try await accountService.database.withSession { session in
                    try session.touchToken(id, at: now)
                }
            }
        }
        return found.identity
    }

    /// Notes that somebody is here, where there is room: on a full disk one can read on.
    private func note(_ use: () async throws -> Void) async throws {
        do { try await use() } catch let error as StoreError where error.isDiskFull {}
    }

    /// Who works on the machine itself; `nil` for another secret, or where no file has one.
    private func operatorIdentity(_ token: TokenText) async throws -> Identity? {
        guard let digest = accountService.operatorToken, Secrets.fits(token, digest: digest) else {
            return nil
        }
        let user = try await accountService.database.withSession { session in try session.terminalUser() }
        return Identity(
            user: user, role: .operator, scopes: Scope.all(of: .operator), credential: .terminal)
    }

    /// Who a session's cookie stands for; `nil` when the session is over.
    func identity(cookie: String) async throws -> Identity? {
        guard let digest = Secrets.digest(text: cookie) else { return nil }
        let (now, limits) = (accountService.clock(), accountService.configuration.sessions)
        let found = try await accountService.database.withSession { session in
            try session.identity(session: digest, at: now, limits: limits)
        }
        guard let found else { return nil }
        if now.nanoseconds(since: found.lastSeen) >= Self.noteInterval,
            case .session(let id) = found.identity.credential
        {
            try await note {
                try await accountService.database.withSession { session in
                    try session.touchSession(id, at: now)
                }
            }
        }
        return found.identity
    }
}

extension UniqueID {
    /// Joins 16 bytes; `nil` for another number of them.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) },
            low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Its 16 bytes.
    var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }
}

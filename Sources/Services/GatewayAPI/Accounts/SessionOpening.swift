import AccountStore
import Credentials
import GatewayFrame
import Hummingbird
import Instruments
import Store

extension AccountService {
    /// What is written down when somebody has proved who they are.
    struct NewSession: Sendable {
        var id: UniqueID
        var secret: String
        var client: String
        var agent: String
        /// Of the cookie that came with the request: a session never outlives a sign-in (ASVS 5.0, 7.2.4).
        var replaced: UniqueID?
    }

    /// Prepares a session for whoever sends a request.
    func newSession(_ request: Request, _ context: GatewayContext) -> NewSession {
        var replaced: UniqueID?
        if case .session(let id) = context.identity?.credential { replaced = id }
        return NewSession(
            id: newID(at: clock()), secret: Secrets.text(), client: context.client,
            agent: request.headers[.userAgent] ?? "", replaced: replaced)
    }

    /// The answer to whoever now has a session.
    func welcome(_ account: StoredAccount, _ opened: NewSession) -> WithCookie<OK<UserAnswer>> {
        WithCookie(OK(UserAnswer(user: AccountAnswer(account))), cookie(of: opened))
    }

    /// What gives a session to a browser.
    func cookie(of opened: NewSession) -> String {
        SessionCookie.set(opened.secret, seconds: configuration.sessions.absolute / 1_000_000_000)
    }

    /// An answer that takes the cookie away.
    static var farewell: WithCookie<NoContent> { WithCookie(NoContent(), SessionCookie.clear) }
}

extension Session {
    /// Opens a prepared session, and ends the one that it replaces.
    func open(
        _ new: AccountService.NewSession, of user: UserID, at now: Timestamp, limits: SessionLimits
    ) throws(StoreError) {
        if let replaced = new.replaced { try endSession(replaced) }
        guard let digest = Secrets.digest(text: new.secret) else { return }
        try openSession(
            new.id, digest: digest, of: user, client: new.client, agent: new.agent, at: now, limits: limits)
    }
}

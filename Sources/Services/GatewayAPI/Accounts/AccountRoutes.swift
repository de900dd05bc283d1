import AccountStore
import Accounts
import AlertStore
import GatewayFrame
import Instruments
import Portfolio
import Shapes
import Store

private struct SessionAnswer: WireBody {
    static let shape = BodyShape<SessionAnswer>("Session", "Where somebody is signed in.") {
        Field("agent", \.session.agent, "As the program called itself.", example: "Mozilla/5.0")
        Field("client", \.session.client, "The address that it came from.", example: "127.0.0.1")
        Field("created", \.session.created.inAnswers, as: .time, example: .momentInAnswers)
        Field("current", \.isCurrent, "Whether it is the one that asks.", example: true)
        Field("expires", \.session.expires.inAnswers, as: .time, example: "2026-11-22T00:00:00.123Z")
        Field("id", \.session.id)
        Field("last_seen", \.session.lastSeen.inAnswers, as: .time, example: "2026-11-21T12:01:00.000Z")
    }

    var session: StoredSession
    var isCurrent: Bool
}

/// An account, or that there is none; and what a page offers to somebody who has none yet.
private struct WhoAnswer: WireBody {
    static let shape = BodyShape<WhoAnswer>("Who") {
        Field("apple", \.hasApple, "Whether the page can leave for Apple's to sign in.", example: false)
        Field(
            "demo", \.isDemo, "Whether the market is a demo's, so that a sample can be had.", example: false)
        Field(
            "sign_up", \.signUp.rawValue, "Who may make an account: everybody, who is invited, or nobody.",
            as: .words(AccountConfiguration.SignUp.allCases.map(\.rawValue)), example: "invitation")
        Field("user", \.user, "Null for nobody.")
    }

    var user: AccountAnswer?
    var hasApple: Bool
    var signUp: AccountConfiguration.SignUp
    var isDemo: Bool
}

private struct UserFlags: WireBody {
    static let shape = BodyShape<UserFlags>("UserFlags") {
        Field("flags", \.flags, "By name whether it is on.", example: ["new-chart": true])
    }

    var flags: [String: Bool]
}

extension Gateway {
    /// Why the audit log says nothing of who signs in and out.
    static let sessions = "sessions are listed by themselves"

    /// Routes of the account itself: who, settings, flags, sessions.
    func addAccountRoutes(_ accountService: AccountService, to routes: RouteTable) {
        // For a page that does not know yet: nobody is an answer, and no error in a browser's console.
        routes.get(
            "/v1/session", .open,
            Operation(
                "readSession", .accounts,
                """
                Who asks, or that it is nobody; for a page that does not know yet whether somebody is signed \
                in.
                """, "A session that is over is nobody, too; a token that is not valid is refused.")
        ) { context in
            var who = WhoAnswer(
                hasApple: accountService.apple?.page != nil, signUp: accountService.configuration.signUp,
                isDemo: services.configuration.demo.restURL != nil)
            guard let identity = context.identity else { return OK(who) }
            try Access.scope(.accountRead).check(identity, marketIsPublic: false)
            who.user = AccountAnswer(try await accountService.account(identity))
            return OK(who)
        }
        routes.get("/v1/account", .scope(.accountRead), Operation("readAccount", .accounts, "Who asks.")) {
            context in
            OK(UserAnswer(user: AccountAnswer(try await accountService.account(try context.who))))
        }
        routes.get(
            "/v1/account/flags", .scope(.accountRead),
            Operation("readFlags", .accounts, "All feature flags, as they are for the user.")
        ) { context in
            let user = try context.who.user
            let flags = try await accountService.database.withSession { session in
                try session.flags(for: user)
            }
            let on = flags.map { ($0.name, $0.isOn(for: user.description)) }
            return OK(UserFlags(flags: Dictionary(uniqueKeysWithValues: on)))
        }
        addSettingsRoutes(accountService, to: routes)
        addSessionRoutes(accountService, to: routes)
    }

    private func addSettingsRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/account/settings", .scope(.accountRead),
            Operation("readSettings", .accounts, "The user's settings.")
        ) { context in
            OK(SettingsAnswer(try await accountService.settings(of: try context.who.user)))
        }
        routes.patch(
            "/v1/account/settings", .scope(.accountWrite),
            Operation(
                "changeSettings", .accounts,
                "Changes settings; what is not named stays, and null ends quiet hours."
            ).unaudited("how somebody wants to see things is their own")
        ) { (change: SettingsChange, context) in
            let user = try context.who.user
            var settings = try await accountService.settings(of: user)
            try change.apply(to: &settings)
            let changed = settings
            try await accountService.change { session in try session.setSettings(changed, of: user) }
            return OK(SettingsAnswer(changed))
        }
    }

    private func addSessionRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/account/sessions", .session,
            Operation("listSessions", .accounts, "Where the user is signed in, the newest first.")
        ) { context in
            WholeList(items: try await accountService.sessions(of: try context.who))
        }
        routes.delete(
            "/v1/account/sessions/{id}", .session,
            Operation("endSession", .accounts, "Ends a session.").unaudited(Self.sessions)
        ) { context in
            let (user, id) = (try context.who.user, try context.id())
            let isEnded = try await accountService.change(as: user) { session in
                try session.closeSession(id, of: user)
            }
            guard isEnded else { throw Problem.notFound("session \(id)") }
            return NoContent()
        }
    }
}

extension AccountService {
    fileprivate func settings(of user: UserID) async throws -> UserSettings {
        let settings = try await database.withSession { session in try session.settings(of: user) }
        guard let settings else { throw Problem(.unauthenticated, "the account is no more") }
        return settings
    }

    fileprivate func sessions(of identity: Identity) async throws -> [SessionAnswer] {
        let (now, limits) = (clock(), configuration.sessions)
        let sessions = try await database.withSession { session in
            try session.sessions(of: identity.user, at: now, limits: limits)
        }
        return sessions.map { session in
            SessionAnswer(session: session, isCurrent: identity.credential == .session(session.id))
        }
    }
}

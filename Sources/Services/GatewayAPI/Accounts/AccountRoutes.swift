import AccountStore
import Accounts
import AlertStore
import Hummingbird
import Instruments
import Portfolio
import Store

private struct SessionAnswer: Encodable {
    var id: String
    var created: String
    var lastSeen: String
    var expires: String
    var client: String
    var agent: String
    var isCurrent: Bool

    private enum CodingKeys: String, CodingKey {
        case id, created, expires, client, agent
        case lastSeen = "last_seen"
        case isCurrent = "current"
    }
}

/// An account, or that there is none; and what a page offers to somebody who has none yet.
private struct WhoAnswer: Encodable {
    var user: AccountAnswer?
    /// Whether browsers can sign in with Apple.
    var apple: Bool

    private enum CodingKeys: CodingKey { case user, apple }

    /// Writes null as well.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(user, forKey: .user)
        try members.encode(apple, forKey: .apple)
    }
}

extension Gateway {
    /// Routes of the account itself: who, settings, flags, sessions.
    func addAccountRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        // For a page that does not know yet: nobody is an answer, and no error in a browser's console.
        routes.get("/v1/session", .open) { _, context in
            let apple = desk.apple?.page != nil
            guard let identity = context.identity else { return .json(WhoAnswer(apple: apple)) }
            try Access.scope(.accountRead).check(identity, marketIsPublic: false)
            let user = AccountAnswer(try await desk.account(identity))
            return .json(WhoAnswer(user: user, apple: apple))
        }
        routes.get("/v1/account", .scope(.accountRead)) { _, context in
            .json(UserAnswer(user: AccountAnswer(try await desk.account(try context.who))))
        }
        routes.get("/v1/account/settings", .scope(.accountRead)) { _, context in
            let user = try context.who.user
            return .json(SettingsAnswer(try await desk.settings(of: user)))
        }
        routes.patch("/v1/account/settings", .scope(.accountWrite)) { _, context in
            let (user, changes) = (try context.who.user, try context.json(SettingsBody.self))
            var settings = try await desk.settings(of: user)
            try changes.apply(to: &settings)
            let changed = settings
            try await desk.change { session in try session.setSettings(changed, of: user) }
            return .json(SettingsAnswer(changed))
        }
        routes.get("/v1/account/flags", .scope(.accountRead)) { _, context in
            let user = try context.who.user
            let flags = try await desk.database.withSession { session in try session.flags(for: user) }
            let on = flags.map { ($0.name, $0.isOn(for: user.description)) }
            return .json(["flags": Dictionary(uniqueKeysWithValues: on)])
        }
        routes.get("/v1/account/sessions", .session) { _, context in
            .json(WholeList(items: try await desk.sessions(of: try context.who)))
        }
        routes.delete("/v1/account/sessions/{id}", .session) { _, context in
            let (user, id) = (try context.who.user, try context.id())
            let isEnded = try await desk.change(as: user) { session in
                try session.closeSession(id, of: user)
            }
            guard isEnded else { throw Problem.notFound("session \(id)") }
            return .noContent
        }
    }
}

extension AccountDesk {
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
        return sessions.map { row in
            SessionAnswer(
                id: row.id.description, created: row.created.inAnswers, lastSeen: row.lastSeen.inAnswers,
                expires: row.expires.inAnswers, client: row.client, agent: row.agent,
                isCurrent: identity.credential == .session(row.id))
        }
    }
}

import AccountStore
import Accounts
import Hummingbird
import Instruments
import Store

private struct UserBody: Decodable {
    var email: String
    var role: String?
}

private struct DisabledBody: Decodable {
    var disabled: Bool
}

private struct InvitationBody: Decodable {
    var email: String?
}

private struct NewUserAnswer: Encodable {
    var user: AccountAnswer
    var reset: LinkAnswer
}

private struct InvitationAnswer: Encodable {
    var id: String
    var email: String?
    var created: String
    var expires: String
}

private struct UserPage: Encodable {
    var items: [AccountAnswer]
    var next: String?

    private enum CodingKeys: CodingKey { case items, next }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(items, forKey: .items)
        try members.encode(next, forKey: .next)
    }
}

private struct FlagBody: Codable {
    var name: String
    var note: String?
    var percentage: Int
    var users: [String: Bool]?
}

private struct FlagsBody: Decodable {
    var items: [FlagBody]
}

extension Gateway {
    /// Routes for who runs the installation: `/v1/operator/…`.
    func addOperatorRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        addUserRoutes(desk, to: routes)
        routes.get("/v1/operator/invitations", .scope(.operator)) { _, _ in
            let now = desk.clock()
            let tickets = try await desk.database.withSession { session in
                try session.tickets(.invitation, at: now)
            }
            let items = tickets.map { ticket in
                InvitationAnswer(
                    id: ticket.id.description, email: ticket.email, created: ticket.created.inAnswers,
                    expires: ticket.expires.inAnswers)
            }
            return .json(WholeList(items: items))
        }
        routes.post("/v1/operator/invitations", .scope(.operator), creates: true) { _, context in
            let email = try context.json(InvitationBody.self).email
            let link = try await desk.link(
                .invitation, page: "sign-up", user: nil,
                email: try email.map { text throws(Problem) in try AccountDesk.email(text) },
                seconds: 14 * 86_400)
            return .json(link, status: .created)
        }
        routes.get("/v1/operator/flags", .scope(.operator)) { _, _ in
            .json(WholeList(items: try await desk.flags()))
        }
        routes.put("/v1/operator/flags", .scope(.operator)) { _, context in
            let flags = try AccountDesk.flags(try context.json(FlagsBody.self))
            try await desk.change { session in try session.setFlags(flags) }
            return .json(WholeList(items: try await desk.flags()))
        }
    }

    private func addUserRoutes(_ desk: AccountDesk, to routes: RouteTable) {
        routes.get("/v1/operator/users", .scope(.operator), query: .page) { _, context in
            let limit = try context.query.integer("limit", in: 1...500, default: 50)
            var last: UserID?
            if let text = try context.query.text("cursor") {
                guard let id = UniqueID(text) else {
                    throw Problem.invalid("cursor", text, accepted: "what the page before gave as next")
                }
                last = UserID(rawValue: id)
            }
            let first = last
            let accounts = try await desk.database.withSession { session in
                try session.accounts(after: first, limit: limit + 1)
            }
            let page = accounts.prefix(limit)
            return .json(
                UserPage(
                    items: page.map { AccountAnswer($0) },
                    next: accounts.count > limit ? page.last?.user.description : nil))
        }
        routes.post("/v1/operator/users", .scope(.operator), creates: true) { _, context in
            .json(try await desk.makeUser(try context.json(UserBody.self)), status: .created)
        }
        routes.patch("/v1/operator/users/{id}", .scope(.operator)) { _, context in
            let (user, now) = (UserID(rawValue: try context.id()), desk.clock())
            let isDisabled = try context.json(DisabledBody.self).disabled
            let account = try await desk.change { session in
                try session.setDisabled(isDisabled, user, at: now)
                return try session.account(user)
            }
            guard let account else { throw Problem.notFound("user \(user)") }
            return .json(UserAnswer(user: AccountAnswer(account)))
        }
        routes.post("/v1/operator/users/{id}/reset", .scope(.operator), creates: true) { _, context in
            let user = UserID(rawValue: try context.id())
            let account = try await desk.database.withSession { session in try session.account(user) }
            guard account != nil else { throw Problem.notFound("user \(user)") }
            return .json(try await desk.resetLink(for: user))
        }
    }
}

extension AccountDesk {
    fileprivate func makeUser(_ body: UserBody) async throws -> NewUserAnswer {
        guard let role = Role(rawValue: body.role ?? "user") else {
            throw Problem.invalid("role", body.role, accepted: "user, operator")
        }
        let now = clock()
        let account = StoredAccount(
            user: UserID(rawValue: newID(at: now)), email: try Self.email(body.email), passwordHash: nil,
            role: role, created: now)
        try await change { session in try session.createAccount(account) }
        return NewUserAnswer(user: AccountAnswer(account), reset: try await resetLink(for: account.user))
    }

    fileprivate func flags() async throws -> [FlagBody] {
        try await database.withSession { session in try session.flags() }.map { flag in
            FlagBody(name: flag.name, note: flag.note, percentage: flag.percentage, users: flag.users)
        }
    }

    fileprivate static func flags(_ body: FlagsBody) throws(Problem) -> [FeatureFlag] {
        guard body.items.count <= 200, Set(body.items.map(\.name)).count == body.items.count else {
            throw .invalid("items", "\(body.items.count) flags", accepted: "at most 200, each name once")
        }
        var flags: [FeatureFlag] = []
        for item in body.items {
            do throws(FieldFault) {
                flags.append(
                    try FeatureFlag(
                        name: item.name, note: item.note ?? "", percentage: item.percentage,
                        users: item.users ?? [:]))
            } catch {
                throw Problem(inWordsOf: error)
            }
        }
        return flags
    }
}

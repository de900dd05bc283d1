import AccountStore
import Accounts
import GatewayFrame
import Instruments
import Shapes
import Store

extension Gateway {
    /// After which account a page begins; `nil` for the first.
    private static let lastUser = Parameter<UserID?>(
        "cursor", "The \"next\" of the page before.", .text("uuid")
    ) { (query) throws(Problem) in
        guard let text = try query.text("cursor") else { return nil }
        guard let id = UniqueID(text) else {
            throw .invalid("cursor", text, accepted: "what the page before gave as next")
        }
        return UserID(rawValue: id)
    }

    private static let userAddress = Parameter<EmailAddress?>(
        "email", "Only the account with this address, whatever its capitals.", .text(length: 0...254),
        example: "ann@example.org"
    ) { (query) throws(Problem) in
        guard let text = try query.text("email", atMost: 254) else { return nil }
        return try AccountService.email(text)
    }

    private static let userLimit = Parameter.integer("limit", "At most so many.", in: 1...500, default: 50)

    /// Routes for who runs the installation: `/v1/operator/…`.
    func addOperatorRoutes(_ accountService: AccountService, to routes: RouteTable) {
        addUserRoutes(accountService, to: routes)
        addUserTokenRoutes(accountService, to: routes)
        addInvitationRoutes(accountService, to: routes)
        routes.get(
            "/v1/operator/flags", .scope(.operator),
            Operation("listFlags", .accounts, "All feature flags by name.")
        ) { _ in
            WholeList(items: try await accountService.flags())
        }
        routes.put(
            "/v1/operator/flags", .scope(.operator),
            Operation("replaceFlags", .accounts, "Replaces all feature flags.", problems: [.notFound])
                .audited(.flagsReplace)
        ) { (changes: FlagChanges, context) in
            let (flags, actor) = (try AccountService.flags(changes), try context.actor)
            try await accountService.change { session in
                try session.setFlags(flags)
                let detail = ["flags": "\(flags.count)"]
                try session.audit(AuditChange(.flagsReplace, .flags, with: detail), by: actor)
            }
            return WholeList(items: try await accountService.flags())
        }
    }

    private func addUserRoutes(_ accountService: AccountService, to routes: RouteTable) {
        routes.get(
            "/v1/operator/users", .scope(.operator),
            Operation("listUsers", .accounts, "All accounts, oldest first."),
            query: [Self.userLimit, Self.lastUser, Self.userAddress]
        ) { context in
            if let email = try context.query[Self.userAddress] {
                let account = try await accountService.database.withSession { session in
                    try session.account(email: email)
                }
                return Page([account].compactMap { $0 }.map { AccountAnswer($0) })
            }
            let (limit, last) = (try context.query[Self.userLimit], try context.query[Self.lastUser])
            let accounts = try await accountService.database.withSession { session in
                try session.accounts(after: last, limit: limit + 1)
            }
            let page = accounts.prefix(limit)
            return Page(
                page.map { AccountAnswer($0) },
                next: accounts.count > limit ? page.last?.user.description : nil)
        }
        routes.post(
            "/v1/operator/users", .scope(.operator),
            Operation(
                "makeUser", .accounts, "Makes an account without a password, and a link that sets one."
            ).audited(.accountCreate), creates: true
        ) { (user: NewUser, context) in
            Created(try await accountService.makeUser(user, by: try context.actor))
        }
        routes.patch(
            "/v1/operator/users/{id}", .scope(.operator),
            Operation(
                "disableUser", .accounts, "Takes away all that an account allows, at once, or gives it back.",
                problems: [.conflict]
            ).audited(.accountDisable, .accountEnable)
        ) { (change: UserChange, context) in
            let (user, now) = (UserID(rawValue: try context.id()), accountService.clock())
            let actor = try context.actor
            let account = try await accountService.change { session in
                try session.setDisabled(change.isDisabled, user, at: now)
                let action: AuditAction = change.isDisabled ? .accountDisable : .accountEnable
                try session.audit(AuditChange(action, account: user), by: actor)
                return try session.account(user)
            }
            guard let account else { throw Problem.notFound("user \(user)") }
            return OK(UserAnswer(user: AccountAnswer(account)))
        }
        routes.post(
            "/v1/operator/users/{id}/reset", .scope(.operator),
            Operation(
                "resetUser", .accounts,
                "Makes a link that sets a new password once, within a day; the operator hands it over."
            ).audited(.passwordLink), creates: true
        ) { context in
            let (user, actor) = (UserID(rawValue: try context.id()), try context.actor)
            let link = try await accountService.change { session in
                guard try session.account(user) != nil else { throw Problem.notFound("user \(user)") }
                try session.audit(AuditChange(.passwordLink, account: user), by: actor)
                return try accountService.makeResetLink(for: user, in: session)
            }
            return OK(link)
        }
    }
}

extension AccountService {
    fileprivate func makeUser(_ new: NewUser, by actor: AuditActor) async throws -> NewUserBody {
        let now = clock()
        let account = StoredAccount(
            user: UserID(rawValue: newID(at: now)), email: try Self.email(new.email), passwordHash: nil,
            role: new.role, created: now)
        return try await change { session in
            try session.createAccount(account)
            try session.audit(
                AuditChange(.accountCreate, account: account.user, with: ["role": account.role.rawValue]),
                by: actor)
            let reset = try makeResetLink(for: account.user, in: session)
            return NewUserBody(reset: reset, user: AccountAnswer(account))
        }
    }

    fileprivate func flags() async throws -> [FlagBody] {
        try await database.withSession { session in try session.flags() }.map(FlagBody.init(flag:))
    }

    fileprivate static func flags(_ changes: FlagChanges) throws(Problem) -> [FeatureFlag] {
        guard changes.items.count <= 200, Set(changes.items.map(\.name)).count == changes.items.count else {
            throw .invalid("items", "\(changes.items.count) flags", accepted: "at most 200, each name once")
        }
        var flags: [FeatureFlag] = []
        for item in changes.items {
            do throws(FieldFault) {
                flags.append(
                    try FeatureFlag(
                        name: item.name, note: item.note, percentage: item.percentage,
                        users: item.users))
            } catch {
                throw Problem(inWordsOf: error)
            }
        }
        return flags
    }
}

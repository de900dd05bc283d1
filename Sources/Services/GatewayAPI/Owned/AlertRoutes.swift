import AccountStore
import Accounts
import AlertStore
import Alerting
import GatewayFrame
import Hummingbird
import Instruments
import Shapes
import Store

extension Gateway {
    private static let state = Parameter.choice("state", "Only those.", AlertState.self)
    private static let tag = Parameter.text("tag", "Only those with this tag.")
    private static let enabled = Parameter.flag("enabled", "Whether it is switched on.", default: true)
    private static let version = Parameter.integer(
        "version", "Only if this version is in force; 0 for any.", in: 0...Int.max, default: 0)
    private static let deleted = Parameter.flag("deleted", "Whether one that was deleted is told, too.")

    /// What a user may have.
    var limits: RuleLimits {
        let configuration = services.configuration
        let (seconds, attoseconds) = configuration.leastCooldown.components
        var limits = RuleLimits(
            enabled: configuration.rulesPerUser,
            leastCooldown: seconds * 1_000_000_000 + attoseconds / 1_000_000_000,
            channels: configuration.channelsPerRule)
        (limits.disabled, limits.tags) = (configuration.quotas.disabledRules, configuration.quotas.ruleTags)
        return limits
    }

    func addAlertRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/alerts", .scope(.alertsRead),
            Operation(
                "listAlerts", .alerts, "The rules of whoever asks, in the order in which they were made."),
            query: .page + [Self.state, Self.tag]
        ) { context in try await listAlerts(context) }
        routes.create(
            "/v1/alerts", .scope(.alertsWrite),
            Operation(
                "makeAlert", .alerts, "Makes a rule; the body is the form of an export.",
                """
                Levels and other decimals are strings; a bare number is taken too, by its digits as they are \
                written.
                """), query: [Self.enabled]
        ) { (body: NewRule, context) in
            let (now, isEnabled) = (services.clock(), try context.query[Self.enabled])
            var random = SystemRandomNumberGenerator()
            let rule = try body.rule(AlertRule.newID(at: now, using: &random))
            return try creationWithinQuota(context) { session, user in
                let rows = try session.addRules(
                    [rule], of: user, isEnabled: isEnabled, limits: limits, at: now)
                return Created(try Self.one(rows, at: now), at: "/v1/alerts/\(rule.id)")
            }
        }
        addOneAlertRoutes(to: routes)
        addSwitchRoutes(to: routes)
        addManyAlertRoutes(to: routes)
    }

    private func addOneAlertRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/alerts/{id}", .scope(.alertsRead), Operation("alert", .alerts, "One rule."),
            query: [Self.deleted]
        ) { context in
            let (rule, takesDeleted) = (try await alert(context), try context.query[Self.deleted])
            guard rule.deleted == nil || takesDeleted else { throw Problem.notFound("rule \(rule.id)") }
            return OK(RuleBody(rule, at: services.clock()))
        }
        routes.patch(
            "/v1/alerts/{id}", .scope(.alertsWrite),
            Operation(
                "changeAlert", .alerts, "Replaces fields of a rule; a field that is null goes.",
                problems: [.conflict, .preconditionFailed]), query: [Self.version]
        ) { (body: RuleChange, context) in
            let (id, version, now) = (try context.id(), try context.query[Self.version], services.clock())
            let rows = try await ownWithinQuota(context) { session, user in
                try session.editRules(
                    [id], of: user, expecting: version == 0 ? nil : Int64(version), limits: limits,
                    at: now
                ) { rule throws(FieldFault) in try body.applied(to: rule) }
            }
            return OK(try Self.one(rows, at: now))
        }
        routes.delete(
            "/v1/alerts/{id}", .scope(.alertsWrite),
            Operation("deleteAlert", .alerts, "Deletes a rule; its history stays.")
        ) { context in
            let (id, now) = (try context.id(), services.clock())
            _ = try await own(context) { try $0.deleteRules([id], of: $1, at: now) }
            return NoContent()
        }
    }

    private func addSwitchRoutes(to routes: RouteTable) {
        routes.post(
            "/v1/alerts/{id}/enable", .scope(.alertsWrite),
            Operation("enableAlert", .alerts, "Switches a rule on; it begins anew.", problems: [.conflict])
        ) { context in try await changed(.enable, context) }
        routes.post(
            "/v1/alerts/{id}/disable", .scope(.alertsWrite),
            Operation("disableAlert", .alerts, "Switches a rule off.")
        ) { context in try await changed(.disable, context) }
    }

    private func addManyAlertRoutes(to routes: RouteTable) {
        routes.create(
            "/v1/alerts/bulk", .scope(.alertsWrite),
            Operation(
                "changeAlerts", .alerts,
                "Edits rules, switches them on or off or deletes them, all of those named or none.",
                problems: [.notFound, .conflict, .preconditionFailed])
        ) { (body: RuleSelection, context) in
            let (keys, now) = (try body.keys(), services.clock())
            return try creationWithinQuota(context) { session, user in
                let rows = try change(keys, body.action, of: user, at: now, session)
                return Page(rows.map { RuleBody($0, at: now) })
            }
        }
        routes.get(
            "/v1/alerts/export", .scope(.alertsRead),
            Operation("exportAlerts", .alerts, "All rules in the form of import."), weight: 5,
            query: [Self.state]
        ) { context in
            let (state, now) = (try context.query[Self.state], services.clock())
            let rules = try await own(context) { try $0.rules(of: $1) }.filter { rule in
                state.map { $0.rawValue == rule.stateName(at: now) } ?? true
            }
            return OK(RuleExport(rules: rules.map { WrittenJSON(Array($0.rule.json.utf8)) }))
        }
        routes.create(
            "/v1/alerts/import", .scope(.alertsWrite),
            Operation("importAlerts", .alerts, "Makes rules, all of them or none."), weight: 20,
            takesFile: true
        ) { (body: RuleImport, context) in try importAlerts(body, context) }
    }

    private func listAlerts(_ context: GatewayContext) async throws -> Page<RuleBody> {
        let question = try context.page(of: "alerts")
        let place = try TimeCursor(question.after).map { (time: $0.time, id: $0.id) }
        let (tag, now) = (try context.query[Self.tag], services.clock())
        let state = try context.query[Self.state]?.rawValue
        var rows = try await own(context) { session, user in
            try session.rules(
                of: user, tag: tag, state: state, at: now, after: place, limit: question.limit + 1)
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        return Page(
            rows.map { RuleBody($0, at: now) },
            next: hasMore
                ? rows.last.map { Cursor.text("alerts", TimeCursor($0.created, $0.id).text) } : nil)
    }

    /// Makes all of the rules or none.
    private func importAlerts(
        _ body: RuleImport, _ context: GatewayContext
    ) throws -> Creation<Page<RuleBody>> {
        let (now, user) = (services.clock(), try context.who.user)
        var random = SystemRandomNumberGenerator()
        let ids = body.rules.map { _ in AlertRule.newID(at: now, using: &random) }.sorted()
        let rules = try body.read(ids)
        let limit = services.configuration.instrumentsPerUser
        return Creation(
            .standard.limited(to: user.rawValue), refusal: { try await problem(ofImport: $0) }
        ) { session in
            let quota = try InstrumentQuota(limit, of: user, in: session)
            let rows = try session.addRules(
                rules, of: user, isEnabled: body.isEnabled, isReturning: true, limits: limits, at: now)
            try quota.check(in: session)
            return Page(rows.map { RuleBody($0, at: now) })
        }
    }

    /// Which of several rules is part of what is wrong.
    private func problem(ofImport error: StoreError) async throws -> any Error {
        let told = try await problem(error)
        guard let refused = error.bodyError as? RuleRefused, var problem = told as? Problem else {
            return told
        }
        problem.field = "rules[\(refused.index)]" + (problem.field.map { ".\($0)" } ?? "")
        problem.detail = "rules[\(refused.index)]: \(problem.detail)"
        return problem
    }

    /// What the path's rule is after a change.
    private func changed(_ action: AlertAction, _ context: GatewayContext) async throws -> OK<RuleBody> {
        let (id, now) = (try context.id(), services.clock())
        let rows = try await ownWithinQuota(context) { try change([id], action, of: $1, at: now, $0) }
        return OK(try Self.one(rows, at: now))
    }

    private func change(
        _ keys: [UniqueID], _ action: AlertAction, of user: UserID, at now: Timestamp,
        _ session: borrowing Session
    ) throws -> [StoredRule] {
        switch action {
        case .enable: try session.setRules(keys, enabled: true, of: user, limits: limits, at: now)
        case .disable: try session.setRules(keys, enabled: false, of: user, limits: limits, at: now)
        case .delete: try session.deleteRules(keys, of: user, at: now)
        case .edit(let change, let version):
            try session.editRules(keys, of: user, expecting: version, limits: limits, at: now) {
                rule throws(FieldFault) in try change.applied(to: rule)
            }
        }
    }

    /// The rule that the path names, also a deleted one.
    ///
    /// - Throws: `not-found`.
    func alert(_ context: GatewayContext) async throws -> StoredRule {
        let id = try context.id()
        return try await own(context) { session, user in
            guard let rule = try session.rule(id, of: user) else {
                throw Problem.notFound("rule \(id)")
            }
            return rule
        }
    }

    /// What a change of one rule gives.
    private static func one(_ rows: [StoredRule], at now: Timestamp) throws(Problem) -> RuleBody {
        guard let row = rows.first else { throw Problem(.internal, "the store gives no rule") }
        return RuleBody(row, at: now)
    }
}

import AccountStore
import Accounts
import AlertStore
import Alerting
import Hummingbird
import Instruments
import JSON
import Store
import Venues

extension Gateway {
    /// What a user may have.
    private var limits: RuleLimits { RuleLimits(enabled: services.configuration.rulesPerUser) }

    func addAlertRoutes(to routes: RouteTable) {
        routes.get("/v1/alerts", .scope(.alertsRead), query: .page + ["state", "tag"]) { _, context in
            try await listAlerts(context)
        }
        routes.post("/v1/alerts", .scope(.alertsWrite), creates: true, query: ["enabled"]) { _, context in
            let now = services.clock()
            let isEnabled = try context.query.flag("enabled", default: true)
            var random = SystemRandomNumberGenerator()
            let id = AlertRule.newID(at: now, using: &random)
            let rule = try Self.rule(try Self.object(context), id: id).withKey(id)
            let rows = try await own(context) { session, user in
                try session.addRules([rule], of: user, isEnabled: isEnabled, limits: limits, at: now)
            }
            return OwnedAnswer.created(
                "/v1/alerts/\(rule.id)", rows.first.map { RuleJSON.line($0, at: now) } ?? [])
        }
        routes.get("/v1/alerts/{id}", .scope(.alertsRead)) { _, context in
            let rule = try await alert(context)
            guard rule.deleted == nil else { throw Problem.notFound("rule \(rule.id)") }
            return OwnedAnswer.json(RuleJSON.line(rule, at: services.clock()))
        }
        routes.patch("/v1/alerts/{id}", .scope(.alertsWrite), query: ["version"]) { _, context in
            let (id, patch, now) = (try context.id(), try Self.object(context), services.clock())
            let version = try context.query.integer("version", in: 0...Int.max, default: 0)
            let rows = try await own(context) { session, user in
                try session.editRules(
                    [id], of: user, expecting: version == 0 ? nil : Int64(version), limits: limits,
                    at: now
                ) { rule throws(FieldFault) in
                    try rule.merging(json: patch, marking: VenueCatalogue.standard.markPriceVenues)
                }
            }
            return OwnedAnswer.json(rows.first.map { RuleJSON.line($0, at: now) } ?? [])
        }
        routes.delete("/v1/alerts/{id}", .scope(.alertsWrite)) { _, context in
            let (id, now) = (try context.id(), services.clock())
            _ = try await own(context) { try $0.deleteRules([id], of: $1, at: now) }
            return .noContent
        }
        addManyAlertRoutes(to: routes)
    }

    private func addManyAlertRoutes(to routes: RouteTable) {
        for (path, isEnabled) in [("/v1/alerts/{id}/enable", true), ("/v1/alerts/{id}/disable", false)] {
            routes.post(path, .scope(.alertsWrite)) { _, context in
                let rows = try await change([try context.id()], isEnabled ? .enable : .disable, context)
                return OwnedAnswer.json(rows.first.map { RuleJSON.line($0, at: services.clock()) } ?? [])
            }
        }
        routes.post("/v1/alerts/bulk", .scope(.alertsWrite)) { _, context in
            struct Body: Decodable {
                var ids: [String]
                var action: String
            }
            let body = try context.json(Body.self)
            guard let action = AlertAction(rawValue: body.action) else {
                throw Problem.invalid("action", body.action, accepted: "enable, disable or delete")
            }
            guard (1...500).contains(body.ids.count) else {
                throw Problem.invalid("ids", "\(body.ids.count) ids", accepted: "1...500 ids")
            }
            var keys: [UniqueID] = []
            for text in body.ids {
                guard let key = UniqueID(text.lowercased()) else {
                    throw Problem.notFound("rule \(text.prefix(60))")
                }
                if !keys.contains(key) { keys.append(key) }
            }
            let (rows, now) = (try await change(keys, action, context), services.clock())
            return OwnedAnswer.page(rows.map { RuleJSON.line($0, at: now) }, next: nil)
        }
        routes.get("/v1/alerts/export", .scope(.alertsRead), weight: 5) { _, context in
            let rules = try await own(context) { try $0.rules(of: $1) }
            return OwnedAnswer.object { line in
                line.key("rules")
                line.beginArray()
                for rule in rules { line.raw(Array(rule.rule.json.utf8)) }
                line.endArray()
            }
        }
        routes.post("/v1/alerts/import", .scope(.alertsWrite), weight: 20, creates: true) { _, context in
            try await importAlerts(context)
        }
    }

    private func listAlerts(_ context: GatewayContext) async throws -> Response {
        let question = try context.page(of: "alerts")
        let place = try TimePlace(question.after).map { (time: $0.time, id: $0.id) }
        let (tag, now) = (try context.query.text("tag"), services.clock())
        let state = try context.query.choice("state", AlertState.self)?.rawValue
        var rows = try await own(context) { session, user in
            try session.rules(
                of: user, tag: tag, state: state, at: now, after: place, limit: question.limit + 1)
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        return OwnedAnswer.page(
            rows.map { RuleJSON.line($0, at: now) },
            next: hasMore
                ? rows.last.map { Cursor.text("alerts", TimePlace($0.created, $0.id).text) } : nil)
    }

    /// `{"rules": […], "enabled": true}`, all of them or none.
    private func importAlerts(_ context: GatewayContext) async throws -> Response {
        guard case .object(let members) = try JSONInput.read(Array(context.body.readableBytesView)) else {
            throw Problem.invalid("body", nil, accepted: "an object with \"rules\"")
        }
        if let unknown = members.keys.filter({ $0 != "rules" && $0 != "enabled" }).min() {
            throw Problem.invalid(
                unknown, members[unknown]?.shown, accepted: "no such field; known are enabled, rules")
        }
        guard case .array(let values)? = members["rules"], (1...1_000).contains(values.count) else {
            throw Problem.invalid("rules", members["rules"]?.shown, accepted: "an array of 1...1000 rules")
        }
        var isEnabled = true
        if let value = members["enabled"] {
            guard case .bool(let wanted) = value else {
                throw Problem.invalid("enabled", value.shown, accepted: "true or false")
            }
            isEnabled = wanted
        }
        let (now, wanted, user) = (services.clock(), isEnabled, try context.who.user)
        var random = SystemRandomNumberGenerator()
        let ids = values.map { _ in AlertRule.newID(at: now, using: &random) }.sorted()
        var rules: [AlertRule] = []
        for (index, value) in values.enumerated() {
            rules.append(
                try Self.rule(value.sortedBytes, id: ids[index], at: "rules[\(index)].").withKey(ids[index]))
        }
        let read = rules
        let rows: [StoredRule]
        do {
            rows = try await services.database.transaction(as: user) { session in
                try session.addRules(
                    read, of: user, isEnabled: wanted, isReturning: true, limits: limits, at: now)
            }
        } catch {
            // Which of them is part of what is wrong.
            guard let refused = error.bodyError as? RuleRefused,
                var problem = try await problem(error) as? Problem
            else { throw try await problem(error) }
            problem.field = "rules[\(refused.index)]" + (problem.field.map { ".\($0)" } ?? "")
            problem.detail = "rules[\(refused.index)]: \(problem.detail)"
            throw problem
        }
        return OwnedAnswer.page(rows.map { RuleJSON.line($0, at: now) }, next: nil)
    }

    private func change(
        _ keys: [UniqueID], _ action: AlertAction, _ context: GatewayContext
    ) async throws -> [StoredRule] {
        let now = services.clock()
        return try await own(context) { session, user in
            switch action {
            case .enable, .disable:
                try session.setRules(
                    keys, enabled: action == .enable, of: user, limits: limits, at: now)
            case .delete: try session.deleteRules(keys, of: user, at: now)
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

    /// The body, which is an object, as it was sent.
    private static func object(_ context: GatewayContext) throws(Problem) -> [UInt8] {
        let bytes = Array(context.body.readableBytesView)
        guard case .object = try JSONInput.read(bytes) else {
            throw .invalid("body", nil, accepted: "one object in the form of an export")
        }
        return bytes
    }

    private static func rule(
        _ bytes: [UInt8], id: RuleID, at place: String = ""
    ) throws(Problem) -> AlertRule {
        do {
            return try AlertRule(
                json: bytes, id: id, marking: VenueCatalogue.standard.markPriceVenues)
        } catch {
            var fault = error
            fault.field = place + fault.field
            throw Problem(fault)
        }
    }
}

/// What can be done to several rules at once.
enum AlertAction: String {
    case enable, disable, delete
}

/// What a rule can be.
enum AlertState: String, CaseIterable {
    case armed, disabled, done
}

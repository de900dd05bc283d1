import AccountStore
import Accounts
import AlertStore
import Hummingbird
import Instruments
import JSON
import Store

extension Gateway {
    func addAlertProbeRoutes(to routes: RouteTable) {
        routes.get("/v1/alerts/{id}/history", .scope(.alertsRead), query: .page) { _, context in
            let question = try context.page(of: "history")
            let place = try RuleEvent.Place(question.after)
            let rule = try await alert(context)
            var events = try await own(context) { session, user in
                try session.history(of: rule.id, by: user, limit: question.limit + 1, before: place)
            }
            let hasMore = events.count > question.limit
            if hasMore { events.removeLast() }
            return OwnedAnswer.page(
                events.map(RuleJSON.line),
                next: hasMore ? events.last.map { Cursor.text("history", RuleEvent.Place($0).text) } : nil)
        }
        routes.get("/v1/alerts/{id}/explain", .scope(.alertsRead), weight: 5) { _, context in
            let rule = try await alert(context)
            // What the evaluator of a shard knows is about many users' rules: it is read by the service, and
            // nothing of it leaves but what is about this rule.
            let known = try await services.database.withSession { try $0.evaluation(of: rule.shard) }
            let (last, told) = try await own(context) { session, user in
                guard let last = try session.lastFiring(of: rule.id, by: user) else {
                    return (LastFiring?.none, [DeliveryRow]())
                }
                return (last, try session.deliveries(ofFiring: last.epoch, of: rule.id, by: user))
            }
            let explanation = RuleExplanation(rule, known, last: last, told: told, at: services.clock())
            return OwnedAnswer.json(explanation.json)
        }
        routes.post("/v1/alerts/{id}/test-fire", .scope(.alertsWrite), creates: true) { _, context in
            let (rule, now) = (try await alert(context), services.clock())
            guard rule.deleted == nil else { throw Problem.notFound("rule \(rule.id)") }
            let epoch = try await own(context) { session, _ in try session.testFire(rule, at: now) }
            return OwnedAnswer.object(status: .accepted) { line in
                line.text("rule", rule.id.description)
                line.key("epoch")
                line.integer(epoch)
            }
        }
        routes.get("/v1/firings", .scope(.alertsRead), query: .page + ["rule", "kind"]) { _, context in
            try await listFirings(context)
        }
    }

    private func listFirings(_ context: GatewayContext) async throws -> Response {
        let question = try context.page(of: "firings")
        let place = try FiringPlace(cursor: question.after)
        let kind = try context.query.choice("kind", FiringKind.self)
        var rule: UniqueID?
        if let text = try context.query.text("rule") {
            guard let id = UniqueID(text.lowercased()) else {
                throw Problem.invalid("rule", text, accepted: "the id of a rule")
            }
            rule = id
        }
        let wanted = rule
        var rows = try await own(context) { session, user in
            try session.firings(
                of: user, rule: wanted, kind: kind, before: place, limit: question.limit + 1)
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        return OwnedAnswer.page(
            rows.map { firing in OwnedAnswer.item { FiringJSON.write(firing, to: &$0) } },
            next: hasMore ? rows.last.map { Cursor.text("firings", FiringPlace(of: $0).text) } : nil)
    }
}

extension FiringPlace {
    init(of firing: ToldFiring) {
        self.init(time: firing.fired, rule: firing.rule, epoch: firing.epoch)
    }

    /// - Throws: `invalid-field` for anything but ``text``.
    init?(cursor text: String?) throws(Problem) {
        guard let text else { return nil }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 3, let nanoseconds = Int64(parts[0]), let rule = UniqueID(parts[1]),
            let epoch = Int64(parts[2])
        else { throw .invalid("cursor", nil, accepted: "the \"next\" of a page of this list") }
        self.init(time: Timestamp(nanoseconds: nanoseconds), rule: rule, epoch: epoch)
    }

    /// As a cursor has it.
    var text: String { "\(time.nanoseconds) \(rule) \(epoch)" }
}

/// A firing as the members of an object.
enum FiringJSON {
    static func write(_ firing: ToldFiring, to line: inout JSONWriter) {
        line.text("rule", firing.rule.description)
        line.key("epoch")
        line.integer(firing.epoch)
        line.text("kind", firing.kind)
        line.key("version")
        line.integer(firing.version)
        line.pair("instrument", firing.instrument?.description)
        line.text("reason", firing.reason)
        line.pair("price", firing.price)
        line.pair("previous", firing.previous)
        line.pair("level", firing.level)
        line.pair("trade_id", firing.tradeID)
        line.text("venue_time", firing.venueTime.plain)
        line.text("fired", firing.fired.plain)
    }
}

extension RuleEvent.Place {
    fileprivate init(_ event: RuleEvent) {
        self.init(time: event.time, version: event.version, epoch: event.epoch ?? -1)
    }

    /// - Throws: `invalid-field` for anything but ``text``.
    fileprivate init?(_ text: String?) throws(Problem) {
        guard let text else { return nil }
        let parts = text.split(separator: " ").compactMap { Int64($0) }
        guard parts.count == 3 else {
            throw .invalid("cursor", nil, accepted: "the \"next\" of a page of this list")
        }
        self.init(time: Timestamp(nanoseconds: parts[0]), version: parts[1], epoch: parts[2])
    }

    /// As a cursor has it.
    fileprivate var text: String { "\(time.nanoseconds) \(version) \(epoch)" }
}

import AccountStore
import Accounts
import AlertStore
import GatewayFrame
import Hummingbird
import Instruments
import Shapes
import Store

/// A firing that was asked for.
private struct RuleTestBody: WireBody {
    static let shape = BodyShape<RuleTestBody>("RuleTest") {
        Field("rule", \.rule)
        Field("epoch", \.epoch, "Which firing of the rule it is.", example: 2)
    }

    var rule: UniqueID
    var epoch: Int64
}

/// What a rule told.
private struct FiringHistoryBody: WireBody {
    static let shape = BodyShape<FiringHistoryBody>("Firing") {
        Field("rule", \.firing.rule)
        Field("epoch", \.firing.epoch, "Which firing of the rule.", example: 1)
        Field("kind", \.firing.kind, as: .words(FiringKind.allCases.map(\.rawValue)))
        Field("version", \.firing.version, "The rule's that fired.", example: 1)
        Field(
            "instrument", \.firing.instrument, "Null for conditions that are not about one.",
            example: "kraken:BTC/USD")
        Field("reason", \.firing.reason, "Why, one sentence.", example: "last rose above 61000")
        Field(
            "price", \.firing.price, "The value that fired it.", as: .nullable(.decimal), example: "61000.5")
        Field("previous", \.firing.previous, "The value before.", as: .nullable(.decimal), example: "60999")
        Field("level", \.firing.level, "What was passed.", as: .nullable(.decimal), example: "61000")
        Field("trade_id", \.firing.tradeID, "The trade that fired it.", example: "7")
        Field(
            "venue_time", \.firing.venueTime.plain, "When it happened by the venue.", as: .time,
            example: "2026-11-21T12:00:00Z")
        Field(
            "fired", \.firing.fired.plain, "When it was stored.", as: .time,
            example: "2026-11-21T12:00:00.1Z")
    }

    var firing: DeliveredFiring
}

extension Gateway {
    private static let kind = Parameter.choice("kind", "Only those.", FiringKind.self)
    private static let rule = Parameter("rule", "Only of this rule.", .text("uuid")) {
        (query) throws(Problem) -> UniqueID? in
        guard let text = try query.text("rule") else { return nil }
        guard let id = UniqueID(text.lowercased()) else {
            throw .invalid("rule", text, accepted: "the id of a rule")
        }
        return id
    }

    func addAlertProbeRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/alerts/{id}/history", .scope(.alertsRead),
            Operation(
                "alertHistory", .alerts, "What happened to a rule, newest first; also to a deleted one."),
            query: .page
        ) { context in
            let question = try context.page(of: "history")
            let place = try RuleEvent.Cursor(question.after)
            let rule = try await alert(context)
            var events = try await own(context) { session, user in
                try session.history(of: rule.id, by: user, limit: question.limit + 1, before: place)
            }
            let hasMore = events.count > question.limit
            if hasMore { events.removeLast() }
            return Page(
                events,
                next: hasMore ? events.last.map { Cursor.text("history", RuleEvent.Cursor($0).text) } : nil)
        }
        routes.get(
            "/v1/alerts/{id}/explain", .scope(.alertsRead),
            Operation("explainAlert", .alerts, "Why a rule fired or did not."), weight: 5
        ) { context in
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
            return OK(RuleExplanation(rule, known, last: last, told: told, at: services.clock()))
        }
        routes.create(
            "/v1/alerts/{id}/test-fire", .scope(.alertsWrite),
            Operation("testFireAlert", .alerts, "Sends a notification as if the rule had fired.")
        ) { context in
            let (rule, now) = (try await alert(context), services.clock())
            guard rule.deleted == nil else { throw Problem.notFound("rule \(rule.id)") }
            return try creation(context) { session, _ in
                Accepted(RuleTestBody(rule: rule.id, epoch: try session.testFire(rule, at: now)))
            }
        }
        routes.get(
            "/v1/firings", .scope(.alertsRead),
            Operation("listFirings", .alerts, "What the rules told, newest first."),
            query: .page + [Self.rule, Self.kind]
        ) { context in try await listFirings(context) }
    }

    private func listFirings(_ context: GatewayContext) async throws -> Page<FiringHistoryBody> {
        let question = try context.page(of: "firings")
        let place = try FiringCursor(cursor: question.after)
        let (kind, rule) = (try context.query[Self.kind], try context.query[Self.rule])
        var rows = try await own(context) { session, user in
            try session.firings(
                of: user, rule: rule, kind: kind, before: place, limit: question.limit + 1)
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        return Page(
            rows.map(FiringHistoryBody.init(firing:)),
            next: hasMore ? rows.last.map { Cursor.text("firings", FiringCursor(of: $0).text) } : nil)
    }
}

extension FiringCursor {
    init(of firing: DeliveredFiring) {
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

extension RuleEvent.Cursor {
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

import AccountStore
import Accounts
import AlertStore
import GatewayFrame
import Hummingbird
import Instruments
import Shapes
import Store

/// Dead letters that are tried again together.
private struct DeadLetters: WireInput {
    static let shape = InputShape("DeadLetters", Self.init(channel:)) {
        InputField(
            "channel", .optional(.text), "Only of the channel of this name; all where it is missing.",
            example: "phone")
    }

    var channel: String?
}

/// What is tried again.
private struct Redelivery: WireBody {
    static let shape = BodyShape<Redelivery>("Redelivery") {
        Field("count", \.count, "How many deliveries.", example: 3)
    }

    var count: Int
}

extension Gateway {
    private static let state = Parameter.choice(
        "state",
        "Only those. Held: not told before quiet hours, or the hour in which too much was told, are over.",
        DeliveryState.self)
    private static let channel = Parameter.text("channel", "Only of the channel of this name.")

    func addDeliveryRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/deliveries", .scope(.alertsRead),
            Operation(
                "listDeliveries", .alerts,
                "What was told, what waits and what could not be told, newest first."),
            query: .page + [Self.state, Self.channel]
        ) { context in
            let question = try context.page(of: "deliveries")
            let place = try TimeCursor(question.after).map { (time: $0.time, id: $0.id) }
            let state = try context.query[Self.state]?.rawValue
            let channel = try context.query[Self.channel]
            var rows = try await own(context) { session, user in
                try session.deliveries(
                    of: user, state: state, channel: channel, limit: question.limit + 1, before: place)
            }
            let hasMore = rows.count > question.limit
            if hasMore { rows.removeLast() }
            return Page(
                rows,
                next: hasMore
                    ? rows.last.map { Cursor.text("deliveries", TimeCursor($0.created, $0.id).text) } : nil)
        }
        routes.get(
            "/v1/deliveries/{id}", .scope(.alertsRead), Operation("delivery", .alerts, "One delivery.")
        ) { context in OK(try await delivery(context)) }
        routes.post(
            "/v1/deliveries/{id}/redeliver", .scope(.alertsWrite),
            Operation(
                "redeliver", .alerts, "Tries a dead letter again from the first attempt on.",
                problems: [.conflict])
        ) { context in
            let row = try await delivery(context)
            let count = try await own(context) { try $0.retryDeliveries(of: $1, id: row.id) }
            guard count == 1 else {
                throw Problem(.conflict, "the delivery is \(row.stateName); accepted: one that is dead")
            }
            return Accepted(try await delivery(context))
        }
        routes.create(
            "/v1/deliveries/redeliver", .scope(.alertsWrite),
            Operation(
                "redeliverAll", .alerts, "Tries dead letters again from the first attempt on.",
                "What goes to a disabled channel waits until that is enabled.")
        ) { (body: DeadLetters, context) in
            try creation(context) { session, user in
                let count = try session.retryDeliveries(of: user, channel: body.channel)
                return Accepted(Redelivery(count: count))
            }
        }
    }

    private func delivery(_ context: GatewayContext) async throws -> DeliveryRow {
        let id = try context.id()
        return try await own(context) { session, user in
            guard let row = try session.delivery(id, of: user) else {
                throw Problem.notFound("delivery \(id)")
            }
            return row
        }
    }
}

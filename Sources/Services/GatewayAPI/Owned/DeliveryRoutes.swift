import AccountStore
import Accounts
import AlertStore
import Hummingbird
import Instruments
import JSON
import Store

extension Gateway {
    func addDeliveryRoutes(to routes: RouteTable) {
        routes.get("/v1/deliveries", .scope(.alertsRead), query: .page + ["state", "channel"]) { _, context in
            let question = try context.page(of: "deliveries")
            let place = try TimePlace(question.after).map { (time: $0.time, id: $0.id) }
            let state = try context.query.choice("state", DeliveryState.self)?.rawValue
            let channel = try context.query.text("channel")
            var rows = try await own(context) { session, user in
                try session.deliveries(
                    of: user, state: state, channel: channel, limit: question.limit + 1, before: place)
            }
            let hasMore = rows.count > question.limit
            if hasMore { rows.removeLast() }
            return OwnedAnswer.page(
                rows.map(DeliveryJSON.line),
                next: hasMore
                    ? rows.last.map { Cursor.text("deliveries", TimePlace($0.created, $0.id).text) } : nil)
        }
        routes.get("/v1/deliveries/{id}", .scope(.alertsRead)) { _, context in
            OwnedAnswer.json(DeliveryJSON.line(try await delivery(context)))
        }
        routes.post("/v1/deliveries/{id}/redeliver", .scope(.alertsWrite)) { _, context in
            let row = try await delivery(context)
            let count = try await own(context) { try $0.retryDeliveries(of: $1, id: row.id) }
            guard count == 1 else {
                throw Problem(.conflict, "the delivery is \(row.stateName); accepted: one that is dead")
            }
            return OwnedAnswer.json(DeliveryJSON.line(try await delivery(context)), status: .accepted)
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

/// What a delivery can be.
enum DeliveryState: String, CaseIterable {
    case waiting, held, delivered, gathered, dead
}

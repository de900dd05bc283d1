import Hummingbird
package import Operations
import Shapes

/// What the gateway says of itself on the public port: no more than whether.
private struct HealthAnswer: WireBody {
    static let shape = BodyShape<HealthAnswer>("Health") {
        Field("status", \.status, example: "live")
    }

    var status: String
}

/// `/health/live`, `/health/ready`, `/health/fresh`; reasons are on the operations port.
package struct HealthRoutes: Sendable {
    private let health: HealthRegistry

    package init(_ health: HealthRegistry) { self.health = health }

    package func add(to routes: RouteTable) {
        let health = health
        add(
            "/health/live", Operation("getHealthLive", .service, "Whether the process answers."), "live",
            to: routes
        ) { true }
        add(
            "/health/ready", Operation("getHealthReady", .service, "Whether it can do its work."), "ready",
            canFail: true, to: routes
        ) { health.report.isReady }
        add(
            "/health/fresh", Operation("getHealthFresh", .service, "Whether its data is of now."), "fresh",
            canFail: true, to: routes
        ) { health.report.isFresh }
    }

    /// 200 with a word where it is so, else 503 with "not" before it.
    private func add(
        _ path: String, _ operation: Operation, _ word: String, canFail: Bool = false, to routes: RouteTable,
        isSo: @escaping @Sendable () -> Bool
    ) {
        func answer(_ status: Int, _ text: String, _ word: String) -> AnswerDocument {
            AnswerDocument(
                status: status, text: text,
                content: ("application/json", HealthAnswer.schema, ["status": .text(word)]))
        }
        let answers = [answer(200, "Yes.", word)] + (canFail ? [answer(503, "No.", "not \(word)")] : [])
        // What probes put behind the question mark is nobody's business.
        routes.add(
            .get, path, RouteRules(access: .anonymous, query: nil),
            RouteDocument(operation: operation, answers: answers)
        ) { _, _ in
            let isSo = isSo()
            return .json(
                HealthAnswer(status: isSo ? word : "not \(word)").buffer,
                status: isSo ? .ok : .serviceUnavailable)
        }
    }
}

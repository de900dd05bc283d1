import JSON

/// Answers the few questions that an operator's tools ask; pure but for the registries that it reads.
struct OperationsResponder: Sendable {
    struct Answer: Sendable, Hashable {
        var status: Int
        var contentType: String
        var body: String
    }

    let service: String
    let instance: String
    let health: HealthRegistry
    let metrics: MetricsRegistry
    let process: ProcessMetrics

    /// The answer to a request for `path` (a query is ignored).
    func answer(method: String, path: String) -> Answer {
        guard method == "GET" || method == "HEAD" else {
            return Answer(status: 405, contentType: "text/plain", body: "only GET and HEAD\n")
        }
        switch path.prefix(while: { $0 != "?" }) {
        case "/metrics": return metricsPage
        case "/health/live": return json(isGood: true, status: "live", components: nil)
        case "/health/ready": return readiness
        case "/health/fresh": return freshness
        default:
            let known = "/metrics /health/live /health/ready /health/fresh"
            return Answer(status: 404, contentType: "text/plain", body: "not found; there is \(known)\n")
        }
    }

    private var metricsPage: Answer {
        var page = ExpositionPage()
        process.append(to: &page)
        return Answer(
            status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8",
            body: metrics.exposition() + page.text)
    }

    private var readiness: Answer {
        let report = health.report
        return json(
            isGood: report.isReady, status: report.isReady ? "ready" : "not ready",
            components: report.components.map { component in
                Row(
                    name: component.name, key: "ready", isGood: component.isReady,
                    reason: component.readyReason)
            })
    }

    private var freshness: Answer {
        let report = health.report
        let rows = report.components.map { component in
            let isFresh = component.isReady && component.isFresh != false
            let reason = component.isReady ? component.freshReason : component.readyReason
            return Row(name: component.name, key: "fresh", isGood: isFresh, reason: reason)
        }
        return json(
            isGood: report.isFresh, status: report.isFresh ? "fresh" : "not fresh", components: rows)
    }

    /// What is said of one component: whether it is what `key` says.
    private struct Row {
        var name: String
        var key: String
        var isGood: Bool
        var reason: String
    }

    private func json(isGood: Bool, status: String, components: [Row]?) -> Answer {
        var page = JSONWriter()
        page.object { page in
            page.text("status", status)
            page.text("service", service)
            page.text("instance", instance)
            if let components {
                page.list("components", components) { row, page in
                    page.text("name", row.name)
                    page.pair(row.key, row.isGood)
                    page.text("reason", row.reason)
                }
            }
        }
        page.endLine()
        return Answer(
            status: isGood ? 200 : 503, contentType: "application/json",
            body: String(decoding: page.bytes, as: UTF8.self))
    }
}

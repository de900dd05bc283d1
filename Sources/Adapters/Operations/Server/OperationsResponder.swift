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
        case "/health/live": return json(isGood: true, fields: [("status", "live")], components: nil)
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
            isGood: report.isReady, fields: [("status", report.isReady ? "ready" : "not ready")],
            components: report.components.map { component in
                [
                    "\"name\":\(JSONText.quoted(component.name))", "\"ready\":\(component.isReady)",
                    "\"reason\":\(JSONText.quoted(component.readyReason))",
                ]
            })
    }

    private var freshness: Answer {
        let report = health.report
        let rows = report.components.map { component in
            let isFresh = component.isReady && component.isFresh != false
            let reason = component.isReady ? component.freshReason : component.readyReason
            return [
                "\"name\":\(JSONText.quoted(component.name))", "\"fresh\":\(isFresh)",
                "\"reason\":\(JSONText.quoted(reason))",
            ]
        }
        return json(
            isGood: report.isFresh, fields: [("status", report.isFresh ? "fresh" : "not fresh")],
            components: rows)
    }

    private func json(isGood: Bool, fields: [(String, String)], components: [[String]]?) -> Answer {
        let named = fields + [("service", service), ("instance", instance)]
        var parts = named.map { "\"\($0.0)\":\(JSONText.quoted($0.1))" }
        if let components {
            let rows = components.map { "{\($0.joined(separator: ","))}" }
            parts.append("\"components\":[\(rows.joined(separator: ","))]")
        }
        return Answer(
            status: isGood ? 200 : 503, contentType: "application/json",
            body: "{\(parts.joined(separator: ","))}\n")
    }
}

/// Writes JSON strings.
enum JSONText {
    /// A string in quotes, escaped as RFC 8259 asks.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            default:
                if scalar.value < 0x20 {
                    let digits = String(scalar.value, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
                } else {
                    quoted.unicodeScalars.append(scalar)
                }
            }
        }
        return quoted + "\""
    }
}

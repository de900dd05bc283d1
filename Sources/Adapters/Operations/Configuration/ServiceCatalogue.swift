/// The names that more than one process must agree on: services, their ports, and variables of nobody's own.
package enum ServiceCatalogue {
    /// Every long-running process of the product; `up` is all of them in one.
    package static let names = [
        "up", "bus-broker", "feed-ingestor", "book-builder", "alert-evaluator", "portfolio-service",
        "notifier",
        "gateway", "venue-simulator", "backup",
    ]

    /// What every variable of ours begins with.
    static let variablePrefix = "BITPAL_"

    /// Variables that no service reads but that may be set where services run (the tests' recordings).
    static let foreignVariables: Set<String> = ["BITPAL_RECORDINGS"]

    /// Where a service's metrics and health are served unless configured; `nil` is any free port.
    static func operationsPort(of service: String) -> Int? {
        switch service {
        case "up": 7420
        case "bus-broker": 7421
        case "feed-ingestor": 7422
        case "book-builder": 7423
        case "venue-simulator": 7424
        case "alert-evaluator": 7425
        case "portfolio-service": 7426
        case "notifier": 7427
        case "gateway": 7428
        case "backup": 7429
        default: nil
        }
    }

    /// `BITPAL_FEED_INGESTOR_` for `feed-ingestor`.
    static func variablePrefix(of service: String) -> String {
        variablePrefix + service.uppercased().replacing("-", with: "_") + "_"
    }
}

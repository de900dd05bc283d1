/// Rules about docker-compose.yml: what a container may use, who asks for its metrics, and what it is told.
enum ContainerRules {
    static let all: [TidyRule] = [limits, publishedMetrics, metricsClients, diskRoom, builtCommit]

    /// Where metrics and health are, of every service.
    static let operationsPorts = 7_420...7_429

    static let limits = rule(
        "container-limits",
        because: """
            What leaks or spins ends alone, and not with the machine: each service says how much memory, how \
            many processes and how much of the processors it may have.
            """
    ) { service in
        ["mem_limit", "pids_limit", "cpus"].filter { !service.has($0) }
            .map { "\(service.name) has no \($0)" }
    }

    static let publishedMetrics = rule(
        "published-metrics",
        because: "Metrics and health are for Prometheus in its own network: their ports stay off the host."
    ) { service in
        service.published.filter { port in
            let inside = port.split(separator: ":").last ?? ""
            let ends = inside.prefix { $0 != "/" }.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return false }
            return operationsPorts.overlaps(first...last)
        }.map { "\(service.name) publishes \($0)" }
    }

    static let metricsClients = rule(
        "metrics-clients",
        because: """
            Whoever shares a network with a service reaches its port: one that listens beyond its container \
            names who may ask for metrics.
            """
    ) { service in
        let address = Pattern(#"_OPERATIONS_ADDRESS: *(?!["']?(?:127\.|localhost))\S"#)
        guard address.isFound(in: service.text), !service.has("BITPAL_OPERATIONS_CLIENTS") else { return [] }
        return ["\(service.name) answers everybody"]
    }

    static let diskRoom = rule(
        "container-room",
        because: """
            A database on a full disk stops for everybody: who fills it looks at the disk itself, so that \
            the volume of its files is mounted there, read-only, and is what the setting names.
            """
    ) { service in
        guard guardians.contains(service.name) else { return [] }
        let directory = Pattern(#"^ +BITPAL_DATABASE_DIRECTORY: *(\S+)"#).matches(in: service.text).first
        guard let path = directory?.groups[0] else { return ["\(service.name) watches no disk"] }
        return service.text.contains("\"database:\(path):ro\"")
            ? [] : ["\(service.name) has no volume \"database:\(path):ro\""]
    }

    static let builtCommit = rule(
        "container-commit",
        because: "`--version` in a container names the commit: each image that is built here gets it."
    ) { service in
        let isGiven = service.text.contains("COMMIT: \"${COMMIT:-}\"")
        guard service.has("build"), !isGiven else { return [] }
        return ["\(service.name) is built without COMMIT"]
    }

    /// Those with a `DiskRoom`.
    private static let guardians: Set = ["feed-ingestor", "alert-evaluator", "book-builder"]

    private static func rule(
        _ name: String, because reason: String, _ faults: @escaping @Sendable (ComposedService) -> [String]
    ) -> TidyRule {
        TidyRule(name: name, reason: reason) { tree in
            tree.files.filter { $0.fileName == "docker-compose.yml" }.flatMap { file in
                ComposedService.all(in: file.text).flatMap { service in
                    faults(service).map { Violation(file.path, line: service.line, $0) }
                }
            }
        }
    }
}

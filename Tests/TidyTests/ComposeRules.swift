/// Rules about docker-compose.yml: what every container lacks, and whom each service is to the database.
enum ComposeRules {
    static let all: [TidyRule] = [leastContainer, ownRole, ownNetwork]

    static let leastContainer = TidyRule(
        name: "least-container",
        reason: """
            Who breaks into a service finds a container that writes nowhere, has no capability, gains no \
            right and is not root: every service takes `*service`, nothing gives back what that takes away, \
            and an image of others says which user it runs as.
            """
    ) { tree in
        tree.files.filter { $0.path == "docker-compose.yml" }.flatMap { file in
            let compose = ComposeText(file.text)
            let anchor = compose.blocks.first { $0.name == "x-service" }
            let missing = kept.filter { line in anchor?.lines.contains { $0 == line } != true }
            return missing.map { Violation(file.path, "x-service lacks `\($0)`") }
                + compose.services.flatMap { service in
                    faults(of: service).map {
                        Violation(file.path, line: service.line, "\(service.name) \($0)")
                    }
                }
        } + rootImages(tree)
    }

    static let ownRole = TidyRule(
        name: "container-role",
        reason: """
            Each service signs in to the database as itself, by the URL that make-secrets.sh wrote for it: \
            only what makes whole databases, and the operator, have the one that may do everything.
            """
    ) { tree in
        tree.files.filter { $0.path == "docker-compose.yml" }.flatMap { file in
            let compose = ComposeText(file.text)
            let secrets = compose.blocks.first { $0.name == "secrets" }?.lines ?? []
            return compose.services.filter { !keepers.contains($0.name) }.flatMap { service -> [Violation] in
                guard service.isIn(["*shared", "BITPAL_DATABASE_URL_FILE"]) else { return [] }
                let role = others[service.name] ?? service.name
                let secret = "database_" + role.replacing("-", with: "_")
                var faults: [String] = []
                if !service.isIn(["{ source: \(secret), target: database_url }"]) {
                    faults.append("is not given \(secret) as its database_url")
                }
                if service.lines.contains(where: { $0.contains(/(^- |\[|, )database_url\b/) }) {
                    faults.append("is given the URL that may do everything")
                }
                if !secrets.contains("file: ./secrets/database/\(role).url") {
                    faults.append("has no secret with a file ./secrets/database/\(role).url")
                }
                return faults.map { Violation(file.path, line: service.line, "\(service.name) \($0)") }
            }
        }
    }

    static let ownNetwork = TidyRule(
        name: "container-network",
        reason: """
            Something else on the machine may have the addresses that docker-compose.yml gives: each stands \
            there as the default of a variable.
            """
    ) { tree in
        tree.files.filter { $0.path == "docker-compose.yml" }.flatMap { file in
            file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
                .flatMap { offset, line in
                    line.matches(of: /(:-)?172\.\d+\.\d+/).filter { $0.1 == nil }.map {
                        Violation(file.path, line: offset + 1, "\($0.0) is fixed")
                    }
                }
        }
    }

    /// Those that make whole databases; nobody reaches them from a network.
    private static let keepers = ["migrate", "bitpal"]

    /// Those that sign in as somebody else: who backs up reads everything.
    private static let others = ["backup": "migrate"]

    private static let kept = [
        "read_only: true", "cap_drop: [ALL]", "security_opt: [\"no-new-privileges:true\"]",
    ]

    private static func faults(of service: ComposeText.Block) -> [String] {
        var faults: [String] = []
        if !service.lines.contains("<<: *service") { faults.append("does not take *service") }
        let given = [
            "read_only:", "cap_add:", "cap_drop:", "security_opt:", "privileged:", "network_mode:", "pid:",
        ]
        faults += service.lines.filter { line in
            // Another service's network is no more than that one has.
            given.contains { line.hasPrefix($0) } && !line.hasPrefix("network_mode: \"service:")
        }.map { "has `\($0)`" }
        if service.lines.contains(where: { $0.contains(/^user: ["']?(root|0)\b/) }) {
            faults.append("is root")
        }
        let isOurs = service.lines.contains { $0.hasPrefix("build:") }
        if !isOurs, !service.lines.contains(where: { $0.hasPrefix("user:") }) {
            faults.append("does not say which user it is")
        }
        return faults
    }

    /// The last user of our own image.
    private static func rootImages(_ tree: SourceTree) -> [Violation] {
        tree.files.filter { $0.path == "Dockerfile" }.compactMap { file in
            let user = file.text.matches(of: /(?m)^USER +(\S+)/).last?.1
            let isRoot = user == nil || user == "root" || user?.hasPrefix("0") == true
            return isRoot ? Violation(file.path, "its last USER is \(user ?? "missing"), and so root") : nil
        }
    }
}

/// The blocks of a docker-compose.yml by their names, as this tree writes it.
struct ComposeText {
    struct Block {
        var name: String
        /// From 1.
        var line: Int
        /// Without indentation and comments.
        var lines: [String] = []

        func isIn(_ texts: [String]) -> Bool {
            lines.contains { line in texts.contains { line.contains($0) } }
        }
    }

    /// Those at the beginning of a line.
    private(set) var blocks: [Block] = []
    /// Those of `services`.
    private(set) var services: [Block] = []

    init(_ text: String) {
        for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.drop { $0 == " " }
            guard !words.isEmpty, !words.hasPrefix("#") else { continue }
            let indentation = line.count - words.count
            let name = String(words.prefix { $0 != ":" })
            if indentation == 0 {
                blocks.append(Block(name: name, line: offset + 1))
            } else if indentation == 2, blocks.last?.name == "services" {
                services.append(Block(name: name, line: offset + 1))
            } else {
                if blocks.last?.name == "services", !services.isEmpty {
                    services[services.count - 1].lines.append(String(words))
                }
            }
            if indentation > 0, !blocks.isEmpty { blocks[blocks.count - 1].lines.append(String(words)) }
        }
    }
}

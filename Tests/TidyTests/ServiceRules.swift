import Foundation

/// Rules about `services/`, what deploys each service.
enum ServiceRules {
    static let all: [TidyRule] = [configurationKeys, readme]

    static let headings = [
        "Purpose", "Consumes", "Publishes", "Configuration", "Metrics", "When it fails",
    ]
    static let readmeLimit = 60

    static let configurationKeys = TidyRule(
        name: "configuration-key",
        reason: "A key that no code reads is a promise that nobody keeps."
    ) { tree in
        let sources = tree.swiftFiles.filter { $0.isIn("Sources") }.map(\.text).joined(separator: "\n")
        return tree.folders(in: "services").flatMap { service -> [Violation] in
            let path = "services/\(service)/config.json"
            guard let file = tree.file(path) else { return [Violation(path, "missing")] }
            guard let keys = keys(of: file.text) else { return [Violation(file.path, "not a JSON object")] }
            return keys.filter { !isDeclared($0, in: sources) }
                .map { Violation(file.path, "no source declares the key \($0)") }
        }
    }

    static let readme = TidyRule(
        name: "service-readme",
        reason: "Who runs a service finds the same six headings in each, on a page of \(readmeLimit) lines."
    ) { tree in
        tree.folders(in: "services").flatMap { service -> [Violation] in
            let path = "services/\(service)/README.md"
            guard let file = tree.file(path) else { return [Violation(path, "missing")] }
            let found = file.lines.filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
            var violations: [Violation] = []
            if found != headings {
                violations.append(Violation(path, "its headings are \(found), not \(headings)"))
            }
            if file.lineCount > readmeLimit {
                violations.append(Violation(path, "\(file.lineCount) lines"))
            }
            return violations
        }
    }

    /// The dotted paths of all values of a JSON object; `nil` for anything else.
    static func keys(of json: String) -> [String]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) else { return nil }
        return (object as? [String: Any]).map { paths(of: $0).sorted() }
    }

    private static func paths(of object: [String: Any]) -> [String] {
        object.flatMap { key, value in
            guard let inner = value as? [String: Any] else { return [key] }
            return paths(of: inner).map { "\(key).\($0)" }
        }
    }

    /// Whether the sources name the key whole, or in parts as a scope and what is in it.
    static func isDeclared(_ key: String, in sources: String) -> Bool {
        if sources.contains("\"\(key)\"") { return true }
        let parts = key.split(separator: ".")
        return (1..<max(parts.count, 1)).contains { length in
            sources.contains("\"\(parts[..<length].joined(separator: "."))\"")
                && isDeclared(parts[length...].joined(separator: "."), in: sources)
        }
    }
}

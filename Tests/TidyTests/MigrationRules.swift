import Foundation

/// Rules about the steps of the database's schemas.
enum MigrationRules {
    static let all: [TidyRule] = [contraction]

    static let contraction = TidyRule(
        name: "migration-contraction",
        reason: """
            Services of version N run on the schema of version N + 1. What a step takes away, renames or \
            begins to demand, no program of the newest landed release may need: expand now and contract once \
            that has landed, and let the step say `readableFrom`, a version of Tests/Releases/landed.json.
            """
    ) { tree in
        tree.swiftFiles.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
            let steps = MigrationText.steps(in: file)
            guard !steps.isEmpty, let schemas = LandedVersions.newest else { return [] }
            guard let schema = schema(of: file, in: tree) else {
                return [Violation(file.path, "no Migrator(schema:) in its folder")]
            }
            let landed = schemas[schema] ?? 0
            return steps.filter { $0.version > landed }.compactMap { step in
                step.fault(landed: landed).map { Violation(file.path, line: step.line, $0) }
            }
        }
    }

    /// The schema whose migrator stands in the file's folder; a planted file stands in one of the package.
    private static func schema(of file: SourceText, in tree: SourceTree) -> String? {
        let migrator = Pattern(#"Migrator\(\s*schema: "(\w+)""#)
        let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
        return (tree.swiftFiles + SourceTree.package.swiftFiles).lazy
            .filter { $0.path.hasPrefix(folder + "/") }
            .compactMap { migrator.matches(in: $0.text).first?.groups.first }.first
    }
}

/// What has landed, see `Tests/Releases`.
enum LandedVersions {
    private struct File: Decodable {
        struct Release: Decodable {
            var schemas: [String: Int]
        }

        var releases: [Release]
    }

    /// The highest step of each schema in the newest release; `nil` where the file cannot be read.
    static let newest: [String: Int]? = {
        let text = SourceTree.package.file("Tests/Releases/landed.json")?.text
        return text.flatMap { try? JSONDecoder().decode(File.self, from: Data($0.utf8)) }?.releases.last?
            .schemas
    }()
}

import Foundation

/// What landed: how far its schemas went, and what its programs ask of them.
///
/// A program of before cannot be run here, but what it would say to the server can: its statements are kept
/// beside this file as they were. `make landed NAME=…` adds the tree as it is.
struct LandedRelease: Codable, Sendable {
    /// A statement, and the source that had it.
    struct Statement: Sendable, Hashable, CustomStringConvertible {
        var path: String
        var text: String

        var description: String { "\(path): \(text)" }
    }

    private struct List: Codable {
        var releases: [LandedRelease]
    }

    var name: String
    /// The highest step by schema.
    var schemas: [String: Int]

    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appending(path: "Tests/Releases")
    private static let list = folder.appending(path: "landed.json")
    private static let head = """
        # What programs of one release ask the server, in the order of their sources. `make landed` wrote \
        it; nobody edits it.
        """

    /// All of them, the newest last.
    static func all() throws -> [LandedRelease] {
        try JSONDecoder().decode(List.self, from: Data(contentsOf: list)).releases
    }

    /// What its programs ask; those first that make temporary tables.
    func statements() throws -> [Statement] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.components(separatedBy: "\n@ ").dropFirst().map { entry in
            let parts = entry.split(separator: "\n", maxSplits: 1)
            return Statement(path: String(parts[0]), text: parts.count > 1 ? String(parts[1]) : "")
        }
    }

    private var file: URL { Self.folder.appending(path: name + ".sql") }

    /// Keeps this release in the tree, in place of one of its name.
    func write(_ queries: TreeQueries, without others: [String]) throws {
        let found = queries.found.filter { query in !others.contains { "\(query)".contains($0) } }
            .sorted { ($0.path, $0.line) < ($1.path, $1.line) }
        let entries =
            queries.temporaryTables.map { ("temporary", $0) } + found.map { ($0.path, $0.text) }
        let lines = entries.map { "@ \($0.0)\n\(Self.plain($0.1))\n" }
        try (Self.head + "\n" + lines.joined()).write(to: file, atomically: true, encoding: .utf8)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let releases = try Self.all().filter { $0.name != name } + [self]
        try encoder.encode(List(releases: releases)).write(to: Self.list)
    }

    /// The lines without their common margin.
    private static func plain(_ text: String) -> String {
        let lines = text.split(separator: "\n").map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return line
        }.filter { !$0.isEmpty }
        let margin = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(margin) }.joined(separator: "\n")
    }
}

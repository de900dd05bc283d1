import Foundation

/// A step of a schema as it stands in the source.
struct MigrationText {
    /// Where it is declared.
    let line: Int
    let version: Int
    /// The oldest version that it says can work on its result.
    let readableFrom: Int?
    /// What it runs, without comments and with single spaces.
    let sql: String

    static func steps(in file: SourceText) -> [MigrationText] {
        let beginnings = Pattern(#"\benum M(\d{4})_\w+: Migration\b"#).matches(in: file.code)
        let lines = file.lines.map(String.init)
        let comments = file.comments.split(separator: "\n", omittingEmptySubsequences: false)
        return beginnings.enumerated().map { place, match in
            let end = place + 1 < beginnings.count ? beginnings[place + 1].line - 1 : lines.count
            let own = (match.line - 1..<end).filter { comments[$0].allSatisfy(\.isWhitespace) }
                .map { lines[$0] }
            let said = Pattern(#"\breadableFrom: Int\? = (\d+)"#).matches(in: own.joined(separator: "\n"))
            return MigrationText(
                line: match.line, version: Int(match.groups[0]) ?? 0,
                readableFrom: said.first.flatMap { Int($0.groups[0]) }, sql: Self.plain(own))
        }
    }

    private static func plain(_ lines: [String]) -> String {
        lines.map { $0.replacing(/--.*$/, with: "") }.joined(separator: " ").replacing(/\s+/, with: " ")
    }

    /// What programs of before may still need, by the word that takes it.
    private static let contracting = [
        #"\bDROP\b"#, #"\bRENAME\b"#, #"\bREVOKE\b(?![^;]*\bFROM PUBLIC\b)"#,
        #"\bALTER (COLUMN )?"?\w+"? (SET DATA )?TYPE\b"#,
    ].map { Pattern("(?i)" + $0) }

    private static let demanded = Pattern(#"(?i)\bALTER (?:COLUMN )?"?(\w+)"? SET NOT NULL\b"#)
    /// A new column up to its end; brackets in brackets may hold commas.
    private static let added = Pattern(
        #"(?i)\bADD (?:COLUMN )(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[^(),;])*"#)

    private var contractions: [String] {
        // Some words more, so that a person finds the place.
        var found = Self.contracting.flatMap { pattern in
            pattern.matches(in: sql).map { $0.text + sql[$0.end...].prefix(32) }
        }
        for match in Self.demanded.matches(in: sql) {
            let given = Pattern(#"(?i)\bALTER (COLUMN )?"?\#(match.groups[0])"? SET DEFAULT\b"#)
            if !given.isFound(in: sql) { found.append(match.text) }
        }
        let (required, given) = (
            Pattern(#"(?i)\bNOT NULL\b"#), Pattern(#"(?i)\b(DEFAULT|GENERATED|SERIAL|BIGSERIAL)\b"#)
        )
        found += Self.added.matches(in: sql).map(\.text)
            .filter { required.isFound(in: $0) && !given.isFound(in: $0) }
        return found
    }

    /// What is wrong with the step as one that comes after a landed version of its schema.
    func fault(landed: Int) -> String? {
        if let readableFrom {
            guard readableFrom > landed else { return nil }
            return "readable from version \(readableFrom) on, and \(landed) is the newest that has landed"
        }
        let found = contractions
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }
}

/// Rules about venues.
enum VenueRules {
    static let all: [TidyRule] = [venueName]

    private static let folder = "Sources/Adapters/Venues"
    private static let dialects = "Sources/Services/VenueSimulation/Dialects"

    /// The folders of venues: those that hold a file of their own name.
    private static let names = SourceTree.package.folders(in: folder).filter { name in
        SourceTree.package.file("\(folder)/\(name)/\(name).swift") != nil
    }

    static let venueName = TidyRule(
        name: "venue-name",
        reason: """
            A venue is one folder and one line of a catalogue. Code that asks for one by name is a place \
            that the next one has to find: give the description a property, and ask for that.
            """
    ) { tree in
        let identifier = Pattern(#"(?i)\w*(?:"# + names.joined(separator: "|") + #")\w*"#)
        // A literal that is a name and nothing else; neither quoted inside of another nor a value in JSON.
        let literal = Pattern(
            #"(?<!\\)(?<!":)(?<!": )"(?:"# + names.map { $0.lowercased() }.joined(separator: "|")
                + #")(?:-\w+|[A-Z]\w*)?""#)
        return tree.swiftFiles.filter { $0.isIn("Sources") && !mayName($0) }.flatMap { file in
            let comments = file.comments.split(separator: "\n", omittingEmptySubsequences: false)
            let literals = literal.matches(in: file.text).filter { match in
                !comments[match.line - 1].contains(match.text)
            }
            return (identifier.matches(in: file.code) + literals).map { match in
                Violation(file.path, line: match.line, "`\(match.text)`")
            }
        }
    }

    /// Where a venue's name belongs: its folders, the catalogues, and what other companies give, files or
    /// prices, which are no venues even where a name has a venue's in it.
    private static func mayName(_ file: SourceText) -> Bool {
        file.path == "\(folder)/VenueCatalogue.swift" || file.path == "\(dialects)/DialectCatalogue.swift"
            || file.isIn("Sources/Adapters/ForeignLedgers") || file.isIn("Sources/Adapters/Providers")
            || file.path == "Sources/Adapters/LedgerFiles/Own/LedgerFormat.swift"
            || names.contains { file.isIn("\(folder)/\($0)") || file.isIn("\(dialects)/\($0)") }
    }
}

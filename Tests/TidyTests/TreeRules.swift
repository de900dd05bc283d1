import Foundation

/// Rules about files and folders.
enum TreeRules {
    static let all: [TidyRule] = [
        ownerlessTask, fileLength, lineLength, folderName, machinePath, emptyTests, placeholder, brokenLink,
        strictScript, floors, terminalDoor,
    ]

    /// Lines in a file: past the first number it needs a reason, past the second it is refused.
    static let lineLimits = (reason: 300, refused: 500)
    static let columnLimit = 110

    static let ownerlessTask = TidyRule(
        name: "todo-owner",
        reason: "A task without an owner is never done: write `TODO(name or #issue): what`, or do it."
    ) { tree in
        let mark = Pattern(#"\b(TODO(?!\(\S+\): \S)|FIXME|XXX|HACK)\b.*"#)
        return tree.files.filter { !$0.path.hasSuffix(".json") && !$0.isGenerated }.flatMap { file in
            mark.matches(in: file.comments).map { Violation(file.path, line: $0.line, $0.text) }
        }
    }

    static let fileLength = TidyRule(
        name: "file-length",
        reason: "A file is read in one sitting: split it by what its parts decide."
    ) { tree in
        tree.swiftFiles.filter { !$0.isGenerated && $0.lineCount > lineLimits.refused }
            .map { Violation($0.path, "\($0.lineCount) lines, at most \(lineLimits.refused)") }
    }

    static let lineLength = TidyRule(
        name: "line-length",
        reason: "\(columnLimit) columns fit two files side by side."
    ) { tree in
        tree.swiftFiles.filter { !$0.isGenerated }.flatMap { file in
            // A text of the wire is not broken up: what a literal makes long is left alone.
            file.lines.enumerated()
                .filter { $0.element.count > columnLimit && !$0.element.contains("\"") }
                .map { Violation(file.path, line: $0.offset + 1, "\($0.element.count) columns") }
        }
    }

    static let folderName = TidyRule(
        name: "folder-name",
        reason: "Folders are named by concern. A folder by kind or age gathers what nobody placed."
    ) { tree in
        let refused: Set<String> = [
            "Common", "Extensions", "Helpers", "Legacy", "Managers", "Misc", "Models", "New", "Old",
            "Protocols", "Types", "Util", "Utilities", "Utils",
        ]
        let folders = tree.swiftFiles.flatMap { file in
            let parts = file.path.split(separator: "/").dropLast()
            return parts.indices.filter { refused.contains(String(parts[$0])) }
                .map { parts[...$0].joined(separator: "/") }
        }
        return Set(folders).sorted().map { Violation($0, "a folder of this name") }
    }

    static let machinePath = TidyRule(
        name: "machine-path",
        reason: "The tree works anywhere: a path of one machine does not belong into it."
    ) { tree in
        let path = Pattern(#"(?<![\w.])/(work|root/\w+|home/\w+|Users/\w+|opt/swift|tmp/bp)\b[^\s"'`]*"#)
        return tree.files.flatMap { file in
            path.matches(in: file.text).map { Violation(file.path, line: $0.line, $0.text) }
        }
    }

    static let emptyTests = TidyRule(
        name: "tests-in-target",
        reason: "A test target without a test says that something is tested and is not."
    ) { tree in
        let test = Pattern(#"@Test\b"#)
        return tree.folders(in: "Tests").filter { $0.hasSuffix("Tests") }
            .filter { target in
                !tree.swiftFiles.contains { $0.isIn("Tests/\(target)") && test.isFound(in: $0.code) }
            }
            .map { Violation("Tests/\($0)", "no @Test") }
    }

    static let placeholder = TidyRule(
        name: "placeholder",
        reason: "A file that only holds a place hides that its target is empty."
    ) { tree in
        tree.files.filter { $0.fileName.hasPrefix("Placeholder.") }
            .map { Violation($0.path, "a placeholder") }
    }

    static let brokenLink = TidyRule(
        name: "broken-link",
        reason: "A reader who follows a link finds what it names."
    ) { tree in
        let link = Pattern(#"\]\((?!https?:|mailto:|#)[^)\s]+"#)
        return tree.files.filter { $0.path.hasSuffix(".md") }.flatMap { file in
            link.matches(in: file.text).compactMap { match in
                let target = match.text.dropFirst(2).prefix { $0 != "#" }
                let folder = file.path.split(separator: "/").dropLast().joined(separator: "/")
                let url = SourceTree.packageRoot.appending(path: folder).appending(path: String(target))
                let isThere = FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
                return isThere ? nil : Violation(file.path, line: match.line, "\(target) is not there")
            }
        }
    }

    /// The folders of `Sources`, bottom up.
    static let floorNames = ["Domain", "Wire", "Adapters", "Stores", "Services", "Programs"]

    /// One service of three modules, bottom up; each may import those below it.
    static let gatewayModules = ["GatewayFrame", "GatewayStream", "GatewayAPI"]

    private static let floorsByModule = Dictionary(
        SourceTree.package.files.compactMap { file in
            file.module.flatMap { module in file.floor.map { (module, $0) } }
        }, uniquingKeysWith: { $1 })

    static let floors = TidyRule(
        name: "floors",
        reason: """
            What lies below knows nothing of what stands on it: a target imports lower floors and its own, \
            of Services none imports another, but that of \(gatewayModules.joined(separator: ", ")) each may \
            import those before it, and each stands on a floor: \(floorNames.joined(separator: ", ")).
            """
    ) { tree in
        let importing = Pattern(#"^[ \t]*(@\w+ )?(\w+ )?import \w+"#)
        return tree.swiftFiles.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
            guard let floor = file.floor.flatMap({ floorNames.firstIndex(of: $0) }) else {
                return [Violation(file.path, "on no floor")]
            }
            return importing.matches(in: file.code).compactMap { match in
                let module = String(match.text.split(separator: " ").last ?? "")
                guard let imported = floorsByModule[module], module != file.module else { return nil }
                let isLower = floorNames.firstIndex(of: imported).map { $0 < floor } ?? false
                let isBeside = imported == file.floor && imported != "Services"
                let place = gatewayModules.firstIndex { $0 == file.module } ?? 0
                let isAllowed = isLower || isBeside || gatewayModules[..<place].contains(module)
                return isAllowed ? nil : Violation(file.path, line: match.line, match.text)
            }
        }
    }

    static let terminalDoor = TidyRule(
        name: "terminal-door",
        reason: """
            The terminal enters by the same door as people: a command asks the gateway for what somebody \
            owns, so that one place decides who may do what.
            """
    ) { tree in
        let importing = Pattern(#"^[ \t]*(@\w+ )?(\w+ )?import (\w+ )?(AlertStore|PortfolioStore)\b"#)
        return tree.swiftFiles.filter { $0.module == "OperatorCommands" }.flatMap { file in
            importing.matches(in: file.code).map { Violation(file.path, line: $0.line, $0.text) }
        }
    }

    static let strictScript = TidyRule(
        name: "strict-script",
        reason: "A script that goes on after an error does damage: `set -euo pipefail` near its top."
    ) { tree in
        tree.files
            .filter { $0.text.hasPrefix("#!") && $0.lines[0].hasSuffix("bash") }
            .filter { !$0.text.contains("\nset -euo pipefail\n") }
            .map { Violation($0.path, line: 1, "no `set -euo pipefail`") }
    }
}

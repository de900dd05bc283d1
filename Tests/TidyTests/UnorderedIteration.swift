/// Finds where a type's code goes through a dictionary or a set in the order in which it happens to lie.
///
/// It knows no types of expressions: only the names that the type's own files declare as one of the two, and
/// `keys` and `values`. What is sorted, counted, asked for one element or made a set again is none.
struct UnorderedIteration {
    private static let kind = #"(?:\[(?:\[\w+\]|[^\[\](),:\n])+:|Set<|Dictionary<)"#
    private static let typed =
        Pattern(#"\b(\w+)\s*:\s*(?:inout |borrowing |sending )?"# + kind)
    private static let begun = Pattern(
        #"\b(?:let|var) (\w+)[^=\n]*= (?:\[:\]|\[[^\[\](),:\n]+:[^\n=]*\]\(\)"#
            + #"|(?:Set|Dictionary)[<(](?!(?:[^\n]*\n(?= *\.))?[^\n]*\.(?:sorted|map|count)\b))"#)
    private static let copied = Pattern(
        #"\b(?:let|var) (\w+) = (?:(?:self|state)\.)?(\w+)(?:\.filter \{[^{}\n]*\})?(?:\.mapValues\(.*\))?$"#)
    private static let listed = Pattern(#"\b(?:let|var) (\w+): \[[^:\n\]]*\]"#)
    private static let calls =
        #"(?:map|filter|compactMap|flatMap|forEach|first|prefix|dropFirst|lazy|enumerated|joined|reversed)\b"#
    /// What stays a dictionary or a set.
    private static let narrowed = #"(?!(?<=filter) \{[^{}\n]*\}(?:\.mapValues\(.*\))?$)"#
    private static let views = Pattern(
        #"\bfor\b[^{\n]*\bin\b[^{\n]*\.(?:keys|values)\b(?!\.\w)|\.(?:keys|values)\s*\."# + calls
            + #"|\bArray\([^()\n]*\.(?:keys|values)\)|\+= [^\n(]*\.(?:keys|values)$"#)
    /// `for key in table.keys { table[key] = … }`: each turn is about another entry.
    private static let eachEntry = Pattern(
        #"\bfor (\w+) in [\w.]+\.keys\b[^{\n]*\{ [\w.\[\]]+\[\1\][^\n]*\}$"#)
    private static let settled = Pattern(
        #"\.sorted\b|[)}]\.(?:count|isEmpty|contains|allSatisfy|min|max)\b|\bSet(?:<[^>\n]*>)?\("#
            + #"|\buniqueKeysWithValues\b|\b(\w+) = (?:self\.)?\1\.filter\b"#)
    private static let function = Pattern(#"\bfunc \S|\binit[?!]?[(<]|\bsubscript[(<]"#)
    private static let type = Pattern(#"\b(?:struct|class|enum|actor|extension|protocol) \w"#)

    /// The names of stored dictionaries and sets.
    private let members: Set<String>

    /// Begins with the files of one type.
    init(of files: [SourceText]) {
        var unordered: Set<String> = []
        var ordered: Set<String> = []
        for file in files {
            let code = CodeLines(file.code)
            func stored(_ pattern: Pattern) -> [String] {
                pattern.matches(in: file.code).filter { match in
                    code.encloser(of: match.line).map { Self.type.isFound(in: $0) } ?? false
                }.map { $0.groups[0] }
            }
            unordered.formUnion(stored(Self.typed) + stored(Self.begun))
            ordered.formUnion(stored(Self.listed))
        }
        // Where two types of a file have the name, nothing can be said.
        members = unordered.subtracting(ordered)
    }

    func violations(in file: SourceText) -> [Violation] {
        let code = CodeLines(file.code)
        var found: Set<Int> = Set(Self.views.matches(in: file.code).map(\.line))
        for match in iterations(in: file.code) where isUnordered(match.name, at: match.line, in: code) {
            found.insert(match.line)
        }
        return found.sorted().filter { !isSettled($0, in: code) }.map { line in
            Violation(file.path, line: line, "`\(code[line].drop { $0 == " " })`")
        }
    }

    /// Where something is gone through that has the name of a dictionary or a set.
    private func iterations(in code: String) -> [(line: Int, name: String)] {
        var names = members
        for declaration in Self.typed.matches(in: code) + Self.begun.matches(in: code) {
            names.insert(declaration.groups[0])
        }
        for copy in Self.copied.matches(in: code) where names.contains(copy.groups[1]) {
            names.insert(copy.groups[0])
        }
        guard !names.isEmpty else { return [] }
        let name = "(\(names.sorted().joined(separator: "|")))"
        let owner = #"(?:(?:self|state)\.)?"#
        let pattern = Pattern(
            #"\bfor\b[^{\n]*\bin "# + owner + name + #" (?:where\b[^{\n]*)?\{|(?<![\w.])"# + owner + name
                + #"\s*\."# + Self.calls + Self.narrowed + #"|\bArray\("# + owner + name + #"\)"#)
        return pattern.matches(in: code).map { match in
            (match.line, match.groups.first { !$0.isEmpty } ?? "")
        }
    }

    /// What a name means on a line: what the function says of it last, or else a stored property.
    private func isUnordered(_ name: String, at line: Int, in code: CodeLines) -> Bool {
        let local = Pattern(#"\b(?:let|var) \#(name)\s*[:=]"#)
        let parameter = Pattern(#"\b\#(name)\s*:"#)
        let element = Pattern(
            #"\bfor (?:case )?(?:let )?\(?[\w, ]*\b\#(name)\b[\w, ]*\)? in\b|\{ (?:\[[^\]]*\] )?"#
                + #"\(?[\w, ]*\b\#(name)\b[\w, ]*\)? in\b"#)
        var number = line
        while number >= 1 {
            let text = code[number]
            let isFunction = Self.function.isFound(in: text)
            if number < line, local.isFound(in: text) { return isDeclared(name, at: number, in: code) }
            if number < line || !text.contains("for "), element.isFound(in: text) { return false }
            if isFunction {
                let signature = code.signature(from: number)
                return parameter.isFound(in: signature)
                    ? declares(name, signature) : members.contains(name)
            }
            number -= 1
        }
        return members.contains(name)
    }

    private func isDeclared(_ name: String, at line: Int, in code: CodeLines) -> Bool {
        let copies = Self.copied.matches(in: code[line]).filter { $0.groups[0] == name }
        return declares(name, code.twoLines(from: line))
            || copies.contains { isUnordered($0.groups[1], at: line, in: code) }
    }

    private func declares(_ name: String, _ text: String) -> Bool {
        (Self.typed.matches(in: text) + Self.begun.matches(in: text)).contains { $0.groups[0] == name }
    }

    private func isSettled(_ line: Int, in code: CodeLines) -> Bool {
        if Self.eachEntry.isFound(in: code[line]) { return true }
        let statement = code[line].contains("for ") ? code[line] : code.statement(from: line)
        return Self.settled.isFound(in: statement)
    }
}

/// The code of a file by lines, from 1.
struct CodeLines {
    private let lines: [Substring]

    init(_ code: String) { lines = code.split(separator: "\n", omittingEmptySubsequences: false) }

    subscript(_ number: Int) -> String { String(lines[number - 1]) }

    func twoLines(from line: Int) -> String {
        line < lines.count ? "\(self[line])\n\(self[line + 1])" : self[line]
    }

    /// The nearest line above that stands further to the left.
    func encloser(of line: Int) -> String? {
        let depth = indentation(line)
        return (1..<line).last { indentation($0) < depth && !isBlank($0) }.map { self[$0] }
    }

    /// From a function's name to its opening brace.
    func signature(from line: Int) -> String {
        let end = (line...lines.count).first { lines[$0 - 1].hasSuffix("{") } ?? line
        return (line...end).map { self[$0] }.joined(separator: "\n")
    }

    /// The line and the calls that follow on lines of their own, without what stands in braces.
    func statement(from line: Int) -> String {
        var text = ""
        var depth = 0
        for number in line...lines.count {
            var next = lines[number - 1].drop { $0 == " " }
            // A property's or function's own braces are none of the statement.
            if number == line, let brace = next.firstIndex(of: "{"), !next[..<brace].contains("="),
                next[..<brace].contains("var ") || next[..<brace].contains("func ")
            {
                next = next[next.index(after: brace)...]
            }
            guard number == line || depth > 0 || next.first == "." else { break }
            for character in next {
                if character == "}" { depth = max(0, depth - 1) }
                if depth == 0 { text.append(character) }
                if character == "{" { depth += 1 }
            }
        }
        return text
    }

    private func indentation(_ line: Int) -> Int { lines[line - 1].prefix { $0 == " " }.count }

    private func isBlank(_ line: Int) -> Bool { lines[line - 1].allSatisfy { $0 == " " } }
}

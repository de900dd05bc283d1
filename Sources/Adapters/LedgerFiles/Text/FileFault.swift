/// What is wrong with a file: where, and in one sentence what.
package struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1; 0 where the fault is of the whole file.
    package var line: Int
    /// From 1, counted in fields for a table and in characters for JSON; 0 where it is of the whole line.
    package var column: Int
    /// The column's name; empty where it has none.
    package var field: String
    /// What is wrong and what is accepted.
    package var reason: String

    package init(line: Int, column: Int = 0, field: String = "", _ reason: String) {
        self.line = line
        self.column = column
        self.field = field
        self.reason = reason
    }

    /// `line 3, column 6 (amount)`; empty where the fault is of the whole file.
    package var place: String {
        guard line > 0 else { return "" }
        var place = "line \(line)"
        if column > 0 { place += ", column \(column)" }
        if !field.isEmpty { place += " (\(field))" }
        return place
    }

    /// `line 3, column 6 (amount): …`.
    package var description: String { line > 0 ? "\(place): \(reason)" : reason }
}

/// A line that was left out, or of which something was, or that is odd, and why.
package struct SkippedLine: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    /// `line 3: …`.
    package var description: String { "line \(line): \(reason)" }
}

/// What is wrong with a file: where, and in one sentence what.
public struct FileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1; 0 where the fault is of the whole file.
    public var line: Int
    /// From 1, counted in fields for a table and in characters for JSON; 0 where it is of the whole line.
    public var column: Int
    /// The column's name; empty where it has none.
    public var field: String
    /// What is wrong and what is accepted.
    public var reason: String

    /// Describes a fault.
    public init(line: Int, column: Int = 0, field: String = "", _ reason: String) {
        self.line = line
        self.column = column
        self.field = field
        self.reason = reason
    }

    /// `line 3, column 6 (amount)`; empty where the fault is of the whole file.
    public var place: String {
        guard line > 0 else { return "" }
        var place = "line \(line)"
        if column > 0 { place += ", column \(column)" }
        if !field.isEmpty { place += " (\(field))" }
        return place
    }

    /// `line 3, column 6 (amount): …`.
    public var description: String { line > 0 ? "\(place): \(reason)" : reason }
}

/// A line that was left out, or of which something was, and why.
public struct SkippedLine: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    public var line: Int
    /// Why.
    public var reason: String

    /// `line 3: …`.
    public var description: String { "line \(line): \(reason)" }
}

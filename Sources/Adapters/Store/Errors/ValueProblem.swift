/// What is wrong with one parameter or one column.
package enum ValueProblem: Sendable, Hashable {
    /// Text with a NUL character, which PostgreSQL cannot store.
    case containsNUL
    /// A NULL where the statement's row type has no place for it.
    case unexpectedNull
    /// The column has another type: object identifiers from `pg_type`.
    case type(expected: UInt32, found: UInt32)
    /// The row has fewer columns than were read.
    case missing(columns: Int)
    /// The row has more columns than were read.
    case unread(columns: Int)
    /// A value of this many bytes does not have the shape of its type.
    case malformed(bytes: Int)
    /// The value does not fit the Swift type.
    case outOfRange
    /// More rows or columns were written than were declared.
    case count(expected: Int, found: Int)

    var description: String {
        switch self {
        case .containsNUL: "contains a NUL character"
        case .unexpectedNull: "is NULL"
        case .type(let expected, let found): "has type \(found), expected \(expected)"
        case .missing(let columns): "does not exist: the row has \(columns)"
        case .unread(let columns): "is not the last that was read: the row has \(columns)"
        case .malformed(let bytes): "has \(bytes) bytes that do not fit its type"
        case .outOfRange: "is out of range"
        case .count(let expected, let found): "expected \(expected) values, found \(found)"
        }
    }
}

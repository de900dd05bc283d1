/// One SQL statement as a value: its literal parts are the text, what is interpolated is bound.
///
///     try session.rows("SELECT name FROM accounts.watchlist WHERE user_id = \(user)") { try $0.text() }
///
/// sends `… WHERE user_id = $1` and one parameter in PostgreSQL's binary format. Nothing but ``SQL``, which
/// is made of literals too, can be pasted into the text: what somebody typed is never part of it. A text is
/// prepared once per connection; every name in it has its schema.
package struct Query: ExpressibleByStringInterpolation, Sendable {
    let text: String
    let parameters: Parameters

    package init(stringLiteral literal: StaticString) {
        text = literal.description
        parameters = Parameters()
    }

    /// A statement with what is interpolated as its parameters, `$1`, `$2`, … in order.
    package init(stringInterpolation interpolation: StringInterpolation) {
        text = interpolation.text
        parameters = interpolation.parameters
    }

    /// Makes a query of a statement that is a type.
    init<S: Statement>(_ statement: S) {
        var parameters = Parameters()
        statement.bind(&parameters)
        text = S.sql
        self.parameters = parameters
    }

    /// Gathers text and parameters.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var parameters = Parameters()

        /// Reserves room.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        /// Appends text.
        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some SQLParameter) {
            bind { $0.appendValue(value.sqlValue) }
        }

        /// Binds a value or NULL of its type.
        package mutating func appendInterpolation(_ value: (some SQLParameter)?) {
            bind { $0.appendValue(value?.sqlValue) }
        }

        /// Binds a `bytea`.
        package mutating func appendInterpolation(_ bytes: [UInt8]?) { bind { $0.append(bytes: bytes) } }

        /// Binds an array of one dimension.
        package mutating func appendInterpolation<Element: SQLParameter>(_ values: [Element]) {
            bind { $0.appendArray(values.map(\.sqlValue)) }
        }

        /// Binds an array of one dimension that may hold NULLs.
        package mutating func appendInterpolation<Element: SQLParameter>(_ values: [Element?]) {
            bind { $0.appendArray(values.map { $0?.sqlValue }) }
        }

        // The types of which batches bind an array a column, thousands of rows long: what is generic over
        // modules asks a witness for every element.

        /// Binds a `bigint[]`.
        package mutating func appendInterpolation(_ values: [Int64]) { bind { $0.append(values) } }
        /// Binds an `integer[]`.
        package mutating func appendInterpolation(_ values: [Int32]) { bind { $0.append(values) } }
        /// Binds a `smallint[]`.
        package mutating func appendInterpolation(_ values: [Int16]) { bind { $0.append(values) } }
        /// Binds a `boolean[]`.
        package mutating func appendInterpolation(_ values: [Bool]) { bind { $0.append(values) } }
        /// Binds a `text[]`.
        package mutating func appendInterpolation(_ values: [String]) { bind { $0.append(values) } }

        /// Pastes text that is part of the program.
        package mutating func appendInterpolation(_ fragment: SQL) { text += fragment.text }

        /// The condition that limits the statement to the rows of one owner, in parentheses.
        ///
        /// Marked in the text, so that a test can take it out and see that row-level security still refuses.
        package mutating func appendInterpolation(owner column: SQL, is user: some SQLParameter) {
            text += "\(OwnerPredicate.begin)(\(column.text) = "
            appendInterpolation(user)
            text += ")\(OwnerPredicate.end)"
        }

        private mutating func bind(_ append: (inout Parameters) -> Void) {
            append(&parameters)
            text += "$\(parameters.slots.count)"
        }
    }
}

/// A part of a statement's text: a list of columns, an order, a condition that several statements share.
///
///     static let columns: SQL = "token_id, user_id, name"
package struct SQL: ExpressibleByStringInterpolation, Sendable, Hashable {
    let text: String

    /// A text that is part of the program.
    package init(stringLiteral literal: StaticString) { text = literal.description }

    /// A text made of such texts.
    package init(stringInterpolation interpolation: StringInterpolation) { text = interpolation.text }

    /// Words that a catalogue of the program has, as a list of texts between commas.
    ///
    /// - Precondition: There is one, and they are of the letters a...z and low lines.
    package init(words: [String]) {
        let isPlain = words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F } }
        precondition(!words.isEmpty && isPlain, "words that are no part of a statement")
        text = words.map { "'\($0)'" }.joined(separator: ", ")
    }

    /// Gathers text.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Reserves room.
        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Appends text.
        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Appends a part.
        package mutating func appendInterpolation(_ part: SQL) { text += part.text }
    }
}

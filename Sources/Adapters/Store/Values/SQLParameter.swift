/// A Swift value that can stand in a ``Query``.
package protocol SQLParameter {
    associatedtype Value: SQLValue
    /// As it is sent.
    var sqlValue: Value { get }
}

extension SQLParameter where Self: SQLValue {
    package var sqlValue: Self { self }
}

extension Int64: SQLParameter {}
extension Int32: SQLParameter {}
extension Int16: SQLParameter {}
extension Bool: SQLParameter {}
extension String: SQLParameter {}
extension Numeric: SQLParameter {}
extension UniqueID: SQLParameter {}
extension TimestampValue: SQLParameter {}

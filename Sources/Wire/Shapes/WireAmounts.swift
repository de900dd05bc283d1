package import Instruments
package import JSON

extension Schema {
    /// An exact decimal, which is a text: numbers of JSON lose digits at many readers.
    package static let decimal = Schema.text(pattern: #"^-?[0-9]+(\.[0-9]+)?$"#)
    /// A moment in UTC, such as `2026-11-21T12:00:00Z`.
    package static let time = Schema.text("date-time")
}

extension Amount: WireValue {
    package static var schema: Schema { .decimal }
    package func write(to writer: inout JSONWriter) { writer.string(description) }
}

/// With as many places as its scale.
extension DecimalNumber: WireValue {
    package static var schema: Schema { .decimal }
    package func write(to writer: inout JSONWriter) { writer.decimal(units, scale) }
}

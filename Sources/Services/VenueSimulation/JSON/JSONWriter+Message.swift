import Instruments
import JSON

extension JSONWriter {
    /// A message that is an object.
    static func message(_ body: (inout JSONWriter) -> Void) -> [UInt8] { text { $0.object(body) } }

    /// A message or an answer that is an array.
    static func rows(_ body: (inout JSONWriter) -> Void) -> [UInt8] { text { $0.array(body) } }

    /// Rows that are JSON already.
    static func rows(_ rows: some Sequence<[UInt8]>) -> [UInt8] {
        self.rows { writer in
            for row in rows { writer.raw(row) }
        }
    }

    private static func text(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter(shortensLineFeeds: false)
        body(&writer)
        return writer.bytes
    }

    /// Writes a member whose value is JSON already.
    mutating func pair(_ name: String, _ value: JSONValue) {
        key(name)
        self.value(value)
    }

    /// Writes a member that is units / 10^scale as a bare number.
    mutating func number(_ name: String, _ units: Int64, _ scale: Scale) {
        key(name)
        number(units, scale)
    }

    /// Writes a member that is units / 10^scale as a bare number without zeros at its end.
    mutating func shortest(_ name: String, _ units: Int64, _ scale: Scale) {
        let number = DecimalNumber(units: units, scale: scale).normalized
        self.number(name, number.units, number.scale)
    }

    /// Writes a member that is units / 10^scale in quotes.
    mutating func decimal(_ name: String, _ units: Int64, _ scale: Scale) {
        key(name)
        decimal(units, scale)
    }
}

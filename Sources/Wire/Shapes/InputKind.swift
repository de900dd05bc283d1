package import Instruments
package import JSON

/// What a field of a body that is taken may have, and how it is read.
package struct InputKind<Value>: Sendable {
    /// What the document says of it.
    package let schema: Schema
    let isRequired: Bool
    /// What a missing field is taken for.
    let standard: DocumentNode?
    /// Reads a field; `nil` for one that is missing.
    let read: @Sendable (JSONValue?) throws(InputFault) -> Value

    fileprivate init(
        _ schema: Schema, isRequired: Bool, standard: DocumentNode? = nil,
        readingOptional read: @escaping @Sendable (JSONValue?) throws(InputFault) -> Value
    ) {
        (self.schema, self.isRequired, self.standard, self.read) = (schema, isRequired, standard, read)
    }

    /// A field that must be there.
    ///
    /// - Parameters:
    ///   - schema: What the document says of it.
    ///   - accepted: What is right, as a refusal says it.
    ///   - read: The value; `nil` for one that is not accepted.
    package init(
        _ schema: Schema, accepted: String, _ read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.init(schema, isRequired: true) { (json) throws(InputFault) in
            guard let json, let value = read(json) else {
                throw .refused(FieldFault("", json?.excerpt, accepted: accepted))
            }
            return value
        }
    }

    /// The same for what refuses in its own words.
    package init(
        _ schema: Schema, missing: String,
        reading read: @escaping @Sendable (JSONValue) throws(InputFault) -> Value
    ) {
        self.init(schema, isRequired: true) { (json) throws(InputFault) in
            guard let json else { throw .refused(FieldFault("", nil, accepted: missing)) }
            return try read(json)
        }
    }

    /// Another kind, and `nil` for a field that is missing or null.
    package static func optional<Wrapped>(_ kind: InputKind<Wrapped>) -> InputKind where Value == Wrapped? {
        InputKind(.nullable(kind.schema), isRequired: false) { (json) throws(InputFault) in
            guard let json, json != .null else { return nil }
            return try kind.read(json)
        }
    }

    /// Another kind, `nil` for a field that is missing and `.some(nil)` for null, which takes away what is
    /// there.
    package static func clearable<Wrapped>(
        _ kind: InputKind<Wrapped>
    ) -> InputKind where Value == Wrapped?? {
        InputKind(.nullable(kind.schema), isRequired: false) { (json) throws(InputFault) in
            guard let json else { return nil }
            return json == .null ? .some(nil) : try kind.read(json)
        }
    }

    /// The same, and a value for a field that is missing or null, which the document shows as it says.
    package func otherwise(_ value: Value, _ shown: DocumentNode) -> InputKind where Value: Sendable {
        InputKind(.nullable(schema), isRequired: false, standard: shown) { [read] (json) throws(InputFault) in
            guard let json, json != .null else { return value }
            return try read(json)
        }
    }

    /// Another value made of this one, `nil` for what is not accepted: a refusal says what is.
    package func map<New>(
        accepted: String, _ make: @escaping @Sendable (Value) -> New?
    ) -> InputKind<New> {
        InputKind<New>(schema, isRequired: isRequired, standard: standard) {
            [read] (json) throws(InputFault) in
            guard let value = make(try read(json)) else {
                throw .refused(FieldFault("", json?.excerpt, accepted: accepted))
            }
            return value
        }
    }

    /// The same, as the document shows it otherwise: what somebody else checks.
    package func documented(_ schema: Schema) -> InputKind {
        InputKind(schema, isRequired: isRequired, standard: standard, readingOptional: read)
    }
}

extension InputKind<String> {
    /// A text whose length and content are for whoever keeps it.
    package static var text: InputKind { text(length: nil) }

    /// A text that opens something: no refusal says it again, whatever stands in its place.
    package static var secret: InputKind {
        InputKind(.text(), missing: "a text in quotes") { (json) throws(InputFault) in
            guard let text = json.string else {
                let shown = json == .null ? "null" : "no text"
                throw .refused(FieldFault("", shown, accepted: "a text in quotes"))
            }
            return text
        }
    }

    /// A text of so many characters.
    package static func text(length: ClosedRange<Int>?, _ format: String? = nil) -> InputKind {
        let schema = Schema.text(format, length: length)
        guard let length else {
            return InputKind(schema, accepted: "a text in quotes") { $0.string }
        }
        let most = length.upperBound
        let accepted =
            length.lowerBound > 0
            ? "a text of \(length.lowerBound)...\(most) characters" : "a text of at most \(most) characters"
        return InputKind(schema, accepted: accepted) { json in
            json.string.flatMap { length.contains($0.count) ? $0 : nil }
        }
    }
}

extension InputKind<Bool> {
    package static var flag: InputKind { InputKind(.boolean, accepted: "true or false") { $0.flag } }
}

extension InputKind<Int> {
    package static var integer: InputKind {
        InputKind(.integer(), accepted: "a whole number") { json in
            guard case .number(let text) = json else { return nil }
            return Int(text)
        }
    }

    /// A whole number in a range.
    package static func integer(in range: ClosedRange<Int>) -> InputKind {
        let schema = Schema.integer(in: Int64(range.lowerBound)...Int64(range.upperBound))
        let accepted = "a whole number, \(range.lowerBound)...\(range.upperBound)"
        return InputKind(schema, accepted: accepted) { json in
            guard case .number(let text) = json, let number = Int(text), range.contains(number) else {
                return nil
            }
            return number
        }
    }
}

extension InputKind<Double> {
    /// A finite number, for statistics and never for money.
    package static var number: InputKind {
        InputKind(.number(), accepted: "a number") { json in
            guard case .number(let text) = json, let number = Double(text), number.isFinite else {
                return nil
            }
            return number
        }
    }
}

extension InputKind where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    /// One of a few words.
    package static func choice(_ type: Value.Type = Value.self) -> InputKind {
        let words = Value.allCases.map(\.rawValue)
        return InputKind(.words(words), accepted: words.joined(separator: ", ")) { json in
            json.string.flatMap(Value.init(rawValue:))
        }
    }
}

extension InputKind<Timestamp> {
    /// A moment, such as `2026-11-21T12:00:00Z`.
    package static var time: InputKind<Timestamp> {
        InputKind(.text("date-time"), accepted: "a time in UTC such as 2026-11-21T12:00:00Z") { json in
            json.string.flatMap { Timestamp(iso8601: $0) }
        }
    }
}

extension InputKind<InstrumentID> {
    package static var instrument: InputKind<InstrumentID> {
        InputKind(.text(), accepted: "an instrument written VENUE:SYMBOL, such as kraken:BTC/USD") { json in
            json.string.flatMap { InstrumentID($0) }
        }
    }
}

extension InputKind<JSONValue> {
    /// JSON that is read elsewhere, and what the document says that it may be.
    package static func any(_ schema: Schema = .any) -> InputKind {
        InputKind(schema, accepted: "a value") { $0 }
    }
}

extension InputKind where Value: WireInput {
    /// A body inside of this one.
    package static func object(_ type: Value.Type = Value.self) -> InputKind {
        InputKind(.body(type), missing: "an object") { (json) throws(InputFault) in try type.init(json) }
    }
}

extension InputKind {
    /// A list, of so many where there is a limit.
    package static func list<Item>(
        _ item: InputKind<Item>, count: ClosedRange<Int>? = nil
    ) -> InputKind where Value == [Item] {
        let accepted = count.map { "an array of \($0.lowerBound)...\($0.upperBound)" } ?? "an array"
        return InputKind(.array(item.schema, count), missing: accepted) { (json) throws(InputFault) in
            guard case .array(let values) = json, count?.contains(values.count) ?? true else {
                throw .refused(FieldFault("", json.excerpt, accepted: accepted))
            }
            var items: [Item] = []
            for (index, value) in values.enumerated() {
                do throws(InputFault) {
                    items.append(try item.read(value))
                } catch {
                    throw error.inside("[\(index)]")
                }
            }
            return items
        }
    }
}

extension InputKind {
    /// An object whose names are data, and what each of its members may be.
    package static func members<Item>(of item: InputKind<Item>) -> InputKind where Value == [String: Item] {
        InputKind(.map(item.schema), missing: "an object") { (json) throws(InputFault) in
            guard case .object(let members) = json else {
                throw .refused(FieldFault("", json.excerpt, accepted: "an object"))
            }
            var items: [String: Item] = [:]
            for member in members {
                do throws(InputFault) {
                    items[member.key] = try item.read(member.value)
                } catch {
                    throw error.inside(member.key)
                }
            }
            return items
        }
    }
}

extension JSONValue {
    /// What a string says.
    fileprivate var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}

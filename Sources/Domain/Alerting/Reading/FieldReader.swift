import Instruments
import JSON

/// Takes the fields of one JSON object, one after the other, and finds those that nobody knows.
struct FieldReader {
    private let path: String
    private let members: [String: JSONValue]
    private let order: [String]
    private var taken: Set<String> = []

    init(_ node: JSONValue, path: String, accepted: String) throws(FieldFault) {
        guard case .object(let list) = node else {
            throw FieldFault(path, node.excerpt, accepted: accepted)
        }
        self.path = path
        order = list.keys
        members = list.dictionary
    }

    /// A field's dotted name.
    func name(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    func has(_ key: String) -> Bool { members[key] != nil }

    /// A field's value, which is not taken by this; `nil` when it is missing or null.
    func value(_ key: String) -> JSONValue? { members[key].flatMap { $0 == .null ? nil : $0 } }

    /// The keys in the order of the text.
    var keys: [String] { order }

    func fault(_ key: String, _ accepted: String) -> FieldFault {
        FieldFault(name(key), members[key].map(FieldReader.written), accepted: accepted)
    }

    /// A value as ``JSONValue/excerpt`` has it, and a list with what is in it: nothing in a rule is secret.
    private static func written(_ node: JSONValue) -> String {
        guard case .array(let items) = node else { return node.excerpt }
        let text = "[\(items.prefix(17).map(\.excerpt).joined(separator: ", "))]"
        return text.count <= 120 ? text : "\(text.prefix(119))…"
    }

    /// A field's value; `nil` when it is missing or null.
    mutating func node(_ key: String) -> JSONValue? {
        taken.insert(key)
        guard let node = members[key], node != .null else { return nil }
        return node
    }

    /// Refuses what was not taken.
    func finish() throws(FieldFault) {
        for key in order where !taken.contains(key) {
            throw FieldFault(
                name(key), members[key]?.excerpt,
                accepted: "no such field; known are \(taken.sorted().joined(separator: ", "))")
        }
    }

    mutating func text(_ key: String, _ accepted: String) throws(FieldFault) -> String? {
        guard let node = node(key) else { return nil }
        guard case .string(let text) = node else { throw fault(key, accepted) }
        return text
    }

    mutating func texts(_ key: String) throws(FieldFault) -> [String] {
        let accepted = "an array of at most 16 texts of 1...64 bytes"
        guard let node = node(key) else { return [] }
        guard case .array(let items) = node, items.count <= 16 else { throw fault(key, accepted) }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item, (1...64).contains(text.utf8.count) else {
                throw fault(key, accepted)
            }
            texts.append(text)
        }
        return texts
    }

    mutating func flag(_ key: String) throws(FieldFault) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .bool(let flag) = node else { throw fault(key, "true or false") }
        return flag
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>) throws(FieldFault) -> Int? {
        guard let node = node(key) else { return nil }
        let accepted = "a whole number of \(range.lowerBound)...\(range.upperBound)"
        guard case .number(let text) = node, let value = Int(text), range.contains(value) else {
            throw fault(key, accepted)
        }
        return value
    }

    /// One of an enumeration's names.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String, _ type: Choice.Type
    ) throws(FieldFault) -> Choice? where Choice.RawValue == String {
        guard let node = node(key) else { return nil }
        let accepted = type.allCases.map(\.rawValue).joined(separator: ", ")
        guard case .string(let text) = node, let choice = Choice(rawValue: text) else {
            throw fault(key, accepted)
        }
        return choice
    }

    /// An exact decimal, as text or as a bare number.
    mutating func decimal(_ key: String, _ accepted: String) throws(FieldFault) -> DecimalNumber? {
        guard let node = node(key) else { return nil }
        guard let text = node.text, let number = try? DecimalNumber(parsing: text) else {
            throw fault(key, accepted)
        }
        return number
    }

    /// A decimal above zero.
    mutating func positive(_ key: String) throws(FieldFault) -> DecimalNumber? {
        let accepted = "a decimal above 0 such as \"61000.5\", of at most 18 places and 63 bits"
        guard let number = try decimal(key, accepted) else { return nil }
        guard number.units > 0 else { throw fault(key, accepted) }
        return number
    }

    /// A stretch of time in nanoseconds, with a unit.
    mutating func duration(_ key: String, _ range: ClosedRange<Int64>) throws(FieldFault) -> Int64? {
        guard let node = node(key) else { return nil }
        let bounds = "\(RuleDuration.text(range.lowerBound))...\(RuleDuration.text(range.upperBound))"
        let accepted = "a whole number with ns, us, ms, s, m, h or d, \(bounds)"
        guard case .string(let text) = node, let value = RuleDuration.parse(text), range.contains(value)
        else {
            throw fault(key, accepted)
        }
        return value
    }
}

/// Times as a person writes them: `250ms`, `5s`, `2m`, `1h`, `1d`.
enum RuleDuration {
    /// Nanoseconds.
    static let minute: Int64 = 60_000_000_000
    /// Nanoseconds.
    static let day: Int64 = 86_400_000_000_000

    /// How long candles are: those that are built.
    static let intervals = ["1s", "1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w"]

    private static let units: [(suffix: String, nanoseconds: Int64)] = [
        ("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", minute),
        ("h", 60 * minute), ("d", day),
    ]

    static func parse(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { $0 &- 0x30 < 10 }
        guard let count = Int64(String(digits) ?? ""),
            let unit = units.first(where: { $0.suffix.utf8.elementsEqual(text.utf8.dropFirst(digits.count)) })
        else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        return overflow ? nil : product
    }

    /// About how long, for a person: `250 ms`, `6 s`, `12 min`.
    static func about(_ nanoseconds: Int64) -> String {
        let steps: [(least: Int64, unit: Int64, name: String)] = [
            (2 * day, day, "d"), (120 * minute, 60 * minute, "h"), (2 * minute, minute, "min"),
            (1_000_000_000, 1_000_000_000, "s"), (1_000_000, 1_000_000, "ms"),
        ]
        guard let step = steps.first(where: { nanoseconds >= $0.least }) else { return "less than 1 ms" }
        let (count, rest) = nanoseconds.quotientAndRemainder(dividingBy: step.unit)
        return "\(rest >= step.unit / 2 ? count + 1 : count) \(step.name)"
    }

    /// In the largest unit that keeps it whole.
    static func text(_ nanoseconds: Int64) -> String {
        guard nanoseconds != 0 else { return "0s" }
        let unit = units.last { nanoseconds % $0.nanoseconds == 0 } ?? units[0]
        return "\(nanoseconds / unit.nanoseconds)\(unit.suffix)"
    }
}

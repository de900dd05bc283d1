import Instruments
import JSON

/// Reads fields from JSON.
struct ConditionFieldReader: FieldVisitor {
    var fields: FieldReader
    /// Those that are read, the others being passed over; `nil` for all.
    var only: Set<String>?
    /// Those around the object that is read.
    private var outer: [FieldReader] = []

    init(_ fields: FieldReader) { self.fields = fields }

    private func skips(_ field: ConditionField) -> Bool { only?.contains(field.name) == false }

    private func missing(_ field: ConditionField) -> FieldFault {
        fields.fault(field.name, field.acceptedIfMissing)
    }

    mutating func decimal(_ field: ConditionField, _ value: inout DecimalNumber) throws(FieldFault) {
        guard !skips(field), case .decimal(let limit) = field.content else { return }
        guard let number = try fields.decimal(field.name, limit.accepted) else {
            guard let usual = field.usual.flatMap({ try? DecimalNumber(parsing: $0) }) else {
                throw missing(field)
            }
            return value = usual
        }
        guard limit.contains(number) else { throw fields.fault(field.name, limit.accepted) }
        if let places = limit.places, number.normalized.scale.places > places.limit {
            throw fields.fault(field.name, places.accepted)
        }
        value = limit.isNormalized ? number.normalized : number
    }

    mutating func whole(_ field: ConditionField, _ value: inout Int) throws(FieldFault) {
        guard !skips(field), case .whole(let range) = field.content else { return }
        guard let number = try fields.integer(field.name, range) ?? field.usual.flatMap({ Int($0) }) else {
            throw missing(field)
        }
        value = number
    }

    mutating func duration(_ field: ConditionField, _ value: inout Int64) throws(FieldFault) {
        guard !skips(field) else { return }
        let duration =
            switch field.content {
            case .interval: try interval(field)
            case .duration(let range): try fields.duration(field.name, range)
            default: Int64?.none
            }
        guard let duration else { throw missing(field) }
        value = duration
    }

    private mutating func interval(_ field: ConditionField) throws(FieldFault) -> Int64? {
        let accepted = field.acceptedIfMissing
        guard let text = try fields.text(field.name, accepted) else { return nil }
        // A week is written as seven days too: that is how rules are kept.
        guard RuleDuration.intervals.contains(text) || text == "7d" else {
            throw fields.fault(field.name, accepted)
        }
        return RuleDuration.parse(text == "1w" ? "7d" : text)
    }

    mutating func text(_ field: ConditionField, _ value: inout String?) throws(FieldFault) {
        guard !skips(field) else { return }
        let accepted: String
        let isRight: (String) -> Bool
        switch field.content {
        case .choice(let words): (accepted, isRight) = (words.joined(separator: ", "), words.contains)
        case .text(let range, let words): (accepted, isRight) = (words, { range.contains($0.utf8.count) })
        default: (accepted, isRight) = (field.acceptedIfMissing, { (1...128).contains($0.utf8.count) })
        }
        guard let text = try fields.text(field.name, accepted) else {
            guard field.isOptional || field.usual != nil else { throw missing(field) }
            return value = field.usual
        }
        guard isRight(text) else { throw fields.fault(field.name, accepted) }
        value = text
    }

    mutating func begin(_ field: ConditionField) throws(FieldFault) {
        let accepted = field.acceptedIfMissing
        guard let node = fields.node(field.name) else { throw missing(field) }
        let inside = try FieldReader(node, path: fields.name(field.name), accepted: accepted)
        outer.append(fields)
        fields = inside
    }

    mutating func end() throws(FieldFault) {
        try fields.finish()
        if let around = outer.popLast() { fields = around }
    }

    mutating func isGiven(_ name: String, now: Bool) -> Bool { fields.node(name) != nil }

    mutating func refuse(_ name: String, beside others: [String], _ accepted: String) throws(FieldFault) {
        guard only == nil, others.contains(where: { fields.has($0) }) else { return }
        throw fields.fault(name, accepted)
    }

    mutating func check(
        _ isRight: @autoclosure () -> Bool, _ name: String, _ accepted: @autoclosure () -> String
    ) throws(FieldFault) {
        guard only == nil, !isRight() else { return }
        throw fields.fault(name, accepted())
    }
}

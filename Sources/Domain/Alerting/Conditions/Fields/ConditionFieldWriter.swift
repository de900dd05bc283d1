import Instruments
import JSON

/// Writes fields as members of a JSON object.
struct ConditionFieldWriter: FieldVisitor {
    var writer: JSONWriter

    mutating func decimal(_ field: ConditionField, _ value: inout DecimalNumber) {
        writer.text(field.name, value.description)
    }

    mutating func whole(_ field: ConditionField, _ value: inout Int) { writer.pair(field.name, value) }

    mutating func duration(_ field: ConditionField, _ value: inout Int64) {
        writer.text(field.name, RuleDuration.text(value))
    }

    mutating func text(_ field: ConditionField, _ value: inout String?) {
        if let value { writer.text(field.name, value) }
    }

    mutating func begin(_ field: ConditionField) {
        writer.key(field.name)
        writer.beginObject()
    }

    mutating func end() { writer.endObject() }

    func isGiven(_ name: String, now: Bool) -> Bool { now }

    func refuse(_ name: String, beside others: [String], _ accepted: String) {}

    func check(_ isRight: @autoclosure () -> Bool, _ name: String, _ accepted: @autoclosure () -> String) {}
}

extension JSONWriter {
    /// A condition, in the one form that is read.
    mutating func condition(_ condition: AlertCondition) {
        object { writer in
            switch type(of: condition.kind).layout {
            case .beside, .alone: writer.fields(of: condition.kind)
            case .inside: writer.object(type(of: condition.kind).key) { $0.fields(of: condition.kind) }
            }
        }
    }

    private mutating func fields(of kind: some ConditionKind) {
        var kind = kind
        var visitor = ConditionFieldWriter(writer: self)
        kind.visit(&visitor)
        self = visitor.writer
    }
}

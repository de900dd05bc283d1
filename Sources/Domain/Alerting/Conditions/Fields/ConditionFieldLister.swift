import Instruments

/// Lists what a condition's fields are.
struct ConditionFieldLister: FieldVisitor {
    var fields: [ConditionField] = []
    /// Those that have begun, with what was listed before them.
    private var outer: [(field: ConditionField, before: [ConditionField])] = []

    mutating func decimal(_ field: ConditionField, _ value: inout DecimalNumber) { fields.append(field) }

    mutating func whole(_ field: ConditionField, _ value: inout Int) { fields.append(field) }

    mutating func duration(_ field: ConditionField, _ value: inout Int64) { fields.append(field) }

    mutating func text(_ field: ConditionField, _ value: inout String?) { fields.append(field) }

    mutating func begin(_ field: ConditionField) {
        outer.append((field, fields))
        fields = []
    }

    mutating func end() {
        guard var last = outer.popLast() else { return }
        last.field.content = .object(fields, accepted: last.field.acceptedIfMissing)
        fields = last.before + [last.field]
    }

    func isGiven(_ name: String, now: Bool) -> Bool { now }

    func refuse(_ name: String, beside others: [String], _ accepted: String) {}

    func check(_ isRight: @autoclosure () -> Bool, _ name: String, _ accepted: @autoclosure () -> String) {}
}

extension ConditionKind {
    /// The fields that this one has.
    var fields: [ConditionField] {
        var copy = self
        var lister = ConditionFieldLister()
        copy.visit(&lister)
        return lister.fields
    }
}

package import Instruments

extension Problem {
    /// What a module of ours refuses.
    package init(_ fault: FieldFault) {
        let field = fault.field.isEmpty ? "body" : fault.field
        let given = fault.value.map { "is \($0)" } ?? "is missing"
        self.init(fault, .invalidField, field: field, "\(field) \(given); accepted: \(fault.accepted)")
    }

    /// The same in the words that the fault has itself: what accounts refuse is told so.
    package init(inWordsOf fault: FieldFault) {
        self.init(fault, .invalidField, field: fault.field, fault.description)
    }

    /// A password that is not accepted, of which nothing is told.
    package init(weak fault: FieldFault) {
        self.init(fault, .weakPassword, field: fault.field, fault.description)
        value = nil
    }

    private init(_ fault: FieldFault, _ code: Code, field: String, _ detail: String) {
        self.init(code, detail)
        // A message shows texts in quotes, and anything else without.
        (self.field, value, accepted) = (field, fault.value?.unquoted, fault.accepted)
    }
}

extension String {
    /// The text between the quotes that a message puts around it; itself when there are none.
    var unquoted: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}

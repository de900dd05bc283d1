package import Instruments

/// Why a body is not taken.
package enum InputFault: Error, Hashable, Sendable {
    /// A field that is missing, or has what it may not have.
    case refused(FieldFault)
    /// A field that nobody would read; what it had is not said, since it may be a password at a wrong place.
    case unknown(field: String, known: [String])

    /// The same at a place inside another body, such as `rules[2]`.
    package func inside(_ place: String) -> InputFault {
        func path(_ field: String) -> String {
            field.isEmpty || field.hasPrefix("[") ? place + field : "\(place).\(field)"
        }
        switch self {
        case .refused(var fault):
            fault.field = path(fault.field)
            return .refused(fault)
        case .unknown(let field, let known): return .unknown(field: path(field), known: known)
        }
    }
}

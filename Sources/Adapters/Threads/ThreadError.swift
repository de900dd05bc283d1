/// What the system refused to a thread.
public enum ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No event descriptor could be opened; `code` is the system's error number.
    case noDescriptor(code: Int32)

    /// One line for a person.
    public var description: String {
        switch self {
        case .noDescriptor(let code):
            "the system refused an event descriptor (error \(code)); raise the limit of open files"
        }
    }
}

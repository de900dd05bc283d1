/// One privilege of one role on one thing.
struct AccessRight: Hashable, Sendable {
    /// What it is on, in the words of GRANT.
    enum Kind: String, Hashable, Sendable {
        case database = "DATABASE"
        case schema = "SCHEMA"
        case table = "TABLE"
        case sequence = "SEQUENCE"
        case function = "FUNCTION"
    }

    let kind: Kind
    /// With its schema, as SQL has it.
    let name: String
    let privilege: String
    /// Empty for all of them.
    let column: String
    /// `PUBLIC` is everybody.
    let role: String

    /// The statement that gives it.
    var grant: String { "GRANT \(what) TO \(role)" }
    /// The statement that takes it away.
    var revocation: String { "REVOKE \(what) FROM \(role)" }

    private var what: String {
        "\(privilege)\(column.isEmpty ? "" : " (\(column))") ON \(kind.rawValue) \(name)"
    }
}

extension AccessRight: Comparable {
    /// By thing, role and privilege, so that what a run says is in one order.
    static func < (left: AccessRight, right: AccessRight) -> Bool {
        (left.kind.rawValue, left.name, left.role, left.privilege, left.column)
            < (right.kind.rawValue, right.name, right.role, right.privilege, right.column)
    }
}

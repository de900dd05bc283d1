/// Which services may do what on one table, view or sequence.
///
/// In the letters of PostgreSQL's own lists: `r` reads, `a` appends, `w` writes what is there, `d` deletes,
/// `U` takes the next number of a sequence. `r(user_id,role)` is for those columns only.
///
/// Source: PostgreSQL manual 15, 5.7 "Privileges", table 5.1.
package struct TableAccess: Sendable {
    let table: String
    let rights: [ServiceRole: String]

    init(_ table: String, _ rights: [ServiceRole: String]) {
        self.table = table
        self.rights = rights
    }

    var schema: String { String(table.prefix { $0 != "." }) }

    /// Privileges of a service by their names in SQL, each with a column or for the whole table.
    ///
    /// - Precondition: The letters are as said.
    func privileges(of role: ServiceRole) -> [(privilege: String, column: String)] {
        (rights[role] ?? "").split(separator: " ").flatMap { word in
            let letters = word.prefix { $0 != "(" }
            let listed = word.dropFirst(letters.count).dropFirst().prefix { $0 != ")" }
            let columns = listed.isEmpty ? [""] : listed.split(separator: ",").map(String.init)
            return letters.flatMap { letter in
                guard let privilege = Self.names[letter] else {
                    preconditionFailure("\(table): \(letter) is no right; r, a, w, d, U are")
                }
                return columns.map { (privilege: privilege, column: $0) }
            }
        }
    }

    private static let names: [Character: String] = [
        "r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE", "U": "USAGE",
    ]
}

/// Which services may call a function.
package struct FunctionAccess: Sendable {
    /// With its schema and the types of its parameters, as PostgreSQL prints them.
    let function: String
    let callers: [ServiceRole]
    /// Whether it works with the rights of the owner, whatever its migration says.
    let isOwners: Bool

    init(_ function: String, _ callers: [ServiceRole], isOwners: Bool = false) {
        self.function = function
        self.callers = callers
        self.isOwners = isOwners
    }

    var schema: String { String(function.prefix { $0 != "." }) }
}

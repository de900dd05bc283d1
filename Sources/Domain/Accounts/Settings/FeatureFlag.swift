import Crypto
package import Instruments

/// Something that some users have and others not yet.
package struct FeatureFlag: Hashable, Sendable {
    /// What code asks for: 1...64 of `a-z`, `0-9`, `_`, `-` and `.`.
    package var name: String
    /// For a person.
    package var note: String
    /// Of all users, 0...100.
    package var percentage: Int
    /// Users for whom it is decided by hand, by the text of their keys.
    package var users: [String: Bool]

    /// Describes a flag.
    ///
    /// - Throws: ``FieldFault`` for a name, note, percentage or number of users that is not accepted.
    package init(
        name: String, note: String = "", percentage: Int, users: [String: Bool] = [:]
    ) throws(FieldFault) {
        let isName = name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "_-.".utf8.contains($0)
        }
        guard isName, (1...64).contains(name.utf8.count) else {
            throw FieldFault("name", name.quoted, accepted: "1...64 of a-z, 0-9, _, - and .")
        }
        guard note.utf8.count <= 500, !note.utf8.contains(0) else {
            throw FieldFault("note", "\(note.utf8.count) bytes", accepted: "at most 500 bytes")
        }
        guard (0...100).contains(percentage) else {
            throw FieldFault("percentage", String(percentage), accepted: "0...100")
        }
        guard users.count <= 1_000 else {
            throw FieldFault("users", "\(users.count) of them", accepted: "at most 1000")
        }
        self.name = name
        self.note = note
        self.percentage = percentage
        self.users = users
    }

    /// Whether a user has it: who once had it at a percentage has it at each higher one.
    ///
    /// - Parameter user: The text of the user's key.
    /// - Returns: The same at each call.
    package func isOn(for user: String) -> Bool {
        if let decided = users[user] { return decided }
        let digest = SHA256.hash(data: Array("\(name)\u{0}\(user)".utf8))
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number % 100 < UInt64(clamping: percentage)
    }
}

/// Where a sealed secret lies: it opens there and nowhere else.
///
/// All parts are authenticated, so that neither a row of another user nor another row of the same user can
/// be given a secret that is not its own.
package struct SealingContext: Hashable, Sendable {
    /// The text of the key of whose it is; empty for the installation's own.
    package var user: String
    /// The text of the key of its row.
    package var row: String
    /// What it is for, a word.
    package var purpose: String

    /// Names a place; no part has a `|`.
    package init(user: String, row: String, purpose: String) {
        self.user = user
        self.row = row
        self.purpose = purpose
    }

    /// What is authenticated of the secret itself: it stays when keys are replaced.
    var secretContext: [UInt8] { Array("\(user)|\(row)|\(purpose)".utf8) }

    /// What is authenticated of the secret's own key, which is sealed with a key of the file.
    func keyContext(_ number: UInt8) -> [UInt8] { Array("\(user)|\(row)|\(number)|\(purpose)".utf8) }

    /// What was authenticated before each secret had a key of its own.
    func formerContext(_ number: UInt8) -> [UInt8] { Array("\(user)|\(purpose)|\(number)".utf8) }
}

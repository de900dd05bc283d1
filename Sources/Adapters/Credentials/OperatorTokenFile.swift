package import Accounts
import Glibc

/// The file with the token of whoever works on the machine itself: `operator.token`, which only its owner may
/// read.
package enum OperatorTokenFile {
    /// The token of a file; one is made where there is no file.
    ///
    /// - Throws: ``SealingFault`` when it cannot be made or read, others may read it, or it has no token.
    package static func made(_ path: String) throws(SealingFault) -> TokenText {
        try KeyFile.make(path, with: "\(TokenText.ofOperator(Secrets.bytes(32)).text)\n")
        return try token(path)
    }

    /// Takes the file away, so that the next token is another one.
    ///
    /// A process that stopped without a word leaves the address that it listened at behind, and whoever
    /// listens there meanwhile may be shown the token: it opens nothing once there is a gateway again.
    package static func remove(_ path: String) { unlink(path) }

    /// The token of a file.
    ///
    /// - Throws: As ``made(_:)``, also where there is no file.
    package static func token(_ path: String) throws(SealingFault) -> TokenText {
        let text = try KeyFile.text(path).filter { !$0.isWhitespace }
        guard let token = try? TokenText(parsing: text), token.isOperators else {
            throw SealingFault(
                description: "\(path) has no operator's token; remove it, and start the gateway again")
        }
        return token
    }
}

package import Instruments

/// Why an account cannot be changed as asked; nothing was stored then.
package enum AccountRefused: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value that is not accepted.
    case fault(FieldFault)
    /// Another account has this address.
    case emailTaken
    /// There is no such account.
    case noSuchAccount
    /// As many as one user may have are there.
    case quota(QuotaFault)
    /// The passkey is registered already.
    case passkeyTaken
    /// Another account is linked with this person at Apple.
    case appleTaken
    /// Nobody could sign in any more.
    case onlyWayIn
    /// It would leave the installation without anybody to run it.
    case lastOperator

    /// One line for a person.
    package var description: String {
        switch self {
        case .fault(let fault): fault.description
        case .emailTaken: "another account has this address"
        case .noSuchAccount: "there is no such account"
        case .quota(let fault): fault.description
        case .passkeyTaken: "this passkey is registered already"
        case .appleTaken: "another account is linked with this Apple Account"
        case .onlyWayIn: "it is the only way in; set a password or add a passkey first"
        case .lastOperator: "this is the last operator; make another one first"
        }
    }
}

/// Why a passkey's answer is not accepted.
package enum PasskeyFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not built as it must be.
    case malformed(String)
    /// It answers another question than the one that was asked: challenge, origin, site or kind differ.
    case mismatched(String)
    /// The person was not present, or not verified though that was asked for.
    case unverified(String)
    /// The signature is not that of the key.
    case badSignature
    /// The key's counter went back or stood still: there may be a copy of the key.
    case copied
    /// An algorithm or statement of attestation that is not taken.
    case unsupported(String)

    /// One line for a person.
    package var description: String {
        switch self {
        case .malformed(let what): "the passkey's answer has \(what)"
        case .mismatched(let what): "the passkey's answer is for another \(what)"
        case .unverified(let what): "the passkey says that the person was not \(what)"
        case .badSignature: "the passkey's signature is wrong"
        case .copied: "the passkey's counter went back, as that of a copy does"
        case .unsupported(let what): "\(what) is not supported"
        }
    }
}

import Venues
import Web

/// Whether a venue answers from here, as one request told.
package enum VenueAnswer: Hashable, Sendable {
    /// It sent what was asked for.
    case answers
    /// It did not, and why: one clause for a person.
    case refuses(String)

    /// What a status and a body mean.
    ///
    /// - Parameters:
    ///   - status: As it was answered.
    ///   - isReadable: Whether the body of a 200 is what was asked for.
    init(status: Int, isReadable: Bool) {
        self =
            switch status {
            case 200 where isReadable: .answers
            case 200: .refuses("something else answers in its place: what came is not its list")
            // Asks for patience, which is an answer.
            case 418, 429: .answers
            // Source: RFC 9110, 15.5.4, and RFC 7725: forbidden, and unavailable for legal reasons.
            case 403: .refuses("it does not let this address in, perhaps for its region (status 403)")
            case 451: .refuses("it does not serve this region (status 451)")
            case 500...599: .refuses("it is in trouble (status \(status))")
            default: .refuses("it answers with status \(status)")
            }
    }

    /// What no answer means.
    init(_ error: WebError) {
        self =
            switch error {
            case .nameUnresolved(let host, _): .refuses("the name \(host) is not known here (DNS)")
            case .connectFailed(let host, let port, let reason):
                .refuses("no connection to \(host):\(port): \(reason)")
            case .tlsFailed(let host, let reason): .refuses("no safe connection to \(host) (TLS): \(reason)")
            case .timedOut(_, let limit): .refuses("no answer within \(limit)")
            default: .refuses(error.description)
            }
    }
}

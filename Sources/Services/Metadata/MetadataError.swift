package import Web

/// Why there is no metadata.
package enum MetadataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not what the provider documents.
    case malformed
    /// The provider answers with another status than 200, and may say how long to wait.
    case refused(status: Int, retryAfter: Duration?)
    /// No answer came.
    case unanswered(WebError)

    /// One clause for a person.
    package var description: String {
        switch self {
        case .malformed: "the answer is not what the provider documents"
        case .refused(let status, _): "the provider answers with status \(status)"
        case .unanswered(let error): "no answer: \(error)"
        }
    }

    /// How long the provider asks to wait.
    var retryAfter: Duration? {
        guard case .refused(_, let wait) = self else { return nil }
        return wait
    }
}

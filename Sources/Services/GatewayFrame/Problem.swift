package import HTTPTypes

/// Why a request was refused or failed; thrown anywhere, it becomes the answer (RFC 9457).
///
/// Everything in it is told to the client: no SQL, no names of files, no secrets.
package struct Problem: Error, Hashable, Sendable {
    /// What a program looks at; never renamed.
    package var code: Code
    /// One sentence for a person: what is wrong, and what to do.
    package var detail: String
    /// The field, parameter or header that is refused.
    package var field: String?
    /// What it had, shortened.
    package var value: String?
    /// What it may have.
    package var accepted: String?
    /// Of a file that is refused: what else is to be said of its lines.
    package var remarks: [Remark] = []
    /// Seconds after which it may go well.
    package var retryAfter: Int?
    /// Further headers of the answer, such as a challenge.
    package var headers = HTTPFields()

    /// What is to be said of a line of a file.
    package struct Remark: Hashable, Sendable {
        /// From 1.
        package var line: Int
        package var reason: String

        package init(line: Int, reason: String) { (self.line, self.reason) = (line, reason) }
    }

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// A field, parameter or header that is refused.
    package static func invalid(_ field: String, _ value: String?, accepted: String) -> Problem {
        let shown = value.map { text in text.count > 120 ? "\(text.prefix(120))…" : text }
        var problem = Problem(
            .invalidField, "\(field)\(shown.map { " is \"\($0)\"" } ?? " is missing"); accepted: \(accepted)")
        problem.field = field
        problem.value = shown
        problem.accepted = accepted
        return problem
    }

    /// What does not exist, or belongs to somebody else.
    package static func notFound(_ what: String) -> Problem { Problem(.notFound, "there is no \(what)") }
}

extension Problem {
    /// The stable words for what can go wrong.
    package enum Code: String, CaseIterable, Sendable {
        case badRequest = "bad-request"
        case invalidField = "invalid-field"
        case malformedJSON = "malformed-json"
        case unsupportedMediaType = "unsupported-media-type"
        case unauthenticated
        case forbidden
        case notFound = "not-found"
        case methodNotAllowed = "method-not-allowed"
        case conflict
        case duplicate
        case payloadTooLarge = "payload-too-large"
        case headerTooLarge = "header-too-large"
        case tooDeep = "too-deep"
        case tooSlow = "too-slow"
        case rateLimited = "rate-limited"
        case crossSite = "cross-site"
        case wrongHost = "wrong-host"
        case idempotencyMismatch = "idempotency-mismatch"
        case idempotencyInProgress = "idempotency-in-progress"
        case weakPassword = "weak-password"
        case throttled
        case secondFactorRequired = "second-factor-required"
        case expired
        case unavailable
        case preconditionFailed = "precondition-failed"
        case `internal`

        /// The status that comes with it.
        var status: HTTPResponse.Status {
            switch self {
            case .badRequest, .malformedJSON, .tooDeep: .badRequest
            case .invalidField, .idempotencyMismatch, .weakPassword: .unprocessableContent
            case .unsupportedMediaType: .unsupportedMediaType
            case .unauthenticated, .secondFactorRequired: .unauthorized
            case .forbidden, .crossSite: .forbidden
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .conflict, .duplicate, .idempotencyInProgress: .conflict
            case .payloadTooLarge: .contentTooLarge
            case .headerTooLarge: .requestHeaderFieldsTooLarge
            case .tooSlow: .requestTimeout
            case .wrongHost: .misdirectedRequest
            case .rateLimited, .throttled: .tooManyRequests
            case .expired: .gone
            case .unavailable: .serviceUnavailable
            case .preconditionFailed: .preconditionFailed
            case .internal: .internalServerError
            }
        }

        /// The same for every problem of this code.
        var title: String {
            switch self {
            case .badRequest: "The request cannot be understood"
            case .invalidField: "A field is refused"
            case .malformedJSON: "The body is not JSON"
            case .unsupportedMediaType: "The body's type is not accepted"
            case .unauthenticated: "Sign in first"
            case .forbidden: "Not allowed"
            case .notFound: "Not found"
            case .methodNotAllowed: "Method not allowed"
            case .conflict: "It has changed or is in use"
            case .duplicate: "It exists already"
            case .payloadTooLarge: "The body is too large"
            case .headerTooLarge: "The header is too large"
            case .tooDeep: "The body is nested too deep"
            case .tooSlow: "The body came too slowly"
            case .rateLimited: "Too many requests"
            case .crossSite: "The request came from another site"
            case .wrongHost: "The request was sent to another host"
            case .idempotencyMismatch: "The key was used for another request"
            case .idempotencyInProgress: "The first request with this key is not done"
            case .weakPassword: "The password is too weak"
            case .throttled: "Too many attempts"
            case .secondFactorRequired: "A second factor is needed"
            case .expired: "It is no longer valid"
            case .unavailable: "Not available right now"
            case .preconditionFailed: "It has changed"
            case .internal: "Something failed here"
            }
        }
    }
}

import HTTPTypes
import Instruments
package import Shapes

/// How requests fail, as the document tells it: one answer for each status.
package enum ProblemAnswer: String, CaseIterable, Sendable {
    case badRequest = "BadRequest"
    case unauthenticated = "Unauthenticated"
    case forbidden = "Forbidden"
    case notFound = "NotFound"
    case tooSlow = "TooSlow"
    case conflict = "Conflict"
    case expired = "Expired"
    case preconditionFailed = "PreconditionFailed"
    case payloadTooLarge = "PayloadTooLarge"
    case unsupportedMediaType = "UnsupportedMediaType"
    case invalidField = "InvalidField"
    case rateLimited = "RateLimited"
    case `internal` = "Internal"
    case unavailable = "Unavailable"

    var status: Int { example.code.status.code }

    /// As answers refer to it.
    var reference: DocumentNode { ["$ref": .text("#/components/responses/\(rawValue)")] }

    /// As it stands among the components.
    var node: DocumentNode {
        var members: [DocumentNode.Member] = [.init("description", .text(text))]
        if self == .rateLimited || self == .unavailable {
            let header: DocumentNode = ["$ref": "#/components/headers/RetryAfter"]
            members.append(.init("headers", ["Retry-After": header]))
        }
        let content: DocumentNode = ["schema": Problem.schema.node, "example": example.sample]
        members.append(.init("content", ["application/problem+json": content]))
        return .object(members)
    }

    private var text: String {
        switch self {
        case .badRequest: "The request cannot be understood, or its body is not JSON."
        case .conflict: "It has changed, is there already, or is being done."
        default: example.code.title + "."
        }
    }

    private var example: Problem {
        switch self {
        case .badRequest: Problem(.badRequest, "the path is not UTF-8")
        case .unauthenticated: Problem(.unauthenticated, "sign in, or send a token")
        case .forbidden: Problem(.forbidden, "this needs the scope market:read")
        case .notFound: .notFound("instrument kraken:NOPE")
        case .tooSlow: Problem(.tooSlow, "the body did not come within 20.0 seconds")
        case .conflict: Problem(.duplicate, "it exists already")
        case .expired: Problem(.expired, "the link is older than a day")
        case .preconditionFailed: Problem(.preconditionFailed, "somebody else has changed it")
        case .payloadTooLarge: Problem(.payloadTooLarge, "the body is larger than 1048576 bytes")
        case .unsupportedMediaType:
            Problem(
                .unsupportedMediaType,
                "the body's type is \"text/plain\"; accepted: application/json in UTF-8")
        case .invalidField: .invalid("limit", "0", accepted: "a whole number, 1...500")
        case .rateLimited: Problem(.rateLimited, "too many requests; wait, or ask for less at once")
        case .internal:
            Problem(.internal, "something failed here; tell the operator the request 3f2a91c0-42")
        case .unavailable: Problem(.unavailable, "the database does not answer; try again in a moment")
        }
    }
}

extension Problem.Remark: WireBody {
    package static let shape = BodyShape<Problem.Remark>("Remark") {
        Field("line", \.line, "From 1.", example: 3)
        Field(
            "reason", \.reason, "Why not all of it would be taken, or what is odd.",
            example: "it is there already")
    }
}

extension Problem: WireBody {
    /// The members of RFC 9457 and ours.
    package static let shape = BodyShape<Problem>("Problem", "RFC 9457.") {
        Field(ifPresent: "accepted", \.accepted, "What is right.")
        Field(
            "code", \.code.rawValue, "Stable; what a program looks at.",
            as: .words(Code.allCases.map(\.rawValue)))
        Field("detail", \.detail, "One sentence for a person: what is wrong, and what to do.")
        Field(ifPresent: "field", \.field, "The field, parameter or header that is refused.")
        Field(
            ifPresent: "remarks", { $0.remarks.isEmpty ? nil : $0.remarks },
            "Of a file that is refused: lines of which not all would be taken, or that are odd, and why.")
        Field("status", \.code.status.code)
        Field("title", \.code.title, "The same for every problem of this code.")
        Field("type", { "/problems/\($0.code.rawValue)" }, as: .text("uri-reference"))
        Field(ifPresent: "value", \.value, "What it had, shortened.")
    }

    /// As an example shows it.
    var sample: DocumentNode {
        var members: [DocumentNode.Member] = []
        if let accepted { members.append(.init("accepted", .text(accepted))) }
        members.append(.init("code", .text(code.rawValue)))
        members.append(.init("detail", .text(detail)))
        if let field { members.append(.init("field", .text(field))) }
        members.append(.init("status", .integer(Int64(code.status.code))))
        members.append(.init("title", .text(code.title)))
        members.append(.init("type", .text("/problems/\(code.rawValue)")))
        if let value { members.append(.init("value", .text(value))) }
        return .object(members)
    }

    /// Why a body is not taken.
    package init(_ fault: InputFault) {
        switch fault {
        case .refused(let fault):
            self = .invalid(
                fault.field.isEmpty ? "body" : fault.field, fault.value?.unquoted, accepted: fault.accepted)
        case .unknown(let field, let known):
            let accepted = "no such field; known are \(known.joined(separator: ", "))"
            self.init(.invalidField, "\(field) is \(accepted)")
            (self.field, self.accepted) = (field, accepted)
        }
    }
}

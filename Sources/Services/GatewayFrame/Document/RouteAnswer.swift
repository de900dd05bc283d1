import HTTPTypes
package import Hummingbird
import JSON
package import NIOCore
package import Shapes

/// What a route gives, of which the document says what is known by its type.
package protocol RouteAnswer: SendableMetatype {
    /// Each status that it may have besides problems.
    static var documents: [AnswerDocument] { get }
    var response: Response { get }
}

/// An answer whose bytes are there at once, so that it can be kept with what it tells.
package protocol KeepableAnswer: RouteAnswer {
    var kept: KeptAnswer { get }
}

extension KeepableAnswer {
    package var response: Response { kept.response }
}

/// An answer as the document shows it.
package struct AnswerDocument: Sendable {
    var status: Int
    var text: String
    /// The body's type, what it may be, and one such; `nil` for no body.
    var content: (type: String, schema: Schema, example: DocumentNode)?
    /// Names of components.
    package var headers: [String] = []
    /// Whether it is written piece by piece, so that nothing is known of it before its end, and no ETag.
    var isInPieces: Bool
    /// The same in other forms, for whoever asks for them.
    package var otherForms: [(type: String, schema: Schema, example: DocumentNode)] = []

    package init(
        status: Int, text: String, content: (type: String, schema: Schema, example: DocumentNode)? = nil,
        isInPieces: Bool = false
    ) {
        (self.status, self.text) = (status, text)
        (self.content, self.isInPieces) = (content, isInPieces)
    }

    /// JSON of a type.
    package static func json<Body: WireValue>(
        _ status: Int, _ text: String, _ type: Body.Type
    ) -> AnswerDocument {
        AnswerDocument(
            status: status, text: text, content: ("application/json", type.schema, type.schema.sample))
    }

    var node: DocumentNode {
        var members: [DocumentNode.Member] = [.init("description", .text(text))]
        if !headers.isEmpty {
            members.append(
                .init(
                    "headers",
                    .object(
                        headers.map { name in
                            let reference = "#/components/headers/\(name.filter { $0 != "-" })"
                            return .init(name, ["$ref": .text(reference)])
                        })))
        }
        let forms = (content.map { [$0] } ?? []) + otherForms
        if !forms.isEmpty {
            members.append(
                .init(
                    "content",
                    .object(
                        forms.map { form in
                            .init(form.type, ["schema": form.schema.node, "example": form.example])
                        })))
        }
        return .object(members)
    }
}

/// 200 with a body.
package struct OK<Body: WireValue>: KeepableAnswer {
    package static var documents: [AnswerDocument] { [.json(200, "It is so.", Body.self)] }

    var body: Body
    var freshness: CachePolicy

    package init(_ body: Body, freshness: CachePolicy = .never) {
        (self.body, self.freshness) = (body, freshness)
    }

    package var kept: KeptAnswer { KeptAnswer(.ok, body) }
    package var response: Response { .json(body.buffer, freshness: freshness) }
}

/// 201 with what was made, and where it is.
package struct Created<Body: WireValue>: KeepableAnswer {
    package static var documents: [AnswerDocument] { [.json(201, "It was made.", Body.self)] }

    var body: Body
    /// The path; `nil` for what has none of its own.
    var path: String?

    package init(_ body: Body, at path: String? = nil) { (self.body, self.path) = (body, path) }

    package var kept: KeptAnswer { KeptAnswer(.created, body, at: path) }
}

/// 201 with what was made, or 200 with what was there already.
package struct CreatedOrKnown<Body: WireValue>: KeepableAnswer {
    package static var documents: [AnswerDocument] {
        [.json(200, "It was there already.", Body.self)] + Created<Body>.documents
    }

    var body: Body
    /// Where what was made is; `nil` for what was there already.
    var path: String?

    package init(_ body: Body, madeAt path: String?) { (self.body, self.path) = (body, path) }

    package var kept: KeptAnswer { KeptAnswer(path == nil ? .ok : .created, body, at: path) }
}

/// 202: it will be done, and nobody knows yet how it ends.
package struct Accepted<Body: WireValue>: KeepableAnswer {
    package static var documents: [AnswerDocument] { [.json(202, "It will be done.", Body.self)] }

    var body: Body

    package init(_ body: Body) { self.body = body }

    package var kept: KeptAnswer { KeptAnswer(.accepted, body) }
}

/// 204: it is done, and there is nothing to say.
package struct NoContent: KeepableAnswer {
    package init() {}

    package static let documents = [AnswerDocument(status: 204, text: "It is done.")]

    package var kept: KeptAnswer { .noContent }
}

/// Another answer with a session's cookie.
package struct WithCookie<Answer: RouteAnswer>: RouteAnswer {
    package static var documents: [AnswerDocument] {
        Answer.documents.map { document in
            var document = document
            document.headers.append("Set-Cookie")
            return document
        }
    }

    var answer: Answer
    var cookie: String

    package init(_ answer: Answer, _ cookie: String) { (self.answer, self.cookie) = (answer, cookie) }

    package var response: Response {
        var response = answer.response
        response.headers[.setCookie] = cookie
        return response
    }
}

extension WireValue {
    /// The JSON as a body.
    package var buffer: ByteBuffer { ByteBuffer(bytes: json) }
}

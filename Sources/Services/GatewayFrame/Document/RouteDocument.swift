import Accounts
import HTTPTypes
package import Shapes

/// A route as the document shows it.
package struct RouteDocument: Sendable {
    /// What a request's body is.
    package struct Body: Sendable {
        var type: any Described.Type
        var isRequired: Bool
        var mediaType: String

        package init(
            type: any Described.Type, isRequired: Bool = true, mediaType: String = "application/json"
        ) {
            (self.type, self.isRequired, self.mediaType) = (type, isRequired, mediaType)
        }
    }

    var operation: Operation
    var body: Body?
    var parameters: [ParameterDocument]
    var answers: [AnswerDocument]

    package init(
        operation: Operation, body: Body? = nil, parameters: [ParameterDocument] = [],
        answers: [AnswerDocument]
    ) {
        (self.operation, self.body) = (operation, body)
        (self.parameters, self.answers) = (parameters, answers)
    }

    /// The bodies that it speaks of.
    var bodies: [any Described.Type] {
        (body.map { [$0.type] } ?? []) + parameters.flatMap { $0.schema.bodies }
            + answers.flatMap { ($0.content?.schema.bodies ?? []) + $0.otherForms.flatMap(\.schema.bodies) }
    }

    /// The operation among those of its path.
    func node(_ name: RouteTable.Name, _ rules: RouteRules) -> DocumentNode {
        var members: [DocumentNode.Member] = [
            .init("tags", [.text(operation.tag.rawValue)]), .init("operationId", .text(operation.id)),
            .init("summary", .text(operation.summary)),
        ]
        if !operation.description.isEmpty {
            members.append(.init("description", .text(operation.description)))
        }
        members.append(.init("security", rules.access.node))
        let parameters = all(name, rules)
        if !parameters.isEmpty { members.append(.init("parameters", .list(parameters.map(\.node)))) }
        if let body {
            let content: DocumentNode = [
                "schema": Schema.body(body.type).node, "example": body.type.document.sample,
            ]
            members.append(
                .init(
                    "requestBody",
                    [
                        "required": .bool(body.isRequired),
                        "content": .object([.init(body.mediaType, content)]),
                    ]))
        }
        members.append(.init("responses", responses(name, rules)))
        return .object(members)
    }

    private func all(_ name: RouteTable.Name, _ rules: RouteRules) -> [ParameterDocument] {
        let parts = name.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
            ParameterDocument.path(String(part.dropFirst().dropLast()))
        }
        let takesKey = rules.creates && !parameters.contains { $0.name == "Idempotency-Key" }
        return parts + parameters + (takesKey ? [.idempotencyKey] : [])
    }

    private func responses(_ name: RouteTable.Name, _ rules: RouteRules) -> DocumentNode {
        var members: [Int: DocumentNode] = [:]
        for problem in problems(name, rules) { members[problem.status] = problem.reference }
        for answer in answers {
            var answer = answer
            if name.method == .get, answer.status == 200, !answer.isInPieces {
                answer.headers.append("ETag")
                members[304] = ["description": "Nothing has changed since the ETag in If-None-Match."]
            }
            members[answer.status] = answer.node
        }
        return .object(members.sorted { $0.key < $1.key }.map { .init("\($0.key)", $0.value) })
    }

    private func problems(_ name: RouteTable.Name, _ rules: RouteRules) -> Set<ProblemAnswer> {
        var problems: Set<ProblemAnswer> = [.badRequest, .rateLimited, .internal, .unavailable]
        if rules.access != .anonymous { problems.formUnion([.unauthenticated, .forbidden]) }
        if rules.query != nil || body != nil { problems.insert(.invalidField) }
        if name.path.contains("{") { problems.insert(.notFound) }
        if name.method != .get {
            problems.formUnion([.forbidden, .tooSlow, .payloadTooLarge])
            if !rules.takesAnyBody { problems.insert(.unsupportedMediaType) }
        }
        if rules.creates { problems.formUnion([.conflict, .invalidField]) }
        return problems.union(operation.problems)
    }
}

extension Access {
    /// Each way in, as scheme and scopes; an empty one for nobody in particular.
    fileprivate var node: DocumentNode {
        switch self {
        case .anonymous: []
        case .open: [[:], ["session": []], ["token": []]]
        case .market: [[:], ["session": []], ["token": ["market:read"]]]
        case .scope(let scope): [["session": []], ["token": [.text(scope.rawValue)]]]
        case .session, .owner: [["session": []]]
        }
    }
}

import HTTPTypes
import Hummingbird
package import Shapes

/// Routes that make something: each takes an `Idempotency-Key`, and under one makes it once.
///
/// There is no other way to declare one, so that none can forget that what it does and its answer are one
/// transaction. What tells others of it (a letter, a message) is a row of an outbox in the same transaction.
extension RouteTable {
    /// Adds a route that makes something of a body.
    ///
    /// - Parameters:
    ///   - path: Such as `/v1/alerts`.
    ///   - access: Who may.
    ///   - operation: What the document says of it.
    ///   - weight: What it costs of the rate limit, 1 or more.
    ///   - takesFile: Whether the body may be a large one of the terminal.
    ///   - query: The parameters that it knows.
    ///   - prepare: Says what is to be made; it makes nothing itself.
    package func create<Body: WireInput, Answer: KeepableAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5, takesFile: Bool = false,
        query: [any QueryParameter] = [],
        use prepare: @escaping @Sendable (Body, GatewayContext) async throws -> Creation<Answer>
    ) {
        let document = RouteDocument(
            operation: operation,
            body: RouteDocument.Body(type: Body.self, isRequired: Body.whenMissing == nil),
            parameters: query.map(\.document), answers: Answer.documents)
        create(path, RouteRules(access: access, weight: weight), document, takesFile: takesFile) { context in
            try await prepare(context.read(Body.self), context)
        }
    }

    /// Adds a route that makes something without being told more than its path.
    package func create<Answer: KeepableAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use prepare: @escaping @Sendable (GatewayContext) async throws -> Creation<Answer>
    ) {
        let document = RouteDocument(
            operation: operation, body: nil, parameters: query.map(\.document), answers: Answer.documents)
        create(path, RouteRules(access: access, weight: weight), document, takesFile: false, prepare)
    }

    private func create<Answer: KeepableAnswer>(
        _ path: String, _ rules: RouteRules, _ document: RouteDocument, takesFile: Bool,
        _ prepare: @escaping @Sendable (GatewayContext) async throws -> Creation<Answer>
    ) {
        var rules = rules
        (rules.creates, rules.takesFile) = (true, takesFile)
        add(.post, path, rules, document) { [answers = admission.answers] request, context in
            try await answers.run(request, context) { try await prepare(context) }
        }
    }
}

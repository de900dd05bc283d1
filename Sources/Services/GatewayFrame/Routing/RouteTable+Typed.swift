package import HTTPTypes
package import Hummingbird
package import Shapes

/// Routes that say by their types what they take and give: their reading, their refusals and their part of
/// the document are made of that.
extension RouteTable {
    /// Adds a route that reads.
    ///
    /// - Parameters:
    ///   - path: Such as `/v1/alerts/{id}`.
    ///   - access: Who may.
    ///   - operation: What the document says of it.
    ///   - weight: What it costs of the rate limit, 1 or more.
    ///   - query: The parameters that it knows.
    ///   - action: What it does.
    package func get<Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 1,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (GatewayContext) async throws -> Answer
    ) {
        add(.get, path, RouteRules(access: access, weight: weight), operation, query, Answer.documents) {
            _, context in try await action(context).response
        }
    }

    /// Adds a route that does something, without a body.
    package func post<Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (GatewayContext) async throws -> Answer
    ) {
        add(.post, path, RouteRules(access: access, weight: weight), operation, query, Answer.documents) {
            _, context in try await action(context).response
        }
    }

    /// Adds a route that does something with a body; one that `takesFile` takes a large one of the terminal.
    package func post<Body: WireInput, Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        takesFile: Bool = false, query: [any QueryParameter] = [],
        use action: @escaping @Sendable (Body, GatewayContext) async throws -> Answer
    ) {
        var rules = RouteRules(access: access, weight: weight)
        rules.takesFile = takesFile
        add(.post, path, rules, operation, query, action)
    }

    /// The same for an action that looks at more of a request than its body: `headers` are what it reads.
    package func post<Body: WireInput, Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        headers: [ParameterDocument] = [], query: [any QueryParameter] = [],
        use action: @escaping @Sendable (Body, Request, GatewayContext) async throws -> Answer
    ) {
        let document = RouteDocument(
            operation: operation,
            body: RouteDocument.Body(type: Body.self, isRequired: Body.whenMissing == nil),
            parameters: query.map(\.document) + headers, answers: Answer.documents)
        add(.post, path, RouteRules(access: access, weight: weight), document) { request, context in
            try await action(context.read(Body.self), request, context).response
        }
    }

    /// Adds a route that replaces.
    package func put<Body: WireInput, Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (Body, GatewayContext) async throws -> Answer
    ) {
        add(.put, path, RouteRules(access: access, weight: weight), operation, query, action)
    }

    /// Adds a route that changes a part.
    package func patch<Body: WireInput, Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (Body, GatewayContext) async throws -> Answer
    ) {
        add(.patch, path, RouteRules(access: access, weight: weight), operation, query, action)
    }

    /// Adds a route that removes.
    package func delete<Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (GatewayContext) async throws -> Answer
    ) {
        add(.delete, path, RouteRules(access: access, weight: weight), operation, query, Answer.documents) {
            _, context in try await action(context).response
        }
    }

    /// Adds a route that removes what its body proves a right to.
    package func delete<Body: WireInput, Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 5,
        query: [any QueryParameter] = [],
        use action: @escaping @Sendable (Body, GatewayContext) async throws -> Answer
    ) {
        add(.delete, path, RouteRules(access: access, weight: weight), operation, query, action)
    }

    /// Adds a route whose answer or request has a form of its own, which is told by hand.
    ///
    /// - Parameters:
    ///   - method: Such as GET.
    ///   - path: Such as `/v1/account/export`.
    ///   - rules: What it asks of a request.
    ///   - document: What the document says of it; its parameters of the query are the ones that it knows,
    ///     but for a route that takes any.
    ///   - action: What it does.
    package func add(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules, _ document: RouteDocument,
        use action: @escaping RouteAction
    ) {
        var rules = rules
        if rules.query != nil {
            rules.query = document.parameters.filter { $0.place == .query }.map(\.name)
        }
        add(method, path, rules, describedBy: document, action)
    }

    private func add<Body: WireInput, Answer: RouteAnswer>(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules, _ operation: Operation,
        _ query: [any QueryParameter],
        _ action: @escaping @Sendable (Body, GatewayContext) async throws -> Answer
    ) {
        let body = RouteDocument.Body(type: Body.self, isRequired: Body.whenMissing == nil)
        add(method, path, rules, operation, query, Answer.documents, body: body) { _, context in
            try await action(context.read(Body.self), context).response
        }
    }

    private func add(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules, _ operation: Operation,
        _ query: [any QueryParameter], _ answers: [AnswerDocument], body: RouteDocument.Body? = nil,
        _ action: @escaping RouteAction
    ) {
        let document = RouteDocument(
            operation: operation, body: body, parameters: query.map(\.document), answers: answers)
        add(method, path, rules, document, use: action)
    }
}

extension GatewayContext {
    /// The body as one of our types.
    ///
    /// - Throws: `malformed-json`, `too-deep` or `invalid-field`.
    package func read<Body: WireInput>(_ type: Body.Type = Body.self) throws(Problem) -> Body {
        if body.readableBytes == 0, let value = type.whenMissing { return value }
        return try JSONInput.body(Array(body.readableBytesView))
    }
}

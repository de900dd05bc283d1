import HTTPTypes
package import Hummingbird

/// What a route does, once the request was let in.
package typealias RouteAction = @Sendable (Request, GatewayContext) async throws -> Response

/// All routes, as each area adds its own.
///
/// Every route names who may use it, so that none is open by having been forgotten.
package final class RouteTable {
    /// A route as OpenAPI writes it.
    struct Name: Hashable, Sendable {
        var method: HTTPRequest.Method
        var path: String
    }

    /// What was added, in that order.
    private(set) var names: [Name] = []
    /// What each of them asks of a request.
    private(set) var rules: [Name: RouteRules] = [:]
    /// What the document says of each.
    private(set) var documents: [Name: RouteDocument] = [:]
    /// Files of the page.
    private(set) var files: [Name] = []
    private let router = Router(context: GatewayContext.self)
    let admission: RequestAdmission

    package init(admission: RequestAdmission) { self.admission = admission }

    /// Adds a file of the page, which is no part of the API's description.
    func file(_ path: String, use action: @escaping RouteAction) {
        files.append(Name(method: .get, path: path))
        route(.get, path, RouteRules(access: .anonymous, query: nil), action)
    }

    /// Adds an address to which pages of other sites post forms, and which believes none of it.
    package func form(_ path: String, use action: @escaping RouteAction) {
        files.append(Name(method: .post, path: path))
        var rules = RouteRules(access: .anonymous, weight: 5, takesAnyBody: true, query: nil)
        rules.isForOtherSites = true
        route(.post, path, rules, action)
    }

    /// The router, when everything was added.
    func buildResponder() -> RouterResponder<GatewayContext> { router.buildResponder() }

    /// Adds a route that is described.
    func add(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules,
        describedBy document: RouteDocument, _ action: @escaping RouteAction
    ) {
        add(method, path, rules, action)
        documents[Name(method: method, path: path)] = document
    }

    private func add(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules, _ action: @escaping RouteAction
    ) {
        let name = Name(method: method, path: path)
        names.append(name)
        self.rules[name] = rules
        route(method, path, rules, action)
    }

    private func route(
        _ method: HTTPRequest.Method, _ path: String, _ rules: RouteRules, _ action: @escaping RouteAction
    ) {
        admission.services.rates.makeRoom(for: rules.weight)
        router.on(RouterPath(path), method: method) { [admission] request, context in
            try await admission.admit(request, context, rules, action)
        }
    }
}

/// What a route asks of a request before it acts.
package struct RouteRules: Hashable, Sendable {
    var access: Access
    var weight: Int
    /// Whether it makes something, once under an `Idempotency-Key`.
    var creates = false
    var takesAnyBody: Bool
    /// Whether its body is a file, which may be larger where somebody works on the machine itself.
    var takesFile = false
    /// Whether pages of other sites may post to it.
    var isForOtherSites = false
    /// The parameters behind the question mark that it knows; `nil` takes any.
    var query: [String]?

    package init(
        access: Access, weight: Int = 1, takesAnyBody: Bool = false, query: [String]? = []
    ) {
        (self.access, self.weight) = (access, weight)
        (self.takesAnyBody, self.query) = (takesAnyBody, query)
    }
}

extension [String] {
    /// The parameters of a list that is told in parts.
    static let page = ["limit", "cursor"]
}

/// Which methods a path has, for the answer 405.
struct RouteNames: Sendable {
    private let routes: [(method: HTTPRequest.Method, parts: [Substring])]

    init(_ names: [RouteTable.Name]) {
        routes = names.map { ($0.method, $0.path.split(separator: "/")) }
    }

    /// The methods; empty when there is no such path.
    func methods(of path: String) -> [HTTPRequest.Method] {
        let parts = path.split(separator: "/")
        return routes.filter { route in
            route.parts.count == parts.count
                && zip(route.parts, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map(\.method)
    }
}

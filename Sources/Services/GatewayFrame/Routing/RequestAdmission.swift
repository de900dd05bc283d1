package import AccountStore
import Accounts
import HTTPTypes
package import Hummingbird
import JSON
import NIOCore
import Store

/// What every request passes before its route acts: who asks, from where, how often, with which body.
package struct RequestAdmission: Sendable {
    /// Finds out who asks; `nil` for nobody, a `Problem` for a credential that is not valid.
    package typealias Identify = @Sendable (Request, GatewayContext) async throws -> Identity?

    package let identify: Identify
    package let services: RequestServices
    /// What makes something is run by it.
    let answers: IdempotentAnswers
    private let bodies: BodyReader

    package init(identify: @escaping Identify, services: RequestServices) {
        self.identify = identify
        self.services = services
        bodies = BodyReader(timeout: services.configuration.bodyTimeout)
        answers = IdempotentAnswers(database: services.database)
    }

    /// Counts a request by its client's address, before anything is looked up for it.
    ///
    /// - Throws: `rate-limited`.
    func countByAddress(_ context: GatewayContext) throws(Problem) -> RateLimiter.Outcome {
        try services.rates.take(1, for: .at(context.client), at: services.monotonic())
    }

    /// Lets a request in, or throws the `Problem` that is its answer.
    func admit(
        _ request: Request, _ context: GatewayContext, _ rules: RouteRules, _ action: RouteAction
    ) async throws -> Response {
        var context = context
        context.command = "\(request.method.rawValue) \(context.endpointPath ?? "")"
        let isReading = request.method == .get || request.method == .head
        if !isReading, !rules.isForOtherSites {
            try CrossSite.check(
                request.headers, authority: request.head.authority, page: services.configuration.pageURL)
        }
        if rules.access != .anonymous { context.identity = try await identify(request, context) }
        let outcome = try count(rules.weight, context)
        do {
            try rules.access.check(
                context.identity, marketIsPublic: services.configuration.marketIsPublic)
            if let known = rules.query { try context.query.check(knows: known) }
            if !isReading {
                let isLarge = rules.takesFile && context.identity?.isTerminal == true
                context.body = try await bodies.read(
                    request, atMost: isLarge ? BodyReader.fileLimit : BodyReader.limit)
                if !rules.takesAnyBody { try Self.checkType(of: context.body, request.headers) }
                // Whoever sends a body means something by it: what is broken removes nothing.
                if request.method == .delete, context.body.readableBytes > 0 {
                    _ = try JSONInput.read(Array(context.body.readableBytesView))
                }
            }
            var response = try await action(request, context)
            outcome?.write(to: &response.headers)
            return response
        } catch var problem as Problem {
            outcome?.write(to: &problem.headers)
            throw problem
        }
    }

    /// Counts a request for who asks; what is told is the account's standing, where there is one, else the
    /// address's after all that this request takes.
    private func count(_ weight: Int, _ context: GatewayContext) throws(Problem) -> RateLimiter.Outcome? {
        // Whoever may start programs here may also repeat commands in a script: each counts as one request.
        if context.identity?.isTerminal == true { return nil }
        let now = services.monotonic()
        var ofAddress: RateLimiter.Outcome?
        if weight > 1 {
            ofAddress = try services.rates.take(weight - 1, for: .at(context.client), at: now, before: 1)
        }
        guard let identity = context.identity else { return ofAddress }
        return try services.rates.take(weight, for: identity, at: now)
    }

    /// A body is JSON and says so: no form of another site's page can send that without being asked first.
    private static func checkType(of body: ByteBuffer, _ headers: HTTPFields) throws(Problem) {
        guard body.readableBytes > 0 else { return }
        let whole = headers[.contentType]?.lowercased() ?? ""
        let type = whole.prefix { $0 != ";" && $0 != " " }
        // RFC 8259, 8.1: what systems tell each other is UTF-8.
        let charset = whole.split(separator: ";").lazy.map { $0.filter { $0 != " " && $0 != "\"" } }
            .first { $0.hasPrefix("charset=") }
        guard type == "application/json", charset ?? "charset=utf-8" == "charset=utf-8" else {
            throw Problem(
                .unsupportedMediaType,
                "the body's type is \"\(whole.prefix(60))\"; accepted: application/json in UTF-8")
        }
    }
}

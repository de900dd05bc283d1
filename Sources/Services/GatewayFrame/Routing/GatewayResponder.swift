import Bus
package import HTTPTypes
import Hummingbird
import Logging
import Store

/// Answers every request with something: whatever is thrown below becomes a problem with a stable code.
struct GatewayResponder: HTTPResponder {
    private let routes: RouterResponder<GatewayContext>
    private let names: RouteNames
    /// Files of the page, which are not counted: a page is many of them at once, and they are read from
    /// memory.
    private let files: Set<String>
    private let admission: RequestAdmission
    private let configuration: ServerConfiguration
    private let hosts: HostRule
    private let requestNames: RequestNames
    private let metrics = RouteMetrics()
    private let monotonic: @Sendable () -> Int64

    init(_ table: RouteTable, monotonic: @escaping @Sendable () -> Int64) {
        routes = table.buildResponder()
        names = RouteNames(table.names + table.files)
        files = Set(table.files.filter { $0.method == .get }.map(\.path))
        admission = table.admission
        configuration = admission.services.configuration
        hosts = HostRule(configuration)
        requestNames = RequestNames(instance: admission.services.instance)
        self.monotonic = monotonic
    }

    /// The answer.
    func respond(to request: Request, context: GatewayContext) async throws -> Response {
        let isHead = request.method == .head
        let request = isHead ? request.asGet : request
        var context = context
        context.requestID = requestNames.next()
        context.start = monotonic()
        context.client = ClientAddress.of(
            peer: context.client, forwarded: request.headers[values: .xForwardedFor],
            trusted: configuration.proxies)
        context.logger[metadataKey: "request.id"] = .string(context.requestID)
        var response: Response
        do {
            response = try await AnswerFinish.finish(answer(request, &context), for: request.head)
        } catch {
            response = problem(error, request, context).answer
        }
        SecurityHeaders.write(to: &response.headers, isSecure: configuration.isSecure)
        response.headers[.requestID] = context.requestID
        note(request, context, response)
        return isHead ? response.createHeadResponse() : response
    }

    private func answer(_ request: Request, _ context: inout GatewayContext) async throws -> Response {
        try PathRule.check(request.uri.path)
        // Who watches over us asks by whatever name they know, and learns no more than whether we are well.
        if !request.uri.path.hasPrefix("/health/") {
            try hosts.check(request.uri.host ?? request.head.authority)
        }
        context.query = try RequestQuery(request.uri.query ?? "")
        let isFile = request.method == .get && files.contains(request.uri.path)
        let outcome = isFile ? nil : try admission.countByAddress(context)
        do {
            var response = try await routes.respond(to: request, context: context)
            // Hummingbird's own word for a path or method without a route.
            guard context.endpointPath != "NotFound" else { throw noRoute(request) }
            if response.headers[.rateLimitLimit] == nil { outcome?.write(to: &response.headers) }
            return response
        } catch {
            var problem = problem(error, request, context)
            if problem.headers[.rateLimitLimit] == nil { outcome?.write(to: &problem.headers) }
            throw problem
        }
    }

    /// What the client is told about an error; the rest is for the log.
    private func problem(_ error: any Error, _ request: Request, _ context: GatewayContext) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case let error as StoreError where error.isDiskFull: return fullDisk(error, context)
        case let error as StoreError where error.isOutage: return outage("database", error, context)
        case let error as BusError: return outage("bus", error, context)
        default:
            context.logger.error("A request failed", metadata: ["error": "\(error)"])
            return Problem(
                .internal, "something failed here; tell the operator the request \(context.requestID)")
        }
    }

    private func outage(_ what: String, _ error: any Error, _ context: GatewayContext) -> Problem {
        context.logger.warning("What a request needs is gone", metadata: ["error": "\(error)"])
        var problem = Problem(.unavailable, "the \(what) does not answer; try again in a moment")
        problem.retryAfter = 2
        return problem
    }

    /// What is stored already can be read meanwhile.
    private func fullDisk(_ error: StoreError, _ context: GatewayContext) -> Problem {
        context.logger.critical("Nothing can be stored", metadata: ["error": "\(error)"])
        var problem = Problem(
            .unavailable, "the disk of the database is full: nothing can be stored until somebody makes room")
        problem.retryAfter = 30
        return problem
    }

    private func noRoute(_ request: Request) -> Problem {
        let methods = Set(names.methods(of: request.uri.path).map(\.rawValue)).sorted()
        guard !methods.isEmpty else { return .notFound("page \(request.uri.path.prefix(120))") }
        let allowed = methods.joined(separator: ", ")
        var problem = Problem(
            .methodNotAllowed, "\(request.method) is not possible here; accepted: \(allowed)")
        problem.headers[.allow] = allowed
        return problem
    }

    /// The line of the log, and the metrics.
    ///
    /// What was read without ado is said at `debug` only; paths are told by their pattern, for some hold
    /// secrets.
    private func note(_ request: Request, _ context: GatewayContext, _ response: Response) {
        let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 } ?? "none"
        let duration = monotonic() - context.start
        metrics.record(
            route: route, method: request.method.rawValue, status: response.status.code, nanoseconds: duration
        )
        let isQuiet = request.method == .get && response.status.code < 500
        context.logger.log(
            level: isQuiet ? .debug : .info, "Answered",
            metadata: [
                "method": "\(request.method)", "route": "\(route)", "status": "\(response.status.code)",
                "duration.us": "\(duration / 1_000)", "client": "\(context.client)",
            ])
    }
}

extension Request {
    /// The same question with its answer's body.
    fileprivate var asGet: Request {
        var head = head
        head.method = .get
        return Request(head: head, body: body)
    }
}

extension StoreError {
    /// Whether the server or a connection of ours is missing, rather than the statement wrong.
    var isOutage: Bool {
        switch self {
        case .unavailable, .refused, .acquireTimedOut, .closed: true
        default: disposition != .fatal
        }
    }
}

extension HTTPField.Name {
    /// Names a request in its answer and in our log.
    static let requestID = HTTPField.Name("X-Request-ID") ?? .via
    /// What proxies say of who asked them.
    package static let xForwardedFor = HTTPField.Name("X-Forwarded-For") ?? .via
}

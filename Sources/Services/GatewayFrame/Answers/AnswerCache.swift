import HTTPTypes
import Hummingbird
package import Instruments
import NIOCore
import Synchronization

/// Gives the answer to one question of the market to everybody who asks it at the same moment.
///
/// What many ask for is made, encoded and tagged once in ``life``, not for each of them. Answers that are the
/// same for all who may ask; one that is no 200 is not kept.
package final class AnswerCache: Sendable {
    private struct Entry {
        var headers: HTTPFields
        var body: ByteBuffer
        var made: Timestamp
    }

    /// How long an answer is given again, in nanoseconds: a tenth of what its `Cache-Control` allows anyway.
    static let life: Int64 = 100_000_000
    /// The most answers kept; past it all are forgotten.
    static let limit = 512

    private let kept = Mutex<[String: Entry]>([:])
    private let clock: @Sendable () -> Timestamp

    package init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    /// The answer, made by `make` where none is young enough.
    func answer(_ request: Request, _ make: () async throws -> Response) async throws -> Response {
        let key = request.head.path ?? ""
        guard key.utf8.count <= 200 else { return try await make() }
        let now = clock()
        if let known = kept.withLock({ $0[key] }), abs(now.nanoseconds(since: known.made)) < Self.life {
            return Response(
                status: .ok, headers: known.headers, body: ResponseBody(byteBuffer: known.body))
        }
        var response = try await make()
        guard response.status == .ok else { return response }
        let body = try await BodyCollector.bytes(of: response.body)
        response.headers[.eTag] = AnswerFinish.tag(of: body)
        response.body = ResponseBody(byteBuffer: body)
        let fresh = Entry(headers: response.headers, body: body, made: now)
        kept.withLock { kept in
            if kept.count >= Self.limit { kept.removeAll(keepingCapacity: true) }
            kept[key] = fresh
        }
        return response
    }
}

extension RouteTable {
    /// Adds a route that reads, and whose answer everybody gets who asks the same at the same moment.
    ///
    /// - Parameters:
    ///   - path: Such as `/v1/quote/{pair}`.
    ///   - access: Who may.
    ///   - operation: What the document says of it.
    ///   - weight: What it costs of the rate limit, 1 or more.
    ///   - query: The parameters that it knows.
    ///   - memo: What keeps the answer.
    ///   - action: What it does, the same for all who may ask.
    package func get<Answer: RouteAnswer>(
        _ path: String, _ access: Access, _ operation: Operation, weight: Int = 1,
        query: [any QueryParameter] = [], keptBy memo: AnswerCache,
        use action: @escaping @Sendable (GatewayContext) async throws -> Answer
    ) {
        let document = RouteDocument(
            operation: operation, parameters: query.map(\.document), answers: Answer.documents)
        add(.get, path, RouteRules(access: access, weight: weight), document) { request, context in
            try await memo.answer(request) { try await action(context).response }
        }
    }
}

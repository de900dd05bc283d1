import AccountStore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Store

/// Does what is asked once, however often it is asked under one key.
package struct IdempotentAnswers: Sendable {
    /// The largest body that is kept; a larger answer is given once, and its key stays used.
    private static let bodyLimit = 1 << 20

    let database: Database

    /// Runs `action`, or gives the answer that the first request with the key got.
    ///
    /// The answer is kept after what was done is committed: between both a crash leaves the key without an
    /// answer, and after a minute the next request does it again.
    ///
    /// - Throws: `idempotency-mismatch`, `idempotency-in-progress`, and what the action throws.
    func run(
        _ request: Request, _ context: GatewayContext, _ action: RouteAction
    ) async throws -> Response {
        guard let text = request.headers[.idempotencyKey], let identity = context.identity else {
            return try await action(request, context)
        }
        let user = identity.user
        let key = try AnswerKey(text, of: user.description)
        let hash = key.mark(of: request, context.body)
        let isMine = try await database.withSession { session in
            try session.claimAnswer(key.name, of: user, for: hash)
        }
        guard isMine else {
            let found = try await database.withSession { try $0.findAnswer(key.name, of: user) }
            return try replay(found, key, hash)
        }
        let response: Response
        do {
            response = try await action(request, context)
        } catch {
            // It did nothing: the key is as good as new.
            _ = try? await database.execute(
                """
                DELETE FROM gateway.answer
                WHERE user_id = \(user) AND key_hash = \(key.name) AND answer IS NULL
                """)
            throw error
        }
        let body = try await BodyCollector.bytes(of: response.body)
        if body.readableBytes <= Self.bodyLimit, let sealed = key.sealed(KeptAnswer(response, body: body)) {
            do {
                try await database.execute(
                    """
                    UPDATE gateway.answer SET answer = \(sealed)
                    WHERE user_id = \(user) AND key_hash = \(key.name)
                    """)
            } catch {
                context.logger.warning("An answer is not kept", metadata: ["error": "\(error)"])
            }
        }
        var kept = response
        kept.body = ResponseBody(byteBuffer: body)
        return kept
    }

    private func replay(
        _ found: (request: [UInt8], answer: [UInt8]?)?, _ key: AnswerKey, _ hash: [UInt8]
    ) throws(Problem) -> Response {
        // Gone between both questions: the first request failed just now.
        guard let found else { throw Self.inProgress }
        guard found.request == hash else {
            throw Self.mismatch
        }
        guard let answer = found.answer.flatMap(key.opened) else { throw Self.inProgress }
        return answer.response
    }

    package static let mismatch = Problem(
        .idempotencyMismatch, "this Idempotency-Key was used for another request")

    private static var inProgress: Problem {
        var problem = Problem(
            .idempotencyInProgress, "the first request with this key is not done; ask again in a moment")
        problem.retryAfter = 1
        return problem
    }
}

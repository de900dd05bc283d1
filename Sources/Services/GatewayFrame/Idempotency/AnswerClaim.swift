import AccountStore
import InstallationStore
import HTTPTypes
import Hummingbird
import Store

/// A request's claim on its `Idempotency-Key`.
struct AnswerClaim: Sendable {
    /// The largest body that is kept.
    private static let bodyLimit = 1 << 20

    let key: AnswerKey
    let user: UserID
    /// What the request is known by.
    let mark: [UInt8]

    /// `nil` for a request without a key.
    ///
    /// - Throws: `invalid-field` for a key that is none.
    init?(_ request: Request, _ context: GatewayContext) throws(Problem) {
        guard let text = request.headers[.idempotencyKey], let identity = context.identity else { return nil }
        user = identity.user
        key = try AnswerKey(text, of: user.description)
        mark = key.mark(of: request, context.body)
    }

    /// Takes the key in the transaction that does what is asked; false when another request had it.
    ///
    /// Waits for one that has it and is not done.
    func take(in session: borrowing Session) throws(StoreError) -> Bool {
        try session.claimAnswer(key.name, of: user, for: mark)
    }

    /// Keeps the answer with what it tells.
    func keep(_ answer: KeptAnswer, in session: borrowing Session) throws {
        let kept: KeptAnswer = answer.body.count > Self.bodyLimit ? .tooLarge : answer
        try session.keepAnswer(try key.sealed(kept), under: key.name, of: user)
    }

    /// What the request with the key was answered.
    ///
    /// - Throws: `idempotency-mismatch` when that was another request; `idempotency-in-progress`.
    func answer(_ found: (request: [UInt8], answer: [UInt8]?)?) throws(Problem) -> KeptAnswer {
        // Gone between both looks: its day was over just now.
        guard let found else { throw .inProgress }
        guard found.request == mark else { throw .mismatch }
        // A program of an earlier version took the key and has not said how that ended.
        guard let answer = found.answer.flatMap(key.opened) else { throw .inProgress }
        return answer
    }
}

extension Problem {
    /// The key is another request's.
    package static let mismatch = Problem(
        .idempotencyMismatch, "this Idempotency-Key was used for another request")

    /// The first request with the key has not come to its end in the time for which others wait.
    static let inProgress: Problem = {
        var problem = Problem(
            .idempotencyInProgress, "the first request with this key is not done; ask again in a moment")
        problem.retryAfter = 1
        return problem
    }()

    /// The connection went while PostgreSQL was committing.
    static func unknownOutcome(hasKey: Bool) -> Problem {
        let advice =
            hasKey
            ? "ask again with the same Idempotency-Key: it is done once"
            : "look before you ask again, and send an Idempotency-Key: it makes a repetition safe"
        var problem = Problem(.unavailable, "whether it was done is not known yet; \(advice)")
        problem.retryAfter = 1
        return problem
    }
}

extension KeptAnswer {
    /// What is given again in place of an answer that is too large to be kept.
    fileprivate static let tooLarge = KeptAnswer(
        Problem(.conflict, "it was done; its answer was too large to be kept, so look at what is there now"))
}

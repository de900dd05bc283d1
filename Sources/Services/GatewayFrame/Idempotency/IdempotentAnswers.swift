import InstallationStore
import HTTPTypes
import Hummingbird
import Logging
import Store

/// Makes what is asked for once, however often it is asked for under one key.
///
/// Claim, action and answer are one transaction. What fails before its end leaves the key as good as new;
/// where the connection goes while PostgreSQL commits, the key's row is there with what was made or not at
/// all, so that whoever asks again finds the answer or makes it. Two at a time: the second waits for the
/// first one's end.
struct IdempotentAnswers: Sendable {
    /// Which of two requests with a key this was.
    private enum Outcome: Sendable {
        case first(KeptAnswer)
        case repetition(KeptAnswer)
    }

    let database: Database

    /// Runs what `prepare` gives, or gives the answer that the first request with the key got.
    ///
    /// - Throws: `idempotency-mismatch`, `idempotency-in-progress`, `unavailable` where it is not known
    ///   whether it was done, and what the action throws.
    func run<Answer: KeepableAnswer>(
        _ request: Request, _ context: GatewayContext, _ prepare: () async throws -> Creation<Answer>
    ) async throws -> Response {
        let claim = try AnswerClaim(request, context)
        // First of all: what prepares an action may use up what is good once, such as a code.
        if let claim {
            let (name, user) = (claim.key.name, claim.user)
            let found = try await database.withSession { try $0.findAnswer(name, of: user) }
            if let found { return try claim.answer(found).replay }
        }
        let creation = try await prepare()
        let outcome: Outcome
        do {
            outcome = try await (creation.database ?? database).transaction(creation.options) { session in
                try Self.outcome(of: creation, claim, session)
            }
        } catch {
            throw try await problem(error, creation, claim, context)
        }
        switch outcome {
        case .repetition(let answer): return answer.replay
        case .first(let answer):
            await creation.afterwards()
            return answer.response
        }
    }

    private static func outcome<Answer: KeepableAnswer>(
        of creation: Creation<Answer>, _ claim: AnswerClaim?, _ session: borrowing Session
    ) throws -> Outcome {
        if let claim, try !claim.take(in: session) {
            return .repetition(try claim.answer(session.findAnswer(claim.key.name, of: claim.user)))
        }
        let answer = try creation.make(session).kept
        if let claim { try claim.keep(answer, in: session) }
        return .first(answer)
    }

    private func problem<Answer: KeepableAnswer>(
        _ error: StoreError, _ creation: Creation<Answer>, _ claim: AnswerClaim?, _ context: GatewayContext
    ) async throws -> any Error {
        if error.isOutcomeUnknown {
            context.logger.warning(
                "Whether a request was done is not known", metadata: ["error": "\(error)"])
            return Problem.unknownOutcome(hasKey: claim != nil)
        }
        if error.serverError?.statement == Session.claimStatement, error.sqlState == "55P03" {
            return Problem.inProgress
        }
        if let problem = error.bodyError as? Problem { return problem }
        return try await creation.refusal(error)
    }
}

import Instruments
import Logging
import MarketStore
import Providers
import Store
import Synchronization
import Web

// How providers are asked.
extension PriceTask {
    /// Asks, takes what comes, and counts the request.
    ///
    /// - Throws: `StoreError`, or `CancellationError`.
    func run(_ errand: PriceCore.Errand, _ claim: TaskClaim) async throws {
        let (provider, environment) = (errand.use.provider, outside.environment)
        if provider.venue == lister {
            let wait = outside.pace.reserve(at: environment.now())
            if wait > 0 { try await environment.pause(.nanoseconds(wait)) }
        }
        figures.noteRequest()
        let said = await answer(errand)
        try Task.checkCancellation()
        let now = environment.now()
        state.withLock { state in
            switch said {
            case .success(let quotes, let validators):
                state.core.take(quotes, to: errand, validators, at: now)
            case .failure(let failure):
                var generator = SystemRandomNumberGenerator()
                state.core.fail(failure, errand, at: now, using: &generator)
            }
        }
        let venue = provider.venue
        try await database.write(under: claim, for: Self.claim) { session in
            try session.countRequests(1, to: venue, in: now.month)
        }
    }

    private enum Said: Sendable {
        /// `nil` for nothing new.
        case success([CoinQuote]?, AnswerValidators)
        case failure(ProviderFailure)
    }

    private func answer(_ errand: PriceCore.Errand) async -> Said {
        let provider = errand.use.provider
        let answer: MetadataEnvironment.Answer
        do {
            answer = try await outside.environment.fetch(errand.request, provider.maximumBytes)
        } catch {
            figures.note(.unanswered)
            return .failure(.unanswered)
        }
        if answer.status == 304 { return .success(nil, answer.validators) }
        guard answer.status == 200 else {
            figures.note(.refused)
            return refused(provider, answer.status, answer.retryAfter)
        }
        do {
            return .success(try provider.read(answer.body, to: errand.question), answer.validators)
        } catch {
            figures.note(.malformed)
            logger.warning(
                "A provider of prices cannot be understood",
                metadata: ["provider": "\(provider.venue)", "error": "\(error)"])
            guard case .refused = error else { return .failure(.malformed) }
            // Refusals with status 200 are those of who asks too much, as far as they are documented.
            return .failure(.refused(status: 429, retryAfter: nil))
        }
    }

    private func refused(
        _ provider: ProviderDescription, _ status: Int, _ retryAfter: Duration?
    ) -> Said {
        logger.info(
            "A provider of prices refuses",
            metadata: ["provider": "\(provider.venue)", "status": "\(status)"])
        let wait = retryAfter.map { min($0.components.seconds, 86_400) * 1_000_000_000 }
        return .failure(.refused(status: status, retryAfter: wait))
    }
}

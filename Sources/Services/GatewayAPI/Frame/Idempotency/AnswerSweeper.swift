import Logging
import ServiceLifecycle
import Store

/// Forgets kept answers when their day is over.
struct AnswerSweeper: Service {
    let database: Database
    let logger: Logger

    /// Sweeps every ten minutes until graceful shutdown or cancellation.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(600))
                do throws(StoreError) {
                    while try await database.execute(SweepAnswers()) == 1_000 {}
                } catch {
                    logger.warning("Old answers are not removed", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

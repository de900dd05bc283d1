import InstallationStore
package import Logging
import ServiceLifecycle
package import Store

/// Forgets kept answers when their day is over.
package struct AnswerSweeper: Service {
    private let database: Database
    private let logger: Logger

    package init(database: Database, logger: Logger) { (self.database, self.logger) = (database, logger) }

    /// Sweeps every ten minutes until graceful shutdown or cancellation.
    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(600))
                do throws(StoreError) {
                    while try await database.withSession({ try $0.removeOldAnswers() }) == 1_000 {}
                } catch {
                    guard !Task.isCancelled else { return }
                    logger.warning("Old answers are not removed", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}

import Logging
import PortfolioStore
import ServiceLifecycle
import Store

/// Removes portfolios that were deleted a week ago.
struct PortfolioSweeper: Service {
    let database: Database
    let logger: Logger

    /// Sweeps every ten minutes until graceful shutdown or cancellation.
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(600))
                await sweep()
            }
        }
    }

    private func sweep() async {
        do throws(StoreError) {
            let gone = try await database.sweepPortfolios()
            guard gone > 0 else { return }
            logger.notice("Portfolios that were deleted long ago are removed", metadata: ["count": "\(gone)"])
        } catch {
            guard !Task.isCancelled else { return }
            logger.warning("Deleted portfolios are not removed", metadata: ["error": "\(error)"])
        }
    }
}

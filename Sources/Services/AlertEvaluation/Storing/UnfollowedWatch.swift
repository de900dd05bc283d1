import Instruments
import Logging
import MarketStore
import Store

/// Looks for instruments that the feeds leave out, since more of a venue are wanted than may be followed.
struct UnfollowedWatch: Sendable {
    let database: Database
    let interval: Duration
    /// Instruments of one venue that are followed at most.
    let limit: Int
    let logger: Logger

    /// Runs until the task is cancelled; `found` gets all that are left out, sorted, with each look.
    func run(_ found: @escaping @Sendable ([InstrumentID]) -> Void) async {
        while !Task.isCancelled {
            do throws(StoreError) {
                found(try await database.withSession { try $0.unfollowedInstruments(limit: limit) })
            } catch {
                if Task.isCancelled { return }
                logger.debug("Subscriptions cannot be read", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: interval)
        }
    }
}

import Alerting
import Instruments
import Logging
import MarketStore
import Store

/// Looks for instruments that the feeds leave out, since more of a venue are wanted than may be followed.
struct UnfollowedWatch: Sendable {
    let database: Database
    let interval: Duration
    let logger: Logger
    /// How many instruments of each venue its feed follows at most, of those that said it.
    let limits: @Sendable () -> [Venue: Int]

    /// Runs until the task is cancelled; `found` gets all that are left out with each look.
    func run(_ found: @escaping @Sendable ([InstrumentID: UnfollowedInstrument]) -> Void) async {
        while !Task.isCancelled {
            let limits = limits()
            do throws(StoreError) {
                let ids = try await database.withSession { try $0.unfollowedInstruments(limits: limits) }
                var left: [InstrumentID: UnfollowedInstrument] = [:]
                for id in ids {
                    left[id] = limits[id.venue].map { UnfollowedInstrument(venue: id.venue, limit: $0) }
                }
                found(left)
            } catch {
                if Task.isCancelled { return }
                logger.debug("Subscriptions cannot be read", metadata: ["error": "\(error)"])
            }
            await pause(limits)
        }
    }

    /// Until the next look is due, or a feed has said another limit.
    private func pause(_ known: [Venue: Int]) async {
        for _ in 0..<10 where !Task.isCancelled && limits() == known {
            try? await Task.sleep(for: interval / 10)
        }
    }
}

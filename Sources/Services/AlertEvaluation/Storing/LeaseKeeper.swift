import Logging
import MarketStore
import Store

/// Keeps this instance a member of its service, and its leases.
///
/// Everything that is told is stored under a lease, so nobody needs to know here when one is over: a writer
/// that slept is refused by PostgreSQL.
struct LeaseKeeper: Sendable {
    let database: Database
    let term: LeaseTerm
    let logger: Logger

    /// Runs until it is cancelled; `changed` gets what is held after each round.
    func run(_ changed: @Sendable (LeaseClaims) async -> Void) async {
        var isTroubled = false
        while !Task.isCancelled {
            do {
                let round = try await database.tendLeases(term)
                await changed(round.claims)
                if isTroubled { logger.notice("Leases are tended again") }
                isTroubled = false
            } catch {
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Leases could not be tended", metadata: ["error": "\(error)"])
                }
                isTroubled = true
            }
            try? await Task.sleep(for: isTroubled ? .milliseconds(250) : term.duration / 4)
        }
    }

    /// Gives all leases back.
    func leave() async {
        var term = term
        term.isLeaving = true
        // If it fails they are over in some seconds.
        _ = try? await database.tendLeases(term)
    }
}

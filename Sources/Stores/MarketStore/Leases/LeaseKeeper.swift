package import Logging
package import Store

/// Keeps an instance a member of its service, and its leases.
///
/// It tends them four times as often as they would be over, by default every two seconds: the shards of an
/// instance that dies are owned elsewhere within ten. An instance that goes in good order gives them back.
package struct LeaseKeeper: Sendable {
    package let term: LeaseTerm
    private let database: Database
    private let logger: Logger

    package init(database: Database, term: LeaseTerm, logger: Logger) {
        self.database = database
        self.term = term
        self.logger = logger
    }

    /// Calls `round`, which tends once, again and again until it is cancelled; one that fails is repeated
    /// soon.
    package func run(_ round: () async throws -> Void) async {
        var isTroubled = false
        while !Task.isCancelled {
            do {
                try await round()
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

    /// One round, as ``Database/tendLeases(_:releasing:)``.
    package func tend(
        releasing: @escaping @Sendable ([Shard]) -> Void = { _ in }
    ) async throws(StoreError) -> LeaseRound {
        try await database.tendLeases(term, releasing: releasing)
    }

    /// Gives all leases back.
    package func leave() async {
        var term = term
        term.isLeaving = true
        // If it fails they are over in some seconds.
        _ = try? await database.tendLeases(term)
    }
}

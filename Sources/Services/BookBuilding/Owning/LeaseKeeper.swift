import Logging
import MarketStore
import Store

/// Keeps this instance a member of its service, and its leases.
///
/// It tends them four times as often as they would be over, by default every two seconds: the instruments of
/// an instance that dies are owned elsewhere within ten. An instance that goes in good order gives them back.
struct LeaseKeeper: Sendable {
    let database: Database
    let term: LeaseTerm
    let ownership: Ownership
    let logger: Logger

    /// For how long what was won is not told yet: whoever had it is silent, and its last words are on their
    /// way.
    private static let quiet = Duration.milliseconds(200)

    /// Runs until it is cancelled; `changed` is called after each round, and before anything is given back.
    func run(_ changed: @escaping @Sendable () -> Void) async {
        var isTroubled = false
        while !Task.isCancelled {
            let began = ContinuousClock.now
            do {
                let round = try await database.tendLeases(term) { shards in
                    ownership.give(up: shards)
                    changed()
                }
                let hasOthers = round.members.contains { $0 != term.instance }
                if !round.acquired.isEmpty { try? await Task.sleep(for: Self.quiet) }
                if Task.isCancelled { return }
                ownership.renew(
                    round.claims, until: hasOthers ? began + term.duration : nil,
                    members: round.members.count)
                if isTroubled { logger.notice("Leases are tended again") }
                isTroubled = false
            } catch {
                if !isTroubled, !Task.isCancelled {
                    logger.warning("Leases could not be tended", metadata: ["error": "\(error)"])
                }
                isTroubled = true
            }
            changed()
            try? await Task.sleep(for: isTroubled ? .milliseconds(250) : term.duration / 4)
        }
    }

    /// Gives all leases back.
    func leave() async {
        var term = term
        term.isLeaving = true
        // If it fails they are over in some seconds.
        _ = try? await database.tendLeases(term)
        ownership.renew(LeaseClaims(service: term.service, instance: term.instance), until: .now)
    }
}

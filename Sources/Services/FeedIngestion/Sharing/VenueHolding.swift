import Instruments
import Logging
import MarketStore
import Store
import Venues

/// Which venues this process holds: those whose lease it has, or all where there is no PostgreSQL.
///
/// A venue is what is shared, not a part of its feed: a venue counts connections and requests by address, and
/// one process paces all of them (``VenueGate``); two that shared one venue from one address would each take
/// the whole of what it allows.
///
/// An instance that is alone goes on with what it holds while PostgreSQL cannot be asked; where others live,
/// never two at once wins, and a venue whose lease cannot be renewed in time falls silent.
struct VenueHolding: Sendable {
    private static let service = "feed-ingestor"
    /// How often it is looked whether a lease is over that nobody could renew.
    private static let interval = Duration.milliseconds(250)

    /// `nil` without PostgreSQL.
    private let keeper: LeaseKeeper?
    /// Something may have changed; many hints are one.
    ///
    /// Ends with ``stop()``.
    let hints: AsyncStream<Void>
    private let hint: AsyncStream<Void>.Continuation

    init(
        _ database: Database?, _ configuration: FeedIngestionConfiguration, member: String, logger: Logger
    ) {
        keeper = database.map { database in
            LeaseKeeper(
                database: database,
                term: LeaseTerm(
                    service: Self.service, instance: member, duration: configuration.leaseDuration,
                    venues: configuration.venues.map(\.venue)),
                // Last words of whoever had a venue before are of a past life, but better here in order.
                silence: .ofWon(.milliseconds(200)), standsStill: false, logger: logger)
        }
        (hints, hint) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        hint.yield()
    }

    /// Whether PostgreSQL has said what is held.
    var isKnown: Bool { keeper.map { !$0.ownership.claims(at: .now).venues.isEmpty } ?? true }

    /// Under which epoch a venue is held now; `nil` where it is not.
    func epoch(of venue: Venue) -> Int64? {
        guard let keeper else { return 0 }
        return keeper.ownership.claims(at: .now).epoch(of: venue)
    }

    /// Whether it is about to be given back.
    func isLeaving(_ venue: Venue) -> Bool { keeper?.ownership.isLeaving(venue) ?? false }

    /// Whether it is held now under this very epoch; asked before anything is sent.
    func right(to venue: Venue, under epoch: Int64) -> @Sendable () -> Bool {
        guard let ownership = keeper?.ownership else { return { true } }
        return { ownership.holds(venue, under: epoch, at: .now) }
    }

    /// Tends the leases until the task is cancelled; venues that are `isBusy` are not given back yet.
    func run(isBusy: @escaping @Sendable (Venue) -> Bool) async {
        guard let keeper else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await keeper.run(changed: { hint.yield() }, isBusy: isBusy) }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    hint.yield()
                }
            }
        }
    }

    /// Nothing is done any more for a venue: it may be given back, or begun anew.
    func ended() {
        keeper?.hurry()
        hint.yield()
    }

    /// Ends the hints.
    func stop() { hint.finish() }

    /// Gives everything back; nothing new is told any more.
    func leave() async { await keeper?.leave(hasEnded: true) }
}

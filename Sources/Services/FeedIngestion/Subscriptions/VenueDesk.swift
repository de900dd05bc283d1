import Bus
import Instruments
import MarketStore
import Metrics
import Synchronization
import Venues

/// One venue in one tenure: what is wanted of it, and the parts of its feed that follow it.
///
/// A part is made when the others have no more room, and stays: without anything to follow it has no
/// connection.
final class VenueDesk: Sendable {
    let base: VenueConfiguration
    /// How many instruments are followed at most: what is configured, as far as the venue allows it.
    let limit: Int
    /// Whether the venue allows less than is configured.
    let isLimitOfVenue: Bool
    /// The way to the venue that all of its parts share.
    let gate: VenueGate
    /// In whose name its parts speak.
    let publisher: PublisherVoice
    /// What they say about themselves.
    let board: FeedBoard
    /// Each new part, the first at once; ends with ``stop()``.
    let parts: AsyncStream<VenueFeedSupervisor>
    private let part: AsyncStream<VenueFeedSupervisor>.Continuation
    private let droppedCount: Gauge

    private struct State {
        var wants: VenueSubscriptions
        var plan: PartPlan
        var supervisors: [VenueFeedSupervisor] = []
        var isStopped = false
    }

    private let state: Mutex<State>

    /// What the desk works with.
    struct Tools {
        let ingestion: FeedIngestionConfiguration
        /// Of the tenure.
        let publisher: PublisherVoice
        /// Who holds the venue.
        let instance: String
        let queue: WriteQueue?
    }

    /// - Parameters:
    ///   - place: Of the venue.
    ///   - tools: What it works with.
    ///   - rows: What the table of subscriptions says; `nil` where that is not known yet, or nobody asks it.
    init(_ place: VenuePlace, _ tools: Tools, rows: [DatedSubscription]?) {
        base = place.base
        let most = base.description.mostInstruments
        let limit = min(tools.ingestion.maximumPerVenue, most)
        self.limit = limit
        isLimitOfVenue = most < tools.ingestion.maximumPerVenue
        gate = place.gate
        publisher = tools.publisher
        // Without the table of subscriptions nothing of it is left out.
        board = FeedBoard(
            base, limit: tools.ingestion.isStoring ? limit : 0, tools.publisher, of: tools.instance,
            tools.queue, place.health)
        droppedCount = Gauge(label: "feed_instruments_dropped", dimensions: [("venue", base.venue.rawValue)])
        (parts, part) = AsyncStream.makeStream()
        let wants =
            rows.map { VenueSubscriptions($0, of: place.venue, limit: limit) }
            ?? VenueSubscriptions(base, limit: limit)
        state = Mutex(State(wants: wants, plan: PartPlan(base.description)))
        _ = take(wants)
        if wants.wants.isEmpty { board.rest() }
    }

    var venue: Venue { base.venue }

    /// What is followed or about to be, and what is not.
    var wants: VenueSubscriptions { state.withLock { $0.wants } }

    /// The feeds that run, by their number.
    var feeds: [VenueFeed] { supervisors.compactMap(\.feed) }

    private var supervisors: [VenueFeedSupervisor] { state.withLock { $0.supervisors } }

    /// The feed that follows an instrument, if one does.
    func feed(of symbol: String) -> VenueFeed? {
        state.withLock { state in
            state.plan.part(of: symbol).map { state.supervisors[$0] }
        }?.feed
    }

    /// Follows something else from now on; what stays is not disturbed.
    ///
    /// - Parameters:
    ///   - wants: What to follow.
    ///   - marks: As for ``VenueFeed/follow(_:after:)``.
    /// - Returns: Up to where the tapes of instruments are whole that have gone from one part to another.
    func follow(
        _ wants: VenueSubscriptions, after marks: [InstrumentID: TradeMark]?
    ) async -> [InstrumentID: TradeMark] {
        let change = take(wants)
        let supervisors = supervisors
        var released: [InstrumentID: TradeMark] = [:]
        // A topic has one owner: the old one has told that it does not follow any more, and lets go, before
        // the new one begins.
        for (from, moves) in Dictionary(grouping: change.moves, by: \.from).sorted(by: { $0.key < $1.key }) {
            let coming = Set(change.moves.filter { $0.to == from }.map(\.symbol))
            let staying = change.parts[from].filter { !coming.contains($0.symbol) }
            let feed = supervisors[from].feed
            await supervisors[from].follow(staying, after: marks)
            released.merge(await feed?.release(moves.map(\.symbol)) ?? [:]) { _, newer in newer }
        }
        let known = marks.map { $0.merging(released) { _, newer in newer } }
        for (supervisor, part) in zip(supervisors, change.parts) {
            await supervisor.follow(part, after: known)
        }
        return released
    }

    /// Plans, and makes the parts that it takes.
    private func take(_ wants: VenueSubscriptions) -> PartPlan.Change {
        state.withLock { state in
            var wants = wants
            let change = state.plan.place(wants.wants)
            wants.drop(change.homeless)
            state.wants = wants
            droppedCount.record(wants.dropped.count)
            for number in state.supervisors.count..<change.parts.count {
                let new = VenueFeedSupervisor(base, number: number, following: change.parts[number])
                if state.isStopped { new.stop() }
                state.supervisors.append(new)
                part.yield(new)
            }
            return change
        }
    }

    /// Ends all parts, and starts no other.
    func stop() {
        let supervisors = state.withLock { state in
            state.isStopped = true
            return state.supervisors
        }
        part.finish()
        for supervisor in supervisors { supervisor.stop() }
    }
}

import Bus
import Instruments
import Logging
import MarketStore
import Providers
import Store
import Synchronization
import Wire

/// Prices the coins that no venue trades, for whoever wants them, by aggregated providers.
///
/// One instance at a time does it, by its claim on the task, and keeps it while it lives: what providers said
/// is in its memory. Wanted are the rows of `market.subscription` on a provider's instruments.
final class PriceTask: Sendable {
    /// The task's name in `market.task`.
    static let task = "prices"
    /// How long a claim holds: longer than a request takes.
    static let claim = Duration.seconds(60)
    /// How often it looks whether there is something to do.
    static let look = Duration.seconds(5)
    /// How often the coins that are left are listed anew, in nanoseconds: an hour.
    static let listing: Int64 = 3_600_000_000_000

    /// What it needs besides the database.
    struct Outside: Sendable {
        let environment: MetadataEnvironment
        /// `nil` tells nobody.
        let publisher: Publisher?
        /// Of the provider that the list of coins is of.
        let pace: RequestSpacing
    }

    struct State: Sendable {
        var core: PriceCore
        var claim: TaskClaim?
        var listed: Timestamp?
    }

    let database: Database
    private let instance: String
    let outside: Outside
    let figures: MetadataFigures
    let logger: Logger
    let state: Mutex<State>
    /// Whose list has the coins, and under whose name they are instruments.
    let lister = CoinGecko.description.venue

    init(
        _ uses: [ProviderUse], _ database: Database, instance: String, outside: Outside,
        figures: MetadataFigures, logger: Logger
    ) {
        self.database = database
        self.instance = instance
        self.outside = outside
        self.figures = figures
        self.logger = logger
        state = Mutex(State(core: PriceCore(uses)))
    }

    /// Does what is due, if nobody else does.
    ///
    /// - Returns: How long until the next look.
    /// - Throws: `CancellationError`.
    func turn() async throws -> Duration {
        do {
            guard let claim = try await hold() else { return Self.look }
            try await look(claim)
            if let errand = state.withLock({ $0.core.next(at: outside.environment.now()) }) {
                try await run(errand, claim)
            }
            tell()
        } catch let error as StoreError {
            try Task.checkCancellation()
            state.withLock { $0.claim = nil }
            figures.noteTrouble()
            logger.warning("Aggregated prices cannot be kept", metadata: ["error": "\(error)"])
        }
        return Self.look
    }

    /// Gives the task back.
    func end() async {
        guard let claim = state.withLock({ $0.claim }) else { return }
        // Where that fails, the claim ends by itself.
        try? await database.end(claim, dueIn: .zero, isDone: true, "")
    }

    /// Takes the task, or keeps it.
    private func hold() async throws(StoreError) -> TaskClaim? {
        if let claim = state.withLock({ $0.claim }) {
            do {
                try await database.write(under: claim, for: Self.claim) { _ in }
                return claim
            } catch {
                guard error.bodyError as? MarketStoreError == .taskLost(Self.task) else { throw error }
                state.withLock { $0.claim = nil }
                return nil
            }
        }
        let claim = try await database.takeTask(
            Self.task, as: instance, source: "providers", for: Self.claim)
        guard let claim else { return nil }
        state.withLock { $0.claim = claim }
        try await recall()
        return claim
    }

    /// Counts what was asked in this month before.
    private func recall() async throws(StoreError) {
        let now = outside.environment.now()
        for use in state.withLock({ $0.core.desk.uses }) {
            let venue = use.provider.venue
            let known = try await database.withSession { session in
                try session.countRequests(0, to: venue, in: now.month)
            }
            state.withLock { state in
                let own = state.core.desk.asked(of: venue, at: now)
                state.core.count(max(known - own, 0), of: venue, at: now)
            }
        }
    }

    /// Reads what is wanted, and now and then which coins are left.
    private func look(_ claim: TaskClaim) async throws(StoreError) {
        let (now, lister) = (outside.environment.now(), lister)
        let listed = state.withLock { $0.listed }
        if listed.map({ abs(now.nanoseconds(since: $0)) >= Self.listing }) ?? true {
            try await database.write(under: claim, for: Self.claim) { session in
                try session.listLeftCoins(of: lister, at: now)
            }
            state.withLock { $0.listed = now }
        }
        let wishes = try await database.withSession { session in try session.aggregatedWishes() }
        state.withLock { $0.core.want(wishes, listedBy: lister) }
    }

    // MARK: - Telling

    private func tell() {
        let now = outside.environment.now()
        let (news, count) = state.withLock { ($0.core.news(at: now), $0.core.toldCount) }
        figures.note(aggregated: count)
        guard let publisher = outside.publisher, !news.isEmpty else { return }
        var batch = OutboundBatch()
        for one in news {
            // Above the bound of topics nobody hears of more; the bound is far above what is followed.
            guard let topic = try? publisher.topic(Topic.dayTicker(one.instrument)) else { continue }
            batch.append(.dayTicker(one.instrument, AggregatedTicker.message(one)), to: topic)
        }
        publisher.offer(&batch)
    }
}

extension Timestamp {
    /// Such as `2026-11`.
    var month: String { String(iso8601(fractionDigits: 0).prefix(7)) }
}

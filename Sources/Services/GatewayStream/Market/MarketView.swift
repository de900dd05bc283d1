package import Bus
package import Hosting
package import Instruments
import Logging
package import MarketData
package import MarketState
import MarketStore
import ServiceLifecycle
package import Store
import Synchronization
package import Wire

/// What this gateway knows of the market: follows the bus and answers at once, from memory.
///
/// Tickers, depths, index prices and states are known of everything; whole books, trades, candles and
/// valuations only of what somebody asked for, for some minutes more.
package final class MarketView: Service {
    private struct Waiting {
        var deadline: Timestamp
        var isSettled: @Sendable (MarketReplica) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    /// A function that is itself what a lock holds is wrapped once more with each look at it, without end.
    private struct Observer {
        var notify: @Sendable (MarketView, Set<MarketKey>) -> Void
    }

    private struct State {
        var marketReplica = MarketReplica()
        var waiting: [UInt64: Waiting] = [:]
        var nextWaiting: UInt64 = 0
    }

    // As in the book-builder, batches are taken on the subscriber's own thread behind a lock.
    private let state = Mutex(State())
    private let observer = Mutex<Observer?>(nil)
    private let subscriber: Subscriber
    private let database: Database?
    private let logger: Logger
    private let clock: @Sendable () -> Timestamp
    private let monotonic: @Sendable () -> Timestamp
    /// Stored trades are to be read.
    private let unread: AsyncStream<Void>
    private let reading: AsyncStream<Void>.Continuation

    /// How long a book may take to come, in nanoseconds: three seconds.
    static let bookPatience: Int64 = 3_000_000_000
    /// How long a portfolio's value may take to come, in nanoseconds: a second and a half.
    static let valuationPatience: Int64 = 1_500_000_000

    /// A view that knows nothing until ``run()`` runs.
    ///
    /// - Parameters:
    ///   - frame: On the bus.
    ///   - database: Where stored trades are; `nil` leaves them out.
    /// - Throws: `BusError` when the process may open no more files.
    package init(in frame: ServiceFrame, database: Database?) throws(BusError) {
        subscriber = try frame.subscriber(
            "gateway",
            to: [
                "ticker.", "market.tickers.", "derivative.", "book.top.", "book.depth.", "index.",
                "feed.status.",
                "service.status.", "heartbeat.",
            ])
        self.database = database
        logger = frame.logger
        (clock, monotonic) = (frame.clock, frame.monotonic)
        // One waiting signal says as much as many.
        (unread, reading) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Calls a function with what changed, after each batch on the bus's own thread, which it must not block.
    ///
    /// Stored trades that were read are told of where they were read.
    func observe(_ body: @escaping @Sendable (MarketView, Set<MarketKey>) -> Void) {
        observer.withLock { $0 = Observer(notify: body) }
    }

    /// Follows the bus until graceful shutdown or cancellation.
    ///
    /// - Throws: `BusError` when the bus cannot be used at all.
    package func run() async throws {
        defer { for waiting in state.withLock({ Self.wake(&$0) { _, _ in true } }) { waiting.resume() } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.subscriber.run { self.take($0) } }
            group.addTask { await self.tick() }
            group.addTask { for await _ in self.unread { await self.readTrades() } }
            // The subscriber ends with graceful shutdown, the others with it.
            try await group.next()
            group.cancelAll()
        }
    }

    // MARK: - What is known

    /// How well we are connected.
    package var condition: BusConnectionState { state.withLock { $0.marketReplica.condition } }

    /// The time by our own clock, by which ages are counted.
    package var now: Timestamp { clock() }
    /// The time by a clock that nobody sets, by which what is not wanted any more expires.
    var uptime: Timestamp { monotonic() }

    /// What is known of an instrument's price.
    package func ticker(_ id: InstrumentID) -> KnownTicker? {
        state.withLock { $0.marketReplica.ticker(id) }
    }

    /// The same of several, in their order.
    package func tickers(_ ids: [InstrumentID]) -> [KnownTicker?] {
        state.withLock { state in ids.map { state.marketReplica.ticker($0) } }
    }

    /// The same of all that are followed, by name.
    package func tickers() -> [KnownTicker] {
        state.withLock { state in
            let replica = state.marketReplica
            return replica.tickers.keys.compactMap { replica.ticker($0) }
        }.sorted { $0.instrument < $1.instrument }
    }

    /// Whether the bus has spoken of an instrument.
    package func isHeard(_ id: InstrumentID) -> Bool {
        state.withLock { $0.marketReplica.ticker(id) != nil || $0.marketReplica.depths[id] != nil }
    }

    /// Whether it has spoken of a venue's feed.
    package func isHeard(venue: String) -> Bool { feed(venue) != nil }

    /// How many things are followed on demand.
    var followedCount: Int { state.withLock { $0.marketReplica.followed.count } }

    /// How long something is followed after it was asked for last, in nanoseconds.
    package static let patience = OnDemandTopics.patience

    /// The best 25 levels of a book.
    func depth(_ id: InstrumentID) -> ReceivedValue<BookDepth>? {
        state.withLock { $0.marketReplica.depths[id] }
    }

    /// An index price, such as of `BTC-USD`.
    package func index(_ pair: String) -> ReceivedValue<Bitpal_V1_IndexPrice>? {
        state.withLock { $0.marketReplica.indices[pair] }
    }

    /// All index prices by pair.
    package func indices() -> [ReceivedValue<Bitpal_V1_IndexPrice>] {
        state.withLock { Array($0.marketReplica.indices.values) }.sorted { $0.value.pair < $1.value.pair }
    }

    /// All feeds by venue.
    package func feeds() -> [ReceivedValue<Bitpal_V1_FeedStatus>] {
        state.withLock { Array($0.marketReplica.feeds.values) }.sorted { $0.value.venue < $1.value.venue }
    }

    func feed(_ venue: String) -> ReceivedValue<Bitpal_V1_FeedStatus>? {
        state.withLock { $0.marketReplica.feeds[venue] }
    }

    /// All services by name and instance.
    package func services() -> [ReceivedValue<Bitpal_V1_ServiceStatus>] {
        state.withLock { Array($0.marketReplica.services.values) }.sorted {
            ($0.value.service, $0.value.instance) < ($1.value.service, $1.value.instance)
        }
    }

    /// How many books of each venue are in which state.
    package func bookStates() -> [Venue: [BookState: Int]] {
        var counts: [Venue: [BookState: Int]] = [:]
        let (tickers, condition) = state.withLock {
            (Array($0.marketReplica.tickers.values), $0.marketReplica.condition)
        }
        for ticker in tickers {
            guard let top = ticker.top else { continue }
            let state = condition.isDoubted(top) && top.value.state == .live ? .stale : top.value.state
            counts[ticker.instrument.venue, default: [:]][state, default: 0] += 1
        }
        return counts
    }

    // MARK: - On demand

    /// Follows a thing until ``release(_:)``; false when too many are held already.
    func hold(_ thing: OnDemandTopic) -> Bool { want(thing, isHeld: true) }

    /// Ends one ``hold(_:)``.
    func release(_ thing: OnDemandTopic) { state.withLock { $0.marketReplica.release(thing, at: uptime) } }

    /// The newest candles of a length that came since they are followed.
    func candles(_ interval: String, _ id: InstrumentID) -> KnownCandles? {
        state.withLock { $0.marketReplica.candles[.candle(interval, id)] }
    }

    /// The newest candle of a length as it was last said, which is followed from now on for some minutes.
    package func openCandle(_ interval: CandleInterval, _ id: InstrumentID) -> CandleBody? {
        guard want(.candles(interval.rawValue, id), isHeld: false) else { return nil }
        return candles(interval.rawValue, id)?.newest.flatMap { CandleBody($0, of: id) }
    }

    /// What a portfolio was last said to be worth since it is followed.
    func valuation(_ portfolio: String) -> ReceivedValue<Bitpal_V1_PortfolioValuation>? {
        state.withLock { $0.marketReplica.valuations[portfolio] }
    }

    /// What a portfolio is worth, which is followed from now on for some minutes; `nil` while nobody values
    /// it.
    ///
    /// Waits for one that knows a change of its transactions, at most ``valuationPatience`` and only while
    /// somebody who values portfolios is heard; then what is known is of before that change.
    package func valuation(_ portfolio: String, since change: Int64) async -> Bitpal_V1_PortfolioValuation? {
        guard want(.valuation(portfolio), isHeld: false) else { return valuation(portfolio)?.value }
        let isKnown: @Sendable (MarketReplica) -> Bool = { marketReplica in
            marketReplica.valuations[portfolio].map { $0.value.change >= change } ?? false
        }
        let now = clock()
        let isValued = state.withLock { state in
            let marketReplica = state.marketReplica
            return marketReplica.services.values.contains {
                $0.value.service == "portfolio-service" && !marketReplica.condition.isDoubted($0)
                    && $0.age(at: now) < FeedBody.silence
            }
        }
        if isValued { await settle(within: Self.valuationPatience, isKnown) }
        return valuation(portfolio)?.value
    }

    /// The trades of an instrument that is followed.
    func tradeRing(_ id: InstrumentID) -> TradeRing? { state.withLock { $0.marketReplica.trades[id] } }

    /// The newest trades by the venue's time, the newest last, at most 100, without a hole; they are followed
    /// from now on for some minutes.
    ///
    /// What came live is among them once nothing can be missing between it and the stored ones.
    ///
    /// - Throws: `StoreError` when the stored ones cannot be read.
    package func trades(_ id: InstrumentID) async throws(StoreError) -> [Trade] {
        _ = want(.trades(id), isHeld: false)
        guard let database else { return tradeRing(id)?.trades ?? [] }
        if let trades = wholeTrades(id) { return trades }
        return try await read(id, database).reversed()
    }

    /// The newest trades of an instrument that is followed, live ones included; `nil` while some may be
    /// missing.
    package func wholeTrades(_ id: InstrumentID) -> [Trade]? {
        let (ring, condition) = state.withLock { ($0.marketReplica.trades[id], $0.marketReplica.condition) }
        guard let ring, ring.seam.isWhole, condition.word == .live else { return nil }
        return ring.trades
    }

    /// Reads the stored trades of an instrument, newest first, and puts them where they are missing.
    private func read(_ id: InstrumentID, _ database: Database) async throws(StoreError) -> [Trade] {
        let reading = state.withLock { $0.marketReplica.beginReading(id) }
        let stored: [Trade]
        do throws(StoreError) {
            stored = try await database.recentTrades(of: id, limit: TradeRing.limit)
        } catch {
            if let reading { change { $0.fail(reading, of: id) } }
            throw error
        }
        if let reading { change { $0.end(reading, of: id, with: stored) } }
        return stored
    }

    /// Reads what is wanted of the stored trades, until it is known.
    private func readTrades() async {
        guard let database else { return }
        while !Task.isCancelled, let id = state.withLock({ $0.marketReplica.takeUnread() }) {
            do {
                _ = try await read(id, database)
            } catch {
                logger.debug("Trades cannot be read", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// What came of a question for a whole book.
    package enum BookAnswer: Sendable {
        /// The book; it may be lowered, or still empty when it did not come in time.
        case book(KnownBook)
        /// Nobody on the bus speaks of such a book.
        case unknown
        /// Too many other books are followed.
        case busy
    }

    /// The whole book of an instrument, which is followed from now on for some minutes.
    ///
    /// The first question waits for the broker's answer, at most ``bookPatience``.
    package func book(_ id: InstrumentID) async -> BookAnswer {
        guard want(.book(id), isHeld: false) else { return .busy }
        await settle(within: Self.bookPatience) { Self.isSettled(id, $0) }
        if state.withLock({ $0.marketReplica.books[id]?.isUnknown == true }) { return .unknown }
        return bookNow(id).map { .book($0) } ?? .busy
    }

    /// The whole book of an instrument as far as it is known now, if it is followed.
    func bookNow(_ id: InstrumentID) -> KnownBook? {
        state.withLock { state in
            state.marketReplica.books[id].map {
                KnownBook(replica: $0.replica, connection: $0.connection, heard: $0.heard)
            }
        }
    }

    private func want(_ thing: OnDemandTopic, isHeld: Bool) -> Bool {
        let outcome = state.withLock { state in
            let outcome = state.marketReplica.want(
                thing, isHeld: isHeld, at: clock(), uptime: uptime)
            // Inside the lock, so that two wishes reach the subscriber in their order.
            if case .begun(let ended) = outcome {
                if !ended.isEmpty { subscriber.unsubscribe(ended.flatMap(\.topics)) }
                subscriber.subscribe(thing.topics)
            }
            return outcome
        }
        return outcome != .refused
    }

    private static func isSettled(_ id: InstrumentID, _ marketReplica: MarketReplica) -> Bool {
        guard let book = marketReplica.books[id] else { return true }
        return book.hasBook || (book.isAnswered && book.replica.reason != .busGap)
    }

    /// Waits until something is known, at most so many nanoseconds.
    private func settle(
        within patience: Int64, _ isSettled: @escaping @Sendable (MarketReplica) -> Bool
    ) async {
        if state.withLock({ isSettled($0.marketReplica) }) { return }
        let number = state.withLock { state in
            state.nextWaiting += 1
            return state.nextWaiting
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled || isSettled(state.marketReplica) { return true }
                    state.waiting[number] = Waiting(
                        deadline: uptime.adding(nanoseconds: patience), isSettled: isSettled,
                        continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
        }
    }

    // MARK: - The bus

    private func take(_ batch: BusBatch) { change { $0.take(batch, at: clock()) } }

    /// Changes the picture, and sees to what follows from it.
    private func change(_ body: (inout MarketReplica) -> Void) {
        let (changes, questions, hasUnread, settled) = state.withLock { state in
            body(&state.marketReplica)
            let settled = Self.wake(&state) { $0.isSettled($1) }
            return (
                state.marketReplica.takeChanges(), state.marketReplica.takeQuestions(),
                state.marketReplica.hasUnread, settled
            )
        }
        if !questions.isEmpty { subscriber.requestState(questions) }
        if hasUnread { reading.yield() }
        settled.forEach { $0.resume() }
        guard !changes.isEmpty else { return }
        observer.withLock { $0 }?.notify(self, changes)
    }

    /// Ends waiting that is overdue, and what nobody wants any more.
    private func tick() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            let now = uptime
            let overdue = state.withLock { state in
                let ended = state.marketReplica.expire(at: now)
                if !ended.isEmpty { subscriber.unsubscribe(ended.flatMap(\.topics)) }
                return Self.wake(&state) { waiting, _ in waiting.deadline <= now }
            }
            overdue.forEach { $0.resume() }
        }
    }

    private static func wake(
        _ state: inout State, where isDue: (Waiting, MarketReplica) -> Bool
    ) -> [CheckedContinuation<Void, Never>] {
        let due = state.waiting.filter { isDue($0.value, state.marketReplica) }
        for number in due.keys { state.waiting[number] = nil }
        return due.values.map(\.continuation)
    }
}

package import AccountStore
import Instruments
package import Logging
import NIOCore
import ServiceLifecycle
package import Store
import Synchronization

/// Brings what is said of the market and of people's own things to the clients of all event loops.
///
/// Each change is encoded once, numbered, and handed to each event loop that has a client for it; from there
/// on the loops have nothing in common.
package final class StreamHub: Service {
    /// Waits for a time.
    package typealias Pause = @Sendable (Duration) async throws -> Void

    private struct Loop: Sendable {
        let eventLoop: any EventLoop
        let shard: NIOLoopBound<StreamShard>
    }

    private struct State {
        var things: [StreamTopic: StreamTopicState] = [:]
        var audience: [MarketKey: Set<StreamTopic>] = [:]
        var loops: [Loop] = []
        var lastEpoch: UInt64 = 0
    }

    /// How many things are kept, wanted or not yet forgotten.
    var thingCount: Int { state.withLock { $0.things.count } }

    /// Things that are followed at once.
    static let thingLimit = 8_192
    /// How long what nobody wants is kept for those who come back, in nanoseconds: one minute.
    static let patience: Int64 = 60_000_000_000
    /// Seconds between two signs of life.
    static let beatInterval = 15
    /// Waits by this machine's clock.
    static let realPause: Pause = { try await Task.sleep(for: $0) }

    private let state = Mutex(State())
    private let view: MarketView
    /// What it needs beside the bus.
    let sources: StreamSources
    /// Whether market data needs no session.
    let marketIsPublic: Bool
    /// Who has how much of what all share.
    package let limits: StreamLimits
    private let logger: Logger
    private let pause: Pause
    /// Things whose past is to be read; each once, so at most as many as there are.
    private let unread: AsyncStream<StreamTopic>
    private let reading: AsyncStream<StreamTopic>.Continuation

    /// A hub that tells nothing until ``run()`` runs.
    package init(
        _ view: MarketView, _ sources: StreamSources, marketIsPublic: Bool,
        limits: StreamLimits = StreamLimits(),
        logger: Logger,
        pause: @escaping Pause = realPause
    ) {
        self.limits = limits
        self.pause = pause
        self.view = view
        self.sources = sources
        self.marketIsPublic = marketIsPublic
        self.logger = logger
        (unread, reading) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.thingLimit))
        view.observe { [weak self] _, changes in self?.take(changes) }
    }

    /// Reads what is not on the bus, and tells clients that their connections live, until graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                // Signs of life wait for no database.
                let (seconds, second) = AsyncStream.makeStream(
                    of: Int.self, bufferingPolicy: .bufferingNewest(1))
                group.addTask { await self.tick(second) }
                group.addTask { await self.poll(at: seconds) }
                group.addTask { for await topic in self.unread { await self.read(topic) } }
            }
        }
        end(code: 1001, reason: "the server stops") { _ in true }
    }

    private func tick(_ second: AsyncStream<Int>.Continuation) async {
        defer { second.finish() }
        var seconds = 0
        while (try? await pause(.seconds(1))) != nil {
            seconds += 1
            if seconds % Self.beatInterval == 0 { beat() }
            expire()
            second.yield(seconds)
        }
    }

    // MARK: - Event loops

    /// The clients of an event loop; called on it.
    func shard(on eventLoop: any EventLoop) -> StreamShard {
        eventLoop.preconditionInEventLoop()
        let loop = state.withLock { state in
            if let known = state.loops.first(where: { $0.eventLoop === eventLoop }) { return known }
            let shard = StreamShard(index: state.loops.count, hub: self)
            let loop = Loop(eventLoop: eventLoop, shard: NIOLoopBound(shard, eventLoop: eventLoop))
            state.loops.append(loop)
            return loop
        }
        return loop.shard.value
    }

    /// A loop wants a thing: it is told what was said so far, and each change from then on.
    ///
    /// False when too many things are followed.
    func attach(_ topic: StreamTopic, to index: Int) -> Bool {
        state.withLock { state in
            if state.things[topic] == nil {
                guard state.things.count < Self.thingLimit, begin(topic, &state) else { return false }
            }
            state.things[topic]?.shards.insert(index)
            state.things[topic]?.idleSince = nil
            if let thing = state.things[topic], thing.isReady { hand(thing, to: [index], state) }
            return true
        }
    }

    /// A loop wants a thing no more.
    func detach(_ topic: StreamTopic, from index: Int) {
        state.withLock { state in
            state.things[topic]?.shards.remove(index)
            if state.things[topic]?.shards.isEmpty == true { state.things[topic]?.idleSince = view.uptime }
        }
    }

    /// Inside the lock, so that the loop gets it before any later change.
    private func hand(_ thing: StreamTopicState, to shards: Set<Int>, _ state: State) {
        for index in shards {
            let (loop, log, topic) = (state.loops[index], thing.log, thing.topic)
            loop.eventLoop.execute { loop.shard.value.adopt(log, of: topic) }
        }
    }

    // MARK: - Things

    private func begin(_ topic: StreamTopic, _ state: inout State) -> Bool {
        var thing = StreamTopicState(topic, epoch: epoch(&state))
        if let followed = thing.followed, !view.hold(followed) { return false }
        for key in thing.keys { state.audience[key, default: []].insert(topic) }
        _ = thing.refresh(view)
        state.things[topic] = thing
        switch topic.channel {
        case .trades, .candles, .trending, .watchlist, .alerts: reading.yield(topic)
        case .ticker, .book, .index, .venues, .status, .portfolio: break
        }
        return true
    }

    /// Milliseconds since 1970, or one more than the last: later lives have greater numbers, and JSON's
    /// numbers hold them exactly.
    private func epoch(_ state: inout State) -> UInt64 {
        state.lastEpoch = max(state.lastEpoch + 1, UInt64(max(0, view.now.nanoseconds / 1_000_000)))
        return state.lastEpoch
    }

    /// What changed in the market.
    private func take(_ changes: Set<MarketKey>) {
        state.withLock { state in
            var topics: Set<StreamTopic> = []
            for key in changes {
                if case .condition = key {
                    topics.formUnion(state.things.keys)
                    break
                }
                topics.formUnion(state.audience[key] ?? [])
                switch key {
                case .feed: topics.formUnion(state.audience[.feed("*")] ?? [])
                case .service: topics.formUnion(state.audience[.service("*")] ?? [])
                default: break
                }
            }
            var updates: [StreamUpdate] = []
            for topic in topics {
                if state.things[topic]?.lacksTrades(view) == true {
                    tellTrades(topic, &state)
                } else {
                    updates += state.things[topic]?.refresh(view) ?? []
                }
            }
            publish(updates, state)
        }
    }

    private func publish(_ updates: [StreamUpdate], _ state: State) {
        guard !updates.isEmpty else { return }
        for (index, loop) in state.loops.enumerated() {
            let wanted = updates.filter { state.things[$0.topic]?.shards.contains(index) == true }
            if !wanted.isEmpty { loop.eventLoop.execute { loop.shard.value.take(wanted) } }
        }
    }

    private func expire() {
        let now = view.uptime
        state.withLock { state in
            for thing in state.things.values {
                guard let since = thing.idleSince, now.nanoseconds(since: since) > Self.patience else {
                    continue
                }
                for key in thing.keys {
                    state.audience[key]?.remove(thing.topic)
                    if state.audience[key]?.isEmpty == true { state.audience[key] = nil }
                }
                if let followed = thing.followed { view.release(followed) }
                state.things[thing.topic] = nil
            }
        }
    }

    // MARK: - What is not on the bus

    /// Looks each second; who waited for the database passes the seconds over that went by.
    private func poll(at seconds: AsyncStream<Int>) async {
        var last = 0
        for await second in seconds {
            await poll(after: last, until: second)
            last = second
        }
    }

    /// Alerts are looked at each second, lists each five, what moves most each ten.
    private func poll(after last: Int, until second: Int) async {
        let topics = state.withLock { state in
            state.things.values.filter { !$0.shards.isEmpty }.map(\.topic).filter { topic in
                switch topic.channel {
                case .alerts: true
                case .watchlist: second / 5 > last / 5
                case .trending: second / 10 > last / 10
                default: false
                }
            }
        }
        for topic in topics { await read(topic) }
    }

    /// Looks at a list of a user now, after it was changed here.
    package func noteWatchlist(_ id: UniqueID, of user: UserID) async {
        let topic = StreamTopic(.watchlist, id.description, owner: user)
        if state.withLock({ $0.things[topic] != nil }) { await read(topic) }
    }

    private func read(_ topic: StreamTopic) async {
        do {
            switch topic.channel {
            case .trades: try await readTrades(topic)
            case .candles: try await readCandle(topic)
            case .trending:
                if let bytes = try await sources.trending() { change(topic) { $0.say(bytes: bytes) } }
            case .watchlist: try await readWatchlist(topic)
            case .alerts: try await readFirings(topic)
            default: break
            }
        } catch {
            // What is told on the bus goes on; what is read here is read again.
            logger.debug(
                "The stream cannot read", metadata: ["channel": "\(topic.channel)", "error": "\(error)"])
        }
    }

    private func readTrades(_ topic: StreamTopic) async throws {
        defer { begin(topic) }
        if let id = InstrumentID(topic.key) { _ = try await view.trades(id) }
    }

    private func begin(_ topic: StreamTopic) {
        state.withLock { state in
            guard state.things[topic]?.isReady == false else { return }
            state.things[topic]?.isReady = true
            tellTrades(topic, &state)
        }
    }

    /// Tells the trades of an instrument whole.
    private func tellTrades(_ topic: StreamTopic, _ state: inout State) {
        let epoch = epoch(&state)
        state.things[topic]?.fillTrades(view, epoch: epoch)
        if let thing = state.things[topic] { hand(thing, to: thing.shards, state) }
    }

    private func readCandle(_ topic: StreamTopic) async throws {
        guard let (interval, id) = try? StreamAccess.candles(topic.key) else { return }
        guard let body = try await sources.candle(interval, id) else { return }
        change(topic) { $0.log.sequence == 0 ? $0.say(NewestCandleBody(body)) : [] }
    }

    private func readWatchlist(_ topic: StreamTopic) async throws {
        guard let user = topic.owner, let id = UniqueID(topic.key) else { return }
        // A list that is gone has no entries any more.
        let list = try await sources.watchlist(user, id) ?? StreamSources.Watched(name: "", instruments: [])
        state.withLock { state in
            guard var thing = state.things[topic], thing.watched != list else { return }
            for key in thing.keys { state.audience[key]?.remove(topic) }
            thing.watch(list, epoch: epoch(&state), view)
            for key in thing.keys { state.audience[key, default: []].insert(topic) }
            thing.isReady = true
            state.things[topic] = thing
            hand(thing, to: thing.shards, state)
        }
    }

    private func readFirings(_ topic: StreamTopic) async throws {
        guard let user = topic.owner else { return }
        let newest = try await sources.firings(user)
        change(topic, isFirst: true) { $0.say(firings: newest) }
    }

    /// Changes a thing and tells it; `isFirst` makes it ready, and hands it over whole.
    private func change(
        _ topic: StreamTopic, isFirst: Bool = false, _ body: (inout StreamTopicState) -> [StreamUpdate]
    ) {
        state.withLock { state in
            guard var thing = state.things[topic] else { return }
            let updates = body(&thing)
            let wasReady = thing.isReady
            if isFirst { thing.isReady = true }
            state.things[topic] = thing
            if thing.isReady && !wasReady {
                hand(thing, to: thing.shards, state)
            } else if wasReady {
                publish(updates, state)
            }
        }
    }

    // MARK: - Clients

    private func beat() {
        let time = view.now.iso8601
        for loop in state.withLock({ $0.loops }) { loop.eventLoop.execute { loop.shard.value.beat(time) } }
    }

    /// Ends the connections of some, at once.
    func end(code: UInt16, reason: String, where isConcerned: @escaping @Sendable (Identity?) -> Bool) {
        for loop in state.withLock({ $0.loops }) {
            loop.eventLoop.execute { loop.shard.value.end(code: code, reason: reason, where: isConcerned) }
        }
    }

    /// Ends the connections that a revocation concerns.
    func end(_ revocation: Revocation) {
        end(code: 1008, reason: "signed out") { $0.map { revocation.concerns($0) } ?? false }
    }

    /// Looks at everybody who is connected again, after revocations may have been missed.
    func recheck(_ stands: (Identity) async -> Bool) async {
        var all: Set<Identity> = []
        for loop in state.withLock({ $0.loops }) {
            let here = try? await loop.eventLoop.submit { loop.shard.value.identities }.get()
            all.formUnion(here ?? [])
        }
        for identity in all {
            if await stands(identity) { continue }
            end(code: 1008, reason: "signed out") { $0 == identity }
        }
    }
}

import Bus
import Instruments
import Logging
import MarketData
import Metrics
import NIOCore
import Venues
import Web
import Wire

/// One part of a venue, or all of it: its session, its connections, and the way of what it says to the bus.
///
/// The actor runs on its connection's event loop, so that a burst of frames is read, proven, composed and
/// handed to the publisher in one synchronous call, without a hop. Everything that waits (connecting, REST)
/// is a task of ``run()``.
actor VenueFeed {
    /// What a feed needs.
    struct Parts: Sendable {
        /// What is followed; changed by ``VenueFeed/follow(_:)``.
        var configuration: VenueConfiguration
        let ingestion: FeedIngestionConfiguration
        let publisher: PublisherVoice
        /// `nil` when nothing is stored.
        let queue: WriteQueue?
        let http: HTTPClient
        /// Shared with the other parts.
        let gate: VenueGate
        /// Shared with the other parts.
        let board: FeedBoard
        /// Which part it is.
        let number: Int
        let clock: @Sendable () -> Timestamp
        let logger: Logger
        /// Decides when connections are replaced.
        var generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    }

    /// Messages after which a batch is handed over in the middle of a burst.
    static let batchLimit = 256
    /// How long messages may wait to be handed over together: one wake-up of the publisher costs as much as
    /// twenty.
    static let flushInterval = TimeAmount.milliseconds(1)

    var parts: Parts
    let loop: any EventLoop
    let metrics: FeedMetrics
    var session: RotatingSession
    var output = VenueOutput()
    var composer: FeedComposer
    var backfill: Backfill
    /// Whose trades are being answered, while an answer is read.
    var answering: InstrumentIndex?
    var links: [Int: FeedLink] = [:]
    /// Where each connection is opened the next time; a session may change it, as with a new token.
    var addresses: [Int: String] = [:]
    var connections: [Int: WebSocketConnection] = [:]
    var status: FeedStatusLine
    var isAuditing = false
    private var batch = OutboundBatch()
    private var composed: [ComposedTrade] = []
    /// Trades that may be stored, to be handed over with the next batch.
    var queued: [QueuedTrade] = []
    private var lastOffer = NIODeadline.uptimeNanoseconds(0)
    private var flushTimer: Scheduled<Void>?
    private var ticks = 0
    /// Requests that wait or are being answered.
    private var underWay: Set<VenueRequest> = []
    /// Counts the connections that have gone: an image that was asked for before is none for what follows.
    private(set) var epoch = 0
    /// How the venue is asked for its instruments, each of its lists, and when next.
    private var listRequests: [VenueRequest] = []
    private var listDue = Timestamp.zero
    private let commands: AsyncStream<FeedWork>
    private let command: AsyncStream<FeedWork>.Continuation

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    init(_ parts: Parts, session: any VenueSession, loop: any EventLoop) {
        self.parts = parts
        self.session = RotatingSession(session, parts.configuration, parts.generator)
        self.loop = loop
        composer = FeedComposer(
            publisher: parts.publisher, snapshotEvery: parts.ingestion.snapshotEveryDeltas)
        backfill = Backfill(
            isStoring: parts.queue != nil, heldLimit: parts.ingestion.maximumWaitingTrades)
        metrics = FeedMetrics(venue: parts.configuration.venue)
        status = FeedStatusLine()
        // Bounded: a session asks for a few things per instrument, and instruments are bounded.
        (commands, command) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16_384))
    }

    /// Ends the feed; ``run()`` returns when its connections are closed and the books declared.
    nonisolated func stop() { command.finish() }

    /// Runs until ``stop()`` or cancellation.
    func run() async {
        let ticking = loop.scheduleRepeatedTask(initialDelay: .milliseconds(100), delay: .milliseconds(100)) {
            _ in
            self.assumeIsolated { $0.tick() }
        }
        defer { ticking.cancel() }
        noteConnections()
        session.start(at: parts.clock(), into: &output)
        for case .request(let request) in output.actions where request.purpose == .instruments {
            listRequests.append(request)
        }
        absorb()
        flush()
        await withDiscardingTaskGroup { group in
            for await command in commands {
                switch command {
                case .open(let connection, let url):
                    guard session.wants(connection) else { continue }
                    let isNew = addresses.updateValue(url, forKey: connection) == nil
                    if isNew { group.addTask { await self.keepOpen(connection) } }
                case .request(let request, let epoch):
                    group.addTask {
                        await self.fetch(request, epoch)
                        await self.ended(request, epoch)
                    }
                case .audit: group.addTask { await self.auditDue() }
                }
            }
            group.cancelAll()
        }
        flushTimer?.cancel()
        flush()
        if session.isRotating { parts.gate.endRotation() }
        let now = parts.clock()
        parts.board.note(figures(at: now), of: parts.number, isNews: false, at: now)
        parts.board.end(parts.number, at: now)
    }

    // MARK: - What the session says

    /// One burst of frames, on the event loop.
    func receive(_ burst: WebSocketBatch, connection: Int, generation: Int) -> WebSocketDemand {
        guard links[connection]?.generation == generation, links[connection]?.isUp == true else {
            return .more
        }
        let time = Timestamp(nanoseconds: burst.receivedNanoseconds)
        links[connection]?.lastReceived = time
        for index in 0..<burst.count {
            burst.withMessage(index) { session.receive($0, connection: connection, at: time, into: &output) }
            if output.events.count >= Self.batchLimit { absorb() }
        }
        absorb()
        flushSoon()
        return .more
    }

    /// Composes what was said and does what was asked for, until nothing is left.
    func absorb() {
        // What is not followed can still be searched for.
        for instrument in output.listed { parts.queue?.offer(instrument) }
        while output.saysAnything {
            composer.compose(output, session.registry, into: &batch, trades: &composed)
            if !composed.isEmpty { keepTrades() }
            for case .instrument(_, let instrument) in output.events { parts.queue?.offer(instrument) }
            if let malformed = output.latestMalformed {
                status.malformed(malformed, parts.logger, at: parts.clock())
            }
            if let trade = output.latestUnusable {
                status.unusable(
                    trade, of: session.registry[trade.instrument], parts.logger, at: parts.clock())
            }
            let actions = output.actions
            output.removeAll()
            for action in actions { perform(action) }
        }
        noteRotation()
        if output.levels.count > 0 || !output.listed.isEmpty { output.removeAll() }
        if batch.count >= Self.batchLimit { flush() }
    }

    private func keepTrades() {
        backfill.grow(to: session.registry.count)
        for trade in composed {
            backfill.take(
                trade.queued, of: trade.index, isAnswer: answering == trade.index, into: &queued)
        }
        composed.removeAll(keepingCapacity: true)
        for early in backfill.takeEarlyReleases() {
            record(early.gap, of: early.index, "too many wait")
        }
    }

    private func perform(_ action: VenueAction) {
        switch action {
        case .open(let connection, let url): submit(.open(connection: connection, url: url))
        case .request(let request): submit(request)
        case .send(let connection, let text): send(text, connection)
        case .ping(let connection): connections[connection]?.ping()
        case .reconnect(let connection, let reason): reconnectIfSilent(connection, reason)
        }
    }

    /// A session asks again for what has not come; while the venue wants to be left alone that would only add
    /// to what it is asked afterwards.
    func submit(_ request: VenueRequest) {
        if underWay.insert(request).inserted { submit(.request(request, epoch: epoch)) }
    }

    func submit(_ work: FeedWork) {
        if case .dropped = command.yield(work) { metrics.commandsDropped.increment() }
    }

    private func ended(_ request: VenueRequest, _ epoch: Int) {
        if !isOutdated(request, epoch) { underWay.remove(request) }
    }

    /// A connection has gone: images that are asked for from here on are asked for anew, also where an
    /// answer is still under way.
    func beginEpoch() {
        epoch += 1
        underWay = underWay.filter { !$0.isForImage }
    }

    /// Whether the answer would be of a time before the changes that are to follow it.
    func isOutdated(_ request: VenueRequest, _ epoch: Int) -> Bool {
        request.isForImage && epoch != self.epoch
    }

    /// Venues list new instruments every day.
    private func askForList(at now: Timestamp) {
        guard !listRequests.isEmpty, now >= listDue else { return }
        if listDue != .zero { for request in listRequests { submit(request) } }
        listDue = now.adding(nanoseconds: 3_600_000_000_000)
    }

    /// The list did not come or could not be read: it is asked for again soon.
    func missList() { listDue = parts.clock().adding(nanoseconds: 60_000_000_000) }

    // MARK: - To the bus

    /// Hands the batch over now if the last one left a while ago, else in a moment, together with what comes
    /// until then.
    func flushSoon() {
        guard !batch.isEmpty || !queued.isEmpty else { return }
        let waited = NIODeadline.now() - lastOffer
        if batch.count >= Self.batchLimit || waited >= Self.flushInterval { return flush() }
        guard flushTimer == nil else { return }
        flushTimer = loop.scheduleTask(in: Self.flushInterval - waited) {
            self.assumeIsolated { $0.flush() }
        }
    }

    /// Hands everything over.
    func flush() {
        flushTimer?.cancel()
        flushTimer = nil
        let session = session
        composer.payDebts(into: &batch) { session.book(of: $0) }
        if !batch.isEmpty {
            let count = batch.count
            // A refusal leaves marks on its topics, which the next second's look turns into snapshots.
            if !parts.publisher.offer(&batch) { metrics.refused.increment(by: count) }
            lastOffer = .now()
        }
        if !queued.isEmpty {
            let refused = parts.queue?.offer(queued) ?? 0
            if refused > 0 { metrics.tradesRefused.increment(by: refused) }
            queued.removeAll(keepingCapacity: true)
        }
    }

    /// What the broker wants to hear again.
    func hear(_ event: PublisherEvent) {
        switch event {
        case .brokerAppeared:
            composer.wantEverything()
            repeatAudits()
        case .snapshotWanted(let topic): guard composer.wantSnapshot(topic: topic) else { return }
        case .brokerLost: return
        }
        flush()
    }

    // MARK: - Time

    private func tick() {
        let now = parts.clock()
        session.tick(at: now, into: &output)
        absorb()
        sendDue()
        ticks += 1
        let figures = ticks % 10 == 0 ? figures(at: now) : nil
        if figures != nil {
            rotateIfDue(at: now)
            composer.noticeLosses()
            metrics.report(output.counters, composer.counts)
            auditIfDue()
            askForTrades()
            askForList(at: now)
        }
        if let figures { parts.board.note(figures, of: parts.number, isNews: false, at: now) }
        flush()
    }
}

extension VenueOutput {
    /// Whether there is something to publish, to do or to log.
    fileprivate var saysAnything: Bool {
        !events.isEmpty || !actions.isEmpty || latestMalformed != nil || latestUnusable != nil
    }
}

import Bus
import Hosting
import Instruments
import Logging
import MarketStore
import NIOCore
import Operations
import ServiceLifecycle
import Store
import Venues
import Web
import Wire

/// Takes in venues' public data: proves the books, publishes everything on the bus, and stores trades and
/// instruments.
///
/// It owns one ``VenueFeed`` per venue, what writes to PostgreSQL, and the following of the table of
/// subscriptions. On graceful shutdown every connection is closed, every book declared, and every trade
/// received is written.
package actor FeedIngestion: Service {
    private let configuration: FeedIngestionConfiguration
    private let publisher: Publisher
    private let control: Subscriber
    private let database: Database?
    private let http: HTTPClient
    private let group: any EventLoopGroup
    private let instance: String
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let queue: WriteQueue?
    private let desks: [VenueFeedSupervisor]
    /// What prices all markets of those venues that tell of them.
    private let tickers: [TickerFeed]
    /// Says whether PostgreSQL takes what is to be stored; `nil` when nothing is stored.
    private let storing: HealthComponent?
    private let started: Timestamp
    /// Up to where the tape of each instrument is whole, for feeds that begin later; nothing of a venue whose
    /// stored trades are not known yet.
    private var marks: [Venue: [InstrumentID: TradeMark]] = [:]

    init(
        _ configuration: FeedIngestionConfiguration, _ publisher: Publisher, _ control: Subscriber,
        in frame: ServiceFrame
    ) {
        let (database, health) = (configuration.isStoring ? frame.database : nil, frame.health)
        self.configuration = configuration
        self.publisher = publisher
        self.control = control
        self.database = database
        group = frame.eventLoopGroup
        instance = frame.instance
        clock = frame.clock
        logger = frame.logger
        started = clock()
        queue = database == nil ? nil : WriteQueue(maximumTrades: configuration.maximumWaitingTrades)
        storing = database == nil ? nil : health.component("store")
        storing?.setReady(true)
        let http = HTTPClient()
        self.http = http
        let desks = configuration.venues.map { venue in
            VenueFeedSupervisor(
                venue, limit: configuration.maximumPerVenue,
                health: health.component("feed.\(venue.venue.rawValue)"))
        }
        self.desks = desks
        tickers = desks.compactMap { TickerFeed($0, publisher, in: frame, http) }
    }

    /// Runs until graceful shutdown or cancellation.
    package func run() async throws {
        if database == nil {
            logger.warning("Nothing is stored: store.enabled is false. Trades are only on the bus.")
        }
        await withTaskCancellationOrGracefulShutdownHandler {
            async let writing: Void = write()
            await follow()
            queue?.finish()
            await writing
        } onCancelOrGracefulShutdown: { [desks] in
            for supervisor in desks { supervisor.stop() }
        }
    }

    // MARK: - Parts

    /// Runs everything that ends with the feeds.
    private func follow() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followBroker() }
            group.addTask { await self.commandResponder.run() }
            group.addTask { await self.report() }
            for feed in tickers { group.addTask { await feed.run() } }
            if let database {
                let watch = SubscriptionWatch(
                    database: database, configuration: configuration, clock: clock, logger: logger,
                    changed: { await self.apply($0) })
                group.addTask { await watch.run() }
            }
            await withDiscardingTaskGroup { feeds in
                for supervisor in desks { feeds.addTask { await self.run(supervisor) } }
            }
            control.finish()
            group.cancelAll()
        }
    }

    /// One feed after the other, each as long as anything is wanted.
    private func run(_ supervisor: VenueFeedSupervisor) async {
        for await wants in supervisor.changes {
            warn(of: wants, supervisor)
            guard !wants.wants.isEmpty else {
                supervisor.health.setReady(true)
                continue
            }
            let configuration = wants.configuration(supervisor.base)
            let feed = VenueFeed(
                parts(of: supervisor, following: configuration), session: configuration.makeSession(),
                loop: group.next())
            guard supervisor.begin(feed, for: wants) else { continue }
            if let marks = marks[supervisor.venue] { await feed.resume(after: marks) }
            await feed.run()
            // What the feed had seen, and could not have stored because of a gap, is fetched by the next one.
            if marks[supervisor.venue] != nil || queue == nil {
                marks[supervisor.venue, default: [:]].merge(await feed.wholeTapes()) { _, newer in newer }
            }
            supervisor.end()
        }
    }

    private func warn(of wants: VenueSubscriptions, _ supervisor: VenueFeedSupervisor) {
        guard !wants.dropped.isEmpty else { return }
        logger.warning(
            "More instruments are wanted than may be followed",
            metadata: ["venue": "\(supervisor.venue)", "dropped": "\(wants.dropped.count)"])
    }

    private func parts(of supervisor: VenueFeedSupervisor, following configuration: VenueConfiguration)
        -> VenueFeed.Parts
    {
        var logger = logger
        logger[metadataKey: "venue"] = "\(supervisor.venue)"
        return VenueFeed.Parts(
            configuration: configuration, ingestion: self.configuration, publisher: publisher, queue: queue,
            http: http, health: supervisor.health, clock: clock, logger: logger)
    }

    private func supervisor(of venue: Venue) -> VenueFeedSupervisor? { desks.first { $0.venue == venue } }

    /// What the table of subscriptions says now.
    private func apply(_ rows: [DatedSubscription]) async {
        for supervisor in desks {
            let wants = VenueSubscriptions(
                rows, of: supervisor.venue, limit: configuration.maximumPerVenue)
            if wants.dropped != supervisor.wants.dropped { warn(of: wants, supervisor) }
            await supervisor.follow(wants, after: marks[supervisor.venue])
        }
    }

    private func followBroker() async {
        for await event in publisher.events {
            for supervisor in desks { await supervisor.feed?.hear(event) }
            for feed in tickers { await feed.hear(event) }
        }
    }

    private var commandResponder: BusCommandResponder {
        BusCommandResponder(subscriber: control, publisher: publisher, logger: logger) { id in
            guard let supervisor = await self.supervisor(of: id.venue) else { return nil }
            guard let feed = supervisor.feed else { return AuditReport(detail: "\(id) is not followed") }
            return await feed.audit(id.symbol)
        }
    }

    // MARK: - PostgreSQL

    private func write() async {
        guard let database, let queue else { return }
        let reports = TradeWriter.Reports(
            marks: { venue, marks in await self.learn(marks, venue) },
            holes: { holes in await self.refetch(holes) })
        let writer = TradeWriter(
            database: database, queue: queue, publisher: publisher, configuration: configuration,
            clock: clock,
            logger: logger, health: storing, reports: reports)
        self.writer = writer
        await writer.run()
    }

    private var writer: TradeWriter?

    private func learn(_ marks: [InstrumentID: TradeMark], _ venue: Venue) async {
        self.marks[venue, default: [:]].merge(marks) { newer, _ in newer }
        await supervisor(of: venue)?.feed?.resume(after: marks)
    }

    private func refetch(_ holes: [TradeHole]) async {
        for (venue, holes) in Dictionary(grouping: holes, by: \.instrument.venue) {
            // Where nothing was stored in this life, the last one's newest trade is the place.
            let placed = holes.map { hole in
                TradeHole(instrument: hole.instrument, after: hole.after ?? marks[venue]?[hole.instrument])
            }
            if let feed = supervisor(of: venue)?.feed {
                await feed.refetch(placed)
            } else {
                for hole in placed { queue?.resume(hole.instrument) }
            }
        }
    }

    // MARK: - What it says about itself

    private func report() async {
        guard
            // Whose name makes no topic is not in `bitpal status`, and works all the same.
            let voice = try? StatusVoice(of: "feed-ingestor", instance: instance, started: started, publisher)
        else { return }
        while !Task.isCancelled {
            let isReady = await isReady()
            let detail = isReady ? droppedWords : storing?.readiness.reason ?? ""
            var condition = ServiceStatus(isReady: isReady, detail: detail)
            condition.privateDatabase = configuration.privateDatabase
            condition.figures = await figures()
            voice.say(condition)
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// What is wanted and not followed, for an operator; empty where that is nothing.
    private var droppedWords: String {
        desks.compactMap { supervisor -> String? in
            let wants = supervisor.wants
            guard !wants.dropped.isEmpty else { return nil }
            let all = wants.wants.count + wants.dropped.count
            return "\(supervisor.venue): \(wants.dropped.count) of \(all) wanted instruments are not "
                + "followed (subscriptions.maximumPerVenue is \(configuration.maximumPerVenue))"
        }.joined(separator: "; ")
    }

    private func isReady() async -> Bool {
        if await writer?.isTroubled == true { return false }
        for supervisor in desks {
            if let feed = supervisor.feed, await !feed.isConnected { return false }
        }
        return true
    }

    private func figures() async -> [String: Int64] {
        var stored: UInt64 = 0
        for supervisor in desks {
            guard let count = await writer?.storedCount(of: supervisor.venue) else { continue }
            stored &+= count
            await supervisor.feed?.noteStored(count)
        }
        let counters = publisher.counters
        let figures = queue?.figures ?? .init()
        return [
            "trades_stored": Int64(clamping: stored), "trades_waiting": Int64(clamping: figures.waiting),
            "trades_refused": Int64(clamping: figures.refused),
            "messages_sent": Int64(clamping: counters.sent),
            "messages_refused": Int64(clamping: counters.refused),
            "messages_unheard": Int64(clamping: counters.unheard),
            "instruments_dropped": Int64(desks.reduce(0) { $0 + $1.wants.dropped.count }),
        ]
    }
}

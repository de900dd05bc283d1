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
/// It follows the venues that it holds, see ``VenueHolding``: each in tenures, with a ``VenueDesk`` a tenure;
/// beside that it owns what writes to PostgreSQL, and the following of the table of subscriptions. On
/// graceful shutdown every connection is closed, every book declared, every venue given back, and every trade
/// received is written.
package actor FeedIngestion: Service {
    private let configuration: FeedIngestionConfiguration
    private let publisher: Publisher
    private let control: Subscriber
    private let database: Database?
    private let http: HTTPClient
    private let frame: ServiceFrame
    private let clock: @Sendable () -> Timestamp
    private let logger: Logger
    private let queue: WriteQueue?
    private let places: [VenuePlace]
    private let holding: VenueHolding
    /// Says whether PostgreSQL takes what is to be stored; `nil` when nothing is stored.
    private let storing: HealthComponent?
    private let started: Timestamp
    /// What the table of subscriptions said last; `nil` before it was read.
    private var rows: [DatedSubscription]?
    /// Up to where the tape of each instrument is whole, for feeds that begin later; nothing of a venue whose
    /// stored trades are not known yet.
    private var marks: [Venue: [InstrumentID: TradeMark]] = [:]
    private var knownWriter: TradeWriter?

    init(
        _ configuration: FeedIngestionConfiguration, _ publisher: Publisher, _ control: Subscriber,
        in frame: ServiceFrame
    ) {
        let (database, health) = (configuration.isStoring ? frame.database : nil, frame.health)
        self.configuration = configuration
        self.publisher = publisher
        self.control = control
        self.database = database
        self.frame = frame
        clock = frame.clock
        logger = frame.logger
        started = clock()
        queue = database == nil ? nil : WriteQueue(maximumTrades: configuration.maximumWaitingTrades)
        storing = database == nil ? nil : health.component("store")
        storing?.setReady(true)
        http = HTTPClient(configuration: HTTPClientConfiguration(proxies: configuration.proxies))
        places = configuration.venues.map { venue in
            VenuePlace(
                venue, health: health.component("feed.\(venue.venue.rawValue)"), clock: frame.clock)
        }
        holding = VenueHolding(
            database, configuration, member: "\(frame.instance)-\(publisher.epoch)", logger: frame.logger)
    }

    /// Runs until graceful shutdown or cancellation.
    package func run() async throws {
        if database == nil {
            logger.warning("Nothing is stored: store.enabled is false. Trades are only on the bus.")
        }
        await withTaskCancellationOrGracefulShutdownHandler {
            async let writing: Void = write()
            await follow()
            // At the same time: others wait for the venues, and what is still to be written waits for nobody.
            async let leaving: Void = holding.leave()
            queue?.finish()
            await writing
            await leaving
        } onCancelOrGracefulShutdown: { [places, holding] in
            holding.stop()
            for place in places { place.stop() }
        }
    }

    // MARK: - Parts

    /// Runs everything that ends with the feeds.
    private func follow() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.followBroker() }
            group.addTask { await self.commandResponder.run() }
            group.addTask { await self.report() }
            group.addTask { [holding, places] in
                await holding.run { venue in places.contains { $0.venue == venue && $0.tenure != nil } }
            }
            if let database {
                let watch = SubscriptionWatch(
                    database: database, configuration: configuration, clock: clock, logger: logger,
                    changed: { await self.apply($0) })
                group.addTask { await watch.run() }
            }
            await hold()
            control.finish()
            group.cancelAll()
        }
    }

    /// Begins and ends tenures as the leases say, until it is stopped and all have ended.
    private func hold() async {
        await withDiscardingTaskGroup { tenures in
            for await _ in holding.hints {
                for place in places {
                    let epoch = holding.epoch(of: place.venue)
                    switch place.step(epoch: epoch, isLeaving: holding.isLeaving(place.venue)) {
                    case .nothing: if place.tenure == nil, holding.isKnown { place.rest() }
                    case .begin(let epoch):
                        let tenure = tenure(of: place, under: epoch)
                        if place.begin(tenure) { tenures.addTask { await self.run(tenure, at: place) } }
                    case .end: place.tenure?.desk.stop()
                    case .drop:
                        place.tenure?.voice.end()
                        place.tenure?.desk.stop()
                    }
                }
            }
        }
    }

    private func tenure(of place: VenuePlace, under epoch: Int64) -> VenueTenure {
        let voice = publisher.begin(
            "\(configuration.producer)-\(place.venue.rawValue)",
            while: holding.right(to: place.venue, under: epoch))
        let tools = VenueDesk.Tools(
            ingestion: configuration, publisher: voice, instance: frame.instance, queue: queue)
        let desk = VenueDesk(place, tools, rows: database == nil ? nil : rows)
        return VenueTenure(
            epoch: epoch, voice: voice, desk: desk, tickers: TickerFeed(desk, voice, in: frame, http))
    }

    /// Follows a venue as long as it is held.
    private func run(_ tenure: VenueTenure, at place: VenuePlace) async {
        let (desk, venue) = (tenure.desk, place.venue)
        logger.notice("Holds a venue", metadata: ["venue": "\(venue)", "epoch": "\(tenure.epoch)"])
        // Somebody else may have stored more since.
        if queue != nil { marks[venue] = nil }
        await withDiscardingTaskGroup { group in
            if let writer { group.addTask { await writer.reportMarks(of: venue) } }
            if let tickers = tenure.tickers { group.addTask { await tickers.run() } }
            await run(desk)
            group.cancelAll()
        }
        desk.board.giveBack()
        logger.notice("Holds a venue no longer", metadata: ["venue": "\(venue)"])
        place.end()
        holding.ended()
    }

    /// All parts of a venue, those that are made later as well.
    private func run(_ desk: VenueDesk) async {
        warn(of: desk.wants, desk)
        await withDiscardingTaskGroup { group in
            for await part in desk.parts { group.addTask { await self.run(part, of: desk) } }
        }
    }

    /// One feed after the other, each as long as anything is wanted.
    private func run(_ supervisor: VenueFeedSupervisor, of desk: VenueDesk) async {
        for await wants in supervisor.changes {
            guard !wants.isEmpty else {
                desk.board.rest()
                continue
            }
            let configuration = supervisor.configuration(wants)
            let feed = VenueFeed(
                parts(of: desk, supervisor.number, following: configuration),
                session: configuration.makeSession(), loop: frame.eventLoopGroup.next())
            guard supervisor.begin(feed, for: wants) else { continue }
            if let marks = marks[supervisor.venue] { await feed.resume(after: marks) }
            await feed.run()
            keep(await feed.wholeTapes(), of: desk.venue)
            supervisor.end()
        }
    }

    /// What a feed had seen, and could not have stored because of a gap, is fetched by the next one.
    private func keep(_ tapes: [InstrumentID: TradeMark], of venue: Venue) {
        guard !tapes.isEmpty, marks[venue] != nil || queue == nil else { return }
        marks[venue, default: [:]].merge(tapes) { _, newer in newer }
    }

    private func warn(of wants: VenueSubscriptions, _ desk: VenueDesk) {
        guard !wants.dropped.isEmpty else { return }
        logger.warning(
            "More instruments are wanted than may be followed",
            metadata: ["venue": "\(desk.venue)", "dropped": "\(wants.dropped.count)"])
    }

    private func parts(
        of desk: VenueDesk, _ number: Int, following configuration: VenueConfiguration
    ) -> VenueFeed.Parts {
        var logger = logger
        logger[metadataKey: "venue"] = "\(desk.venue)"
        logger[metadataKey: "part"] = "\(number)"
        return VenueFeed.Parts(
            configuration: configuration, ingestion: self.configuration, publisher: desk.publisher,
            queue: queue,
            http: http, gate: desk.gate, board: desk.board, number: number, clock: clock, logger: logger)
    }

    /// The tenures that there are now.
    private var tenures: [VenueTenure] { places.compactMap(\.tenure) }

    private var desks: [VenueDesk] { tenures.map(\.desk) }

    /// The desk of a venue that is held.
    private func desk(of venue: Venue) -> VenueDesk? { desks.first { $0.venue == venue } }

    /// What the table of subscriptions says now.
    private func apply(_ rows: [DatedSubscription]) async {
        self.rows = rows
        for desk in desks {
            let dropped = desk.wants.dropped
            let wants = VenueSubscriptions(rows, of: desk.venue, limit: desk.limit)
            keep(await desk.follow(wants, after: marks[desk.venue]), of: desk.venue)
            if desk.wants.dropped != dropped { warn(of: desk.wants, desk) }
        }
    }

    private func followBroker() async {
        for await event in publisher.events {
            for feed in desks.flatMap(\.feeds) { await feed.hear(event) }
            for feed in tenures.compactMap(\.tickers) { await feed.hear(event) }
        }
    }

    private var commandResponder: BusCommandResponder {
        BusCommandResponder(subscriber: control, publisher: publisher, logger: logger) { id in
            guard let desk = await self.desk(of: id.venue) else { return nil }
            guard let feed = desk.feed(of: id.symbol) else {
                return AuditReport(detail: "\(id) is not followed")
            }
            return await feed.audit(id.symbol)
        }
    }

    // MARK: - PostgreSQL

    private func write() async { await writer?.run() }

    /// What writes to PostgreSQL; `nil` when nothing is stored.
    private var writer: TradeWriter? {
        if let knownWriter { return knownWriter }
        guard let database, let queue else { return nil }
        let reports = TradeWriter.Reports(
            marks: { venue, marks in await self.learn(marks, venue) },
            holes: { holes in await self.refetch(holes) })
        let writer = TradeWriter(
            database: database, queue: queue, publisher: publisher, configuration: configuration,
            clock: clock, logger: logger, health: storing, reports: reports)
        knownWriter = writer
        return writer
    }

    private func learn(_ marks: [InstrumentID: TradeMark], _ venue: Venue) async {
        self.marks[venue, default: [:]].merge(marks) { newer, _ in newer }
        for feed in desk(of: venue)?.feeds ?? [] { await feed.resume(after: marks) }
    }

    private func refetch(_ holes: [TradeHole]) async {
        for hole in holes {
            let id = hole.instrument
            // Where nothing was stored in this life, the last one's newest trade is the place.
            let placed = TradeHole(instrument: id, after: hole.after ?? marks[id.venue]?[id])
            if let feed = desk(of: id.venue)?.feed(of: id.symbol) {
                await feed.refetch([placed])
            } else {
                queue?.resume(id)
            }
        }
    }

    // MARK: - What it says about itself

    private func report() async {
        guard
            // Whose name makes no topic is not in `bitpal status`, and works all the same.
            let voice = try? StatusVoice(
                of: "feed-ingestor", instance: frame.instance, started: started, publisher)
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
        desks.compactMap { desk -> String? in
            let wants = desk.wants
            guard !wants.dropped.isEmpty else { return nil }
            let all = wants.wants.count + wants.dropped.count
            let reason =
                desk.isLimitOfVenue
                ? "\(desk.limit) fit the venue's connections"
                : "subscriptions.maximumPerVenue is \(configuration.maximumPerVenue)"
            return "\(desk.venue): \(wants.dropped.count) of \(all) wanted instruments are not "
                + "followed (\(reason))"
        }.joined(separator: "; ")
    }

    private func isReady() async -> Bool {
        if await writer?.isTroubled == true { return false }
        return desks.allSatisfy(\.board.isConnected)
    }

    private func figures() async -> [String: Int64] {
        var stored: UInt64 = 0
        for desk in desks {
            guard let count = await writer?.storedCount(of: desk.venue) else { continue }
            stored &+= count
            desk.board.noteStored(count)
        }
        let counters = publisher.counters
        let figures = queue?.figures ?? .init()
        return [
            "trades_stored": Int64(clamping: stored), "trades_waiting": Int64(clamping: figures.waiting),
            "trades_refused": Int64(clamping: figures.refused),
            "messages_sent": Int64(clamping: counters.sent),
            "messages_refused": Int64(clamping: counters.refused),
            "messages_unheard": Int64(clamping: counters.unheard),
            "venues_held": Int64(desks.count),
            "instruments_dropped": Int64(desks.reduce(0) { $0 + $1.wants.dropped.count }),
        ]
    }
}

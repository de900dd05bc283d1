import AlertEvaluation
import BookBuilding
import Bus
import BusBroker
import Credentials
import FeedIngestion
import GatewayAPI
import GatewayFrame
import Hosting
import InstallationStore
import Instruments
import Logging
import Metadata
import Notifying
import Operations
import OperatorCommands
import PortfolioKeeping
import ServiceLifecycle
import Store
import VenueSimulation
import Venues

/// Everything that `bitpal up` runs, put together.
struct Composition: Sendable {
    let plan: UpPlan
    let process: ServiceProcess

    /// Who in this process talks to whom needs no socket.
    private static let inside = BusAddresses.inproc("bitpal")

    /// The services in the order of their dependencies.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    func services() async throws -> [any Service] {
        // The terminal belongs to the book from here on, unless something goes wrong.
        let log = plan.watches ? try openLog() : nil
        var started: PrivateDatabase?
        do {
            if process.settings[SharedSettings.databaseURL] == nil {
                if log == nil { print("Starting PostgreSQL in \(plan.dataDirectory) …") }
                let own = try await PrivateDatabase.start(in: plan.dataDirectory, logger: process.logger)
                process.lastDeeds.add { own.interrupt() }
                started = own
            }
            return try await services(with: started, log)
        } catch {
            log?.end()
            // What kept it from starting is what is told.
            try? await started?.stop()
            throw error
        }
    }

    private func services(with own: PrivateDatabase?, _ log: LogFile?) async throws -> [any Service] {
        let context = try BusContext()
        let broker = try broker(context)
        let demo = plan.profile == .demo ? try simulator() : nil
        var feed = try feedConfiguration(demo, own)
        if plan.profile == .live { try await leaveOutSilentVenues(of: &feed, isQuiet: log != nil) }
        let settings = try process.settings(
            for: "book-builder", keys: BookBuildingConfiguration.keys + MetadataConfiguration.keys)
        // Names and categories are the simulator's, too, unless somebody else is named.
        let provider = demo.map { "http://\($0.1)/coingecko" } ?? MarketsPage.publicAddress
        // The synthetic market has a past; recordings have none.
        var builder = try BookBuildingConfiguration(
            settings: settings, fillsHistory: demo != nil && plan.recordings.isEmpty)
        let simulated = demo.map { "http://\($0.1.host):\($0.1.port)" }
        if builder.backfillURL == nil { builder.backfillURL = simulated }
        let url = process.settings[SharedSettings.databaseURL] ?? own?.address ?? ""
        var evaluator = try AlertEvaluationConfiguration(
            settings: process.settings(for: "alert-evaluator", keys: AlertEvaluationConfiguration.keys))
        evaluator.room = room(own)
        builder.room = room(own)
        try await migrate(url)
        let database = try await AlertEvaluator.schemas.open(url, logger: process.logger)
        let clock = DatabaseClock(database, logger: process.logger)
        await clock.look()
        let bus = ServiceFrame(of: process).timed(by: clock).on(context, at: Self.inside)
        let frame = bus.with(database)
        var services: [any Service] = [context]
        if let own { services.append(own) }
        services += [broker, database, clock]
        if let demo { services.append(demo.0) }
        services += try FeedIngestion.services(feed, in: frame)
        services += try BookBuilder.services(builder, in: frame)
        services += try MetadataKeeper.services(
            try MetadataConfiguration(settings: settings, provider: provider), in: frame)
        services += try AlertEvaluator.services(evaluator, in: frame)
        var listening = try gatewayConfiguration()
        if listening.demo.restURL == nil { listening.demo.restURL = simulated }
        services += try await notifier(url, listening, clock)
        let keeper = try PortfolioKeepingConfiguration(
            settings: process.settings(for: "portfolio-service", keys: PortfolioKeepingConfiguration.keys),
            simulator: simulated)
        let portfolios = try await PortfolioValuer.schemas.open(url, logger: process.logger)
        services.append(portfolios)
        services += try PortfolioValuer.services(keeper, in: bus.with(portfolios))
        let asked = plan.servesHTTP ? try await gateway(listening, bus, url) : nil
        if let (gateway, database, _) = asked {
            services.append(database)
            services += gateway.services
            services.append(
                GatewayURLFileService(
                    gateway: gateway, hasTLS: listening.server.tls != nil, directory: plan.dataDirectory))
        }
        let places = InstallationPaths(plan: plan, process: process, feed: feed, own: own)
        if let log {
            let watched = plan.watched ?? places.firstInstrument
            services += try LiveBook(
                watched, links: asked.map { StartReport.links($0.gateway.page, setup: $0.setup) } ?? [],
                footer: "Ctrl-C stops everything; log in \(log.path)", log: log, in: bus,
                newLinks: asked.flatMap { $0.setup == nil ? nil : Self.links($0.gateway.page, $0.database) }
            ).services
        } else {
            services.append(
                StartReport(
                    places: places, broker: broker, simulator: demo?.0, gateway: asked?.gateway,
                    setup: asked?.setup))
        }
        return services
    }

    /// The links without the one that makes the first operator, as soon as there is one.
    private static func links(
        _ page: String, _ database: Database
    ) -> @Sendable () async -> [String]? {
        // What cannot be asked now is asked again.
        { (try? await Gateway.hasOperator(database)) == true ? StartReport.links(page, setup: nil) : nil }
    }

    /// With connections of its own, so that nobody who stores waits for somebody who tells.
    private func notifier(
        _ url: String, _ listening: GatewayConfiguration, _ clock: DatabaseClock
    ) async throws -> [any Service] {
        let page = listening.server.pageURL
        var configuration = try NotifierConfiguration(
            settings: process.settings(for: "notifier", keys: NotifierConfiguration.keys))
        if let page { configuration.lead(to: page) }
        configuration.keyFile = try keyFile(listening)
        let database = try await Notifier.schemas.open(url, logger: process.logger)
        try await Notifier.checkKeys(configuration, database)
        let frame = ServiceFrame(of: process).timed(by: clock).with(database)
        return try [database] + Notifier.services(configuration, in: frame)
    }

    /// With connections of its own, so that nobody who stores waits for somebody who asks.
    ///
    /// - Returns: The gateway, its database, and the path of the link that makes the first operator as long
    ///   as there is none.
    private func gateway(
        _ listening: GatewayConfiguration, _ bus: ServiceFrame, _ url: String
    ) async throws -> (gateway: Gateway.Assembly, database: Database, setup: String?) {
        var configuration = listening
        configuration.accounts.keyFile = try keyFile(listening)
        try DataDirectory.make(plan.dataDirectory)
        if listening.accounts.operatorTokenFile == nil {
            let path = DataDirectory.operatorToken(in: plan.dataDirectory)
            OperatorTokenFile.remove(path)
            configuration.accounts.operatorTokenFile = path
        }
        if listening.accounts.withdrawnFile == nil {
            configuration.accounts.withdrawnFile = WithdrawnFile(in: plan.dataDirectory).path
        }
        let database = try await Gateway.schemas(configuration).open(url, logger: process.logger)
        let assembly = try Gateway.assembly(configuration, in: bus.with(database), setting: "--http")
        return (assembly, database, try await Gateway.firstOperatorPath(database))
    }

    /// The file with the keys that gateway and notifier seal with; in the data directory, if nowhere else.
    private func keyFile(_ listening: GatewayConfiguration) throws -> String {
        if let configured = listening.accounts.keyFile { return configured }
        try DataDirectory.make(plan.dataDirectory)
        return DataDirectory.keyFile(in: plan.dataDirectory)
    }

    private func gatewayConfiguration() throws -> GatewayConfiguration {
        var overrides: [String: String] = [:]
        overrides["address"] = plan.http
        return try GatewayConfiguration(
            settings: process.settings(
                for: "gateway", keys: GatewayConfiguration.keys, overrides: overrides))
    }

    /// Nobody loses a ledger: what people own is written to a file, which is tried, before a schema changes.
    private func migrate(_ url: String) async throws {
        let (place, logger) = (BackupPlace(in: plan.dataDirectory), process.logger)
        do {
            try await InstallationSchemas.migration.run(
                try StoreConfiguration(url: url), first: .checkedBackup(place.file), logger: logger
            ) { news in
                logger.log(level: news.isRoutine ? .debug : .notice, "Migration: \(news)")
            }
        } catch let error as StoreError {
            throw ConfigurationError(opening: error)
        } catch {
            throw ConfigurationError.unavailable(
                "what people own cannot be backed up before its schema is changed: \(error)",
                advice: "make room, or name another place with --data-dir")
        }
    }

    private func openLog() throws -> LogFile {
        do {
            try DataDirectory.make(plan.dataDirectory)
            return try LogFile(path: plan.dataDirectory + "/bitpal.log")
        } catch {
            throw ConfigurationError.unavailable("\(error)", advice: "name another place with --data-dir")
        }
    }

    private func broker(_ context: BusContext) throws -> BusBroker {
        let settings = try process.settings(for: "bus-broker", keys: BusBrokerConfiguration.keys)
        var configuration = try BusBrokerConfiguration(settings: settings)
        configuration.additionalAddresses = [Self.inside]
        return try BusBroker(
            context: context, configuration: configuration, instance: process.instance,
            health: process.health.component("bus"), logger: process.logger)
    }

    private func simulator() throws -> (VenueSimulator, NetworkAddress) {
        var overrides: [String: String] = [:]
        overrides["speed"] = plan.speed
        if plan.loops { overrides["loop"] = "true" }
        var configuration = try VenueSimulatorConfiguration(
            settings: process.settings(
                for: "venue-simulator", keys: VenueSimulatorConfiguration.keys, overrides: overrides))
        if !plan.recordings.isEmpty { configuration.recordings = plan.recordings }
        do {
            let simulator = try VenueSimulator(
                configuration: configuration, eventLoopGroup: process.eventLoopGroup,
                health: process.health.component("venues"), logger: process.logger)
            return (simulator, configuration.address)
        } catch let error as SimulationError {
            throw ConfigurationError.unavailable("the recordings cannot be played", advice: "\(error)")
        }
    }

    /// Of a PostgreSQL of our own we know where it keeps its files.
    private func room(_ own: PrivateDatabase?) -> DiskRoom? {
        DiskRoom.ofDatabase(process.settings, orIn: own == nil ? nil : plan.dataDirectory)
    }

    /// At its first start an installation tries which venues answer from here.
    private func leaveOutSilentVenues(of feed: inout FeedIngestionConfiguration, isQuiet: Bool) async throws {
        try DataDirectory.make(plan.dataDirectory)
        let venues = LiveVenues(
            in: plan.dataDirectory, triesAll: plan.triesVenues, clock: ServiceFrame(of: process).clock)
        try await venues.settle(&feed) { line in
            // The terminal is the book's.
            if isQuiet {
                process.logger.notice("Venues", metadata: ["tried": "\(line)"])
            } else {
                print(line)
            }
        }
    }

    private func feedConfiguration(
        _ demo: (simulator: VenueSimulator, address: NetworkAddress)?, _ own: PrivateDatabase?
    ) throws -> FeedIngestionConfiguration {
        var configuration = try FeedIngestionConfiguration(
            settings: process.settings(for: "feed-ingestor", keys: FeedIngestionConfiguration.keys))
        configuration.privateDatabase = own?.address ?? ""
        configuration.room = room(own)
        if let (simulator, address) = demo {
            configuration.venues = simulator.surveys.map {
                $0.venueConfiguration(host: address.host, port: address.port)
            }
        }
        return configuration
    }
}

import Bus
package import Hosting
import Instruments
import Logging
import MarketStore
import Operations
package import ServiceLifecycle
import Store
import Wire

/// Keeps names, categories and ranks of assets, and what moves most, fresh in PostgreSQL.
///
/// Every instance looks, one at a time does it. A provider that is away, refuses or talks nonsense is
/// counted, said and asked again later; nothing else depends on it.
package struct MetadataKeeper: Service {
    /// After so long without fresh metadata the health page says so: two days, in nanoseconds.
    static let patience: Int64 = 172_800_000_000_000

    private let assets: AssetUpdate?
    private let trending: TrendingTask?
    private let prices: PriceTask?
    private let database: Database
    private let publisher: Publisher
    private let health: HealthComponent
    private let instance: String
    private let environment: MetadataEnvironment
    private let figures: MetadataFigures
    private let logger: Logger

    /// The services in dependency order: to come after the bus context, the database and the broker.
    ///
    /// - Parameters:
    ///   - configuration: Whom to ask, and what to compute.
    ///   - frame: On the bus and with a database; its health gets the component `metadata`.
    ///   - environment: `nil` takes the frame's clock and libcurl.
    /// - Returns: None when there is nothing to do.
    /// - Throws: `BusError` when the process may open no more files.
    package static func services(
        _ configuration: MetadataConfiguration, in frame: ServiceFrame,
        environment: MetadataEnvironment? = nil
    ) throws -> [any Service] {
        guard !configuration.isIdle else { return [] }
        let publisher = try frame.publisher("metadata-\(frame.instance)")
        return [
            publisher,
            MetadataKeeper(configuration, publisher, environment ?? .real(now: frame.clock), in: frame),
        ]
    }

    init(
        _ configuration: MetadataConfiguration, _ publisher: Publisher, _ environment: MetadataEnvironment,
        in frame: ServiceFrame
    ) {
        let (database, instance, logger) = (frame.database, frame.instance, frame.logger)
        let figures = MetadataFigures()
        self.figures = figures
        self.database = database
        self.publisher = publisher
        self.instance = instance
        self.environment = environment
        self.logger = logger
        health = frame.health.component("metadata")
        let pace = RequestSpacing()
        assets =
            configuration.address.isEmpty
            ? nil
            : AssetUpdate(
                database: database, configuration: configuration, instance: instance,
                environment: environment,
                figures: figures, logger: logger, pace: pace)
        prices =
            configuration.prices.isEmpty
            ? nil
            : PriceTask(
                configuration.prices, database, instance: instance,
                outside: .init(environment: environment, publisher: publisher, pace: pace),
                figures: figures, logger: logger)
        trending =
            configuration.wantsTrending
            ? TrendingTask(
                database: database, instance: instance, now: environment.now, figures: figures, logger: logger
            )
            : nil
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: Nothing but what the lifecycle throws.
    package func run() async throws {
        health.setReady(true)
        do {
            try await cancelWhenGracefulShutdown {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    if let assets { group.addTask { try await repeating(assets.turn) } }
                    if let prices { group.addTask { try await repeating(prices.turn) } }
                    if let trending { group.addTask { try await repeating(trending.turn) } }
                    group.addTask { try await report() }
                    try await group.waitForAll()
                }
            }
        } catch is CancellationError {}
        await prices?.end()
        health.setReady(false, "stopped")
    }

    private func repeating(_ turn: @Sendable () async throws -> Duration) async throws {
        while true { try await environment.pause(try await turn()) }
    }

    // MARK: - What it says about itself

    private func report() async throws {
        let started = environment.now()
        let voice = try StatusVoice(of: "metadata", instance: instance, started: started, publisher)
        while true {
            // That they cannot be read is what is said then.
            let tasks = try? await database.tasks()
            judge(tasks, since: started)
            voice.say(condition(tasks))
            try await environment.pause(.seconds(5))
        }
    }

    private func judge(_ tasks: [TaskRow]?, since started: Timestamp) {
        guard assets != nil, let tasks else { return }
        let task = tasks.first { $0.name == AssetUpdate.task }
        let age = environment.now().nanoseconds(since: task?.done ?? started)
        health.setFresh(age < Self.patience, task?.detail ?? "never read")
    }

    private func condition(_ tasks: [TaskRow]?) -> ServiceStatus {
        var condition = ServiceStatus(isReady: tasks != nil)
        let lines = (tasks ?? []).filter { $0.owner != nil || !$0.detail.isEmpty }.map { task in
            "\(task.name): \(task.owner == nil ? task.detail : "being read")"
        }
        condition.detail = tasks == nil ? "PostgreSQL does not answer" : lines.joined(separator: "; ")
        let values = figures.values
        condition.figures = [
            "requests": values.requests, "refused": values.refused, "malformed": values.malformed,
            "unanswered": values.unanswered, "assets": values.assets, "categories": values.categories,
            "categories_known": values.categoriesKnown, "trending": values.trending,
            "aggregated": values.aggregated,
            "troubles": values.troubles,
        ]
        return condition
    }
}

import Instruments
import Logging
import MarketStore
import Providers
import Store
import Web

/// Keeps names, categories and ranks of assets fresh: once a day it asks for the provider's first pages, for
/// its list of categories and for the first page of each, at most ten requests a minute.
///
/// One instance at a time does it, by its claim on the task; each answer is stored before the next question,
/// so that whoever comes after goes on there. What fails is tried again after a minute, then two, up to an
/// hour; whatever is stored stays.
struct AssetUpdate: Sendable {
    /// The task's name in `market.task`.
    static let task = "assets"
    /// How long a claim holds: longer than the pages of all coins take.
    static let claim = Duration.seconds(120)
    /// How often it looks whether there is something to do.
    static let look = Duration.seconds(15)

    let database: Database
    let configuration: MetadataConfiguration
    let instance: String
    let environment: MetadataEnvironment
    let figures: MetadataFigures
    let logger: Logger
    let pace: RequestSpacing

    init(
        database: Database, configuration: MetadataConfiguration, instance: String,
        environment: MetadataEnvironment,
        figures: MetadataFigures, logger: Logger, pace: RequestSpacing = RequestSpacing()
    ) {
        self.database = database
        self.configuration = configuration
        self.instance = instance
        self.environment = environment
        self.figures = figures
        self.logger = logger
        self.pace = pace
    }

    /// Does what is due, if nobody else does.
    ///
    /// - Returns: How long until the next look.
    /// - Throws: `CancellationError`.
    func turn() async throws -> Duration {
        do {
            let claim = try await database.takeTask(
                Self.task, as: instance, source: configuration.address, for: Self.claim)
            if let claim { try await work(claim) }
            try await count()
        } catch let error as StoreError {
            try Task.checkCancellation()
            logger.warning("Metadata of assets cannot be stored", metadata: ["error": "\(error)"])
        }
        return Self.look
    }

    private func count() async throws(StoreError) {
        guard let counts = try await database.metadataCounts() else { return }
        figures.note(assets: counts.assets, categories: counts.categories, known: counts.known)
    }

    private func work(_ claim: TaskClaim) async throws {
        do {
            let wait = try await update(claim)
            try await database.end(
                claim, dueIn: .nanoseconds(wait), isDone: true, "fresh from \(configuration.address)")
            logger.info("Metadata of assets is fresh", metadata: ["from": "\(configuration.address)"])
        } catch let error as MetadataError {
            let wait = Self.patience(after: claim.failures, asked: error.retryAfter)
            let detail = "\(configuration.address): \(error); again in \(wait.components.seconds) s"
            logger.warning("Metadata of assets could not be updated", metadata: ["error": "\(detail)"])
            try await database.end(claim, dueIn: wait, isDone: false, detail)
        }
    }

    /// A minute, doubled with every failure in a row, at most an hour; more if the provider asks for it, up
    /// to a day.
    static func patience(after failures: Int, asked: Duration?) -> Duration {
        let own = Duration.seconds(min(3_600, 60 << min(max(failures, 0), 6)))
        return max(own, min(asked ?? .zero, .seconds(86_400)))
    }

    /// - Returns: Nanoseconds until something is old again.
    private func update(_ claim: TaskClaim) async throws -> Int64 {
        while true {
            guard let ages = try await database.metadataAges() else { return 0 }
            let step = MetadataStep(
                ages, at: environment.now(), wantsCategories: configuration.wantsCategories)
            switch step {
            case .wait(let nanoseconds): return nanoseconds
            case .coins: try await readCoins(claim)
            case .list:
                let rows = try parse(await get(CategoryPages.list(root: configuration.address))) {
                    body throws(MetadataError) in try CategoryPages.parse(body)
                }
                let time = environment.now()
                try await database.write(under: claim, for: Self.claim) { session in
                    try session.store(rows, at: time)
                }
            case .category(let category): try await read(category, claim)
            }
            try await count()
        }
    }

    /// Reads every page and stores all of them, or nothing.
    private func readCoins(_ claim: TaskClaim) async throws {
        var rows: [AssetRow] = []
        for number in 1...configuration.pages {
            let page = try parse(await get(MarketsPage.url(number, root: configuration.address))) {
                body throws(MetadataError) in try MarketsPage.parse(body)
            }
            rows += page
            if page.count < MarketsPage.size { break }
        }
        let merged = MarketsPage.merge(rows)
        let time = environment.now()
        try await database.write(under: claim, for: Self.claim) { session in
            try session.store(merged, at: time)
        }
    }

    /// A category that the provider lists and does not have is noted as asked for, and is no reason to stop.
    private func read(_ category: CategoryRow, _ claim: TaskClaim) async throws {
        var coins: [String]?
        do {
            let body = try await get(
                MarketsPage.url(1, category: category.id, root: configuration.address))
            coins = try parse(body) { body throws(MetadataError) in try MarketsPage.parse(body) }
                .map(\.providerID)
        } catch MetadataError.refused(status: 404, retryAfter: _) {
            logger.info("The provider does not know its category", metadata: ["id": "\(category.id)"])
        }
        let time = environment.now()
        try await database.write(under: claim, for: Self.claim) { [coins] session in
            try session.store(category, of: coins, at: time)
        }
    }

    // MARK: - Asking

    private func parse<Value>(
        _ body: [UInt8], _ read: ([UInt8]) throws(MetadataError) -> Value
    ) throws(MetadataError) -> Value {
        do {
            return try read(body)
        } catch {
            figures.note(.malformed)
            throw error
        }
    }

    private func get(_ url: String) async throws -> [UInt8] {
        let wait = pace.reserve(at: environment.now())
        if wait > 0 { try await environment.pause(.nanoseconds(wait)) }
        figures.noteRequest()
        let answer: MetadataEnvironment.Answer
        do {
            let known = CoinGecko.description.request(.list(page: 1), with: configuration.listKey)
            let request = ProviderRequest(url: url, headers: known?.headers ?? [:])
            answer = try await environment.fetch(request, CoinGecko.description.maximumBytes)
        } catch {
            try Task.checkCancellation()
            figures.note(.unanswered)
            throw MetadataError.unanswered(error)
        }
        guard answer.status == 200 else {
            figures.note(.refused)
            throw MetadataError.refused(status: answer.status, retryAfter: answer.retryAfter)
        }
        return answer.body
    }
}

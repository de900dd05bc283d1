public import Instruments
public import Logging
import MarketStore
public import ServiceLifecycle
public import Store
public import Web

/// Keeps names and ranks of assets fresh: once a day it reads the provider's first pages and stores them.
///
/// What is stored and younger than a day is not asked for again, also after a restart. A failure is logged
/// and tried again after an hour; whatever is stored stays.
public struct AssetUpdate: Service {
    /// Nanoseconds after which metadata is old.
    public static let maximumAge: Int64 = 86_400_000_000_000
    /// Nanoseconds from a failure to the next attempt.
    public static let retryAfter: Int64 = 3_600_000_000_000

    private let database: Database
    private let address: String
    private let pages: Int
    private let now: @Sendable () -> Timestamp
    private let pause: @Sendable (Int64) async throws -> Void
    private let fetch: @Sendable (String) async throws(WebError) -> (status: Int, body: [UInt8])
    private let logger: Logger

    /// - Parameters:
    ///   - database: Where assets are stored.
    ///   - address: The provider's, without a path.
    ///   - pages: How many pages of ``MarketsPage/size`` coins are read.
    ///   - now: The time of day.
    ///   - pause: Waits so many nanoseconds; throws when it is cancelled.
    ///   - fetch: GETs an address.
    ///   - logger: Carries the service's name.
    public init(
        database: Database, address: String = MarketsPage.publicAddress, pages: Int = 8,
        now: @escaping @Sendable () -> Timestamp,
        pause: @escaping @Sendable (Int64) async throws -> Void,
        fetch: @escaping @Sendable (String) async throws(WebError) -> (status: Int, body: [UInt8]),
        logger: Logger
    ) {
        self.database = database
        self.address = address
        self.pages = pages
        self.now = now
        self.pause = pause
        self.fetch = fetch
        self.logger = logger
    }

    /// Runs until graceful shutdown or cancellation.
    public func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true { try await pause(await turn()) }
            }
        } catch is CancellationError {
            return
        }
    }

    /// Updates if it is time to.
    ///
    /// - Returns: Nanoseconds until the next turn.
    public func turn() async -> Int64 {
        do {
            let times = try await database.rows(ListAssets()).map(\.time)
            if let newest = times.max() {
                let age = now().nanoseconds(since: newest)
                if age < Self.maximumAge { return Self.maximumAge - max(age, 0) }
            }
            let count = try await update()
            logger.info("Metadata of assets is fresh", metadata: ["assets": "\(count)"])
            return Self.maximumAge
        } catch {
            logger.warning("Metadata of assets could not be updated", metadata: ["error": "\(error)"])
            return Self.retryAfter
        }
    }

    /// Reads every page and stores all of them, or nothing.
    private func update() async throws -> Int {
        var rows: [AssetRow] = []
        for number in 1...max(pages, 1) {
            if number > 1 { try await pause(MarketsPage.interval) }
            let (status, body) = try await fetch(MarketsPage.url(number, root: address))
            guard status == 200 else { throw MetadataError.refused(status: status) }
            let page = try MarketsPage.parse(body)
            rows += page
            if page.count < MarketsPage.size { break }
        }
        let merged = MarketsPage.merge(rows)
        let time = now()
        try await database.transaction { session in try session.store(merged, at: time) }
        return merged.count
    }
}
